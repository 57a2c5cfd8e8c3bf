"""Platforms that are described by a `[model]` and simulated, one file each, discovered; see
`certify.problems.simulation.platform`.
"""
