"""What the constraints say on one box, as polynomials that are not positive."""
