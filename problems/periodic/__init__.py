"""Motions that repeat: Fourier series of a pose, logs of many periods, models of what is read and driven in them."""
