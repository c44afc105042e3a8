"""Files that people hold, read into numbers of a scenario: one module for each kind of file."""
