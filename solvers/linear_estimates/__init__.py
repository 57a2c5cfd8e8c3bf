"""Estimates of the parameters of a linear model from many rows: weighted squares and bounding ellipsoids."""
