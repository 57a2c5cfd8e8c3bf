"""Models that are linear in their parameters: W theta = y within bounds, as arrays, files and exact bytes."""
