"""Minima of sums of squares: forms, search, local minima."""
