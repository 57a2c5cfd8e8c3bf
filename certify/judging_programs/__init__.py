"""What is true of a convex program: proved bounds of its optimum, infeasible by a proved margin, or unbounded."""
