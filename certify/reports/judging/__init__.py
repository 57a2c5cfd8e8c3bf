"""What a run's folder holds, and what of it stands when its certificates are judged again."""
