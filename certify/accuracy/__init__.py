"""How far off a robot's poses may be all over a workspace, whatever consistent parameters are true."""
