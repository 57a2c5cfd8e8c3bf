"""What the shape of a model says of its least sum of squares, whatever its parameters are."""
