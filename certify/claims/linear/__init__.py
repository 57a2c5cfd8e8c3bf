"""What is said of linear models, beside their intervals."""
