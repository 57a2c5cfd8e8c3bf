"""The H4 of S0 and S3: its geometry, its torques, and a simulated one that is richer than their model."""
