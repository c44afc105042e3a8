"""Dated, sourced data about GPUs and APIs: what a card is and draws, what was asked for it."""
