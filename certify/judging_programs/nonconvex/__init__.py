"""Quadratic programs that are not convex: their minima by branch and bound on the engine."""
