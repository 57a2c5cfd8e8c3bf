"""Words come from proofs here and nowhere else."""
