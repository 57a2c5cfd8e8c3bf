"""Which words follow from what is known of convex programs and of solvers."""
