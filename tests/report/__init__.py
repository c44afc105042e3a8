"""What the delivered workbook holds to, and what it shows."""
