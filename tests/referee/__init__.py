"""A second, plain reading of the model, and the scenarios on which the two must agree."""
