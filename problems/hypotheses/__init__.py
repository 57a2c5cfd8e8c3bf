"""The hypotheses about what a model leaves out, one file each, discovered; see `certify.problems.model.hypothesis`."""
