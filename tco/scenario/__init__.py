"""Scenario files: how they are read, what may stand in them and what is wrong with them."""
