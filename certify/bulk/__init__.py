"""What does the checker's arithmetic say of many rows at once?"""
