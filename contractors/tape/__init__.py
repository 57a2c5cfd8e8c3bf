"""What a function is: straight-line code, its range, projection, derivative and lift."""
