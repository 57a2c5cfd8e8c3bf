"""The torques of a serial arm from its URDF: linear in masses, first moments, inertias and friction of its links."""
