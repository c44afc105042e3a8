"""What a person gets: terminal, files, workbook, charts. Reads results, computes nothing."""
