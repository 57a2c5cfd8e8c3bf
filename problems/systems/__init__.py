"""Equations and inequalities, and how they become a problem."""
