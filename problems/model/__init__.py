"""What is proved about: the problem, its exact text, and changes of it."""
