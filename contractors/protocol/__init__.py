"""What every contractor speaks: boxes in, narrower boxes out, with reasons."""
