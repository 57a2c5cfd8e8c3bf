"""What is true? The modelling language, robots, experiments and their files."""
