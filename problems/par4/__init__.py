"""The Par4 of S4: its geometry, its torques, and simulated ones that have what its model leaves out."""
