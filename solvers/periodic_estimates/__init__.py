"""Estimates from motions that repeat: covariances of noise, least squares, Gauss-Markov, maximum likelihood (S1)."""
