"""problem.toml and poses.csv, and the problem that they state."""
