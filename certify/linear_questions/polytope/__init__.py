"""Half-spaces along principal axes of what fits a linear model, and the volume that they leave."""
