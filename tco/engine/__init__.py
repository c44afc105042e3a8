"""Model functions wired into a graph and read as numbers, formulas, equations and units."""
