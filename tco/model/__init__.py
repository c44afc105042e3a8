"""The arithmetic: one function for each quantity, one module for each subject."""
