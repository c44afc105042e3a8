"""The workbook and the engine give the same numbers, whatever input is changed."""
