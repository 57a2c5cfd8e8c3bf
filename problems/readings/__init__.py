"""Raw readings of sensors, and the experiment that they make."""
