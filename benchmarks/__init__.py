"""Measurements: `python -m benchmarks NAME` prints a table and saves it, failures included, to benchmarks/results."""
