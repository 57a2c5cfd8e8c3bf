"""What drives a robot: models of torques that are linear in their parameters, simulated motions, and measured logs."""
