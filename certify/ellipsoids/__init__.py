"""Ellipsoids around all parameters that fit a linear model; weights on rows prove them in exact arithmetic."""
