"""Systems of equations, sets and linear systems: answer, certificate and check in one."""
