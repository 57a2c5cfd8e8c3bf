"""How do a function and arrays become a problem?"""
