"""How files are opened and what their cells and numbers mean, whatever they are of."""
