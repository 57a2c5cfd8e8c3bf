"""Linear programs and least squares in floats; their answers choose, and prove nothing."""
