"""What holds of parameters of real bodies beyond what rows prove: points and multipliers, judged exactly."""
