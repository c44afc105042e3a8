"""Prices that others publish: offers, catalogues, price lists, exchange rates."""
