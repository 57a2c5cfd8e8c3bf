"""What is true? The modelling language, robots, experiments and their files."""

if __name__ == "problems":
    raise ImportError("problems is a part of certify: import certify.problems")
