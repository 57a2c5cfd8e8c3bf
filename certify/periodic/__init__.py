"""What is proved of estimates from motions that repeat: where the likelihood is stationary."""
