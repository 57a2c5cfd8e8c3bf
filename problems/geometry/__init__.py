"""Rotations, frames, and how they are found."""
