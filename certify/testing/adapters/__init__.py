"""Solvers and libraries of others behind one interface, each with its documented criterion; a new one is ten lines."""
