"""How far off can a platform on legs stand, whatever parameters of its legs are consistent?"""
