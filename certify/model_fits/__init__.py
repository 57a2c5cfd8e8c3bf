"""What is a least-squares fit of any model worth?"""
