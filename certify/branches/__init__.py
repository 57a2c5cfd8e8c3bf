"""Where do the joints stand if the tool stands there? Inverse kinematics near a configuration, enclosed."""
