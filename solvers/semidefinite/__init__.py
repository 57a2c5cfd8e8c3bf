"""Semidefinite programs: candidates for points at which bodies are physical, and for weights that bound those."""
