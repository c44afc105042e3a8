"""The page in a browser: `report.html` in headless Chromium."""
