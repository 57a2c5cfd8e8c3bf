"""What else is asked of a linear model: wrong rows, intervals in spite of them, other bounds, slanted half-spaces."""
