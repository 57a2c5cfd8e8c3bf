"""Candidates for points, duals and bases of convex programs, by solvers that round."""
