"""Convex programs as solvers are given them: doubles, each of them an exact number."""
