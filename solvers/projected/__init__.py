"""Least squares without the parameters that enter linearly: lower bounds over boxes of the others."""
