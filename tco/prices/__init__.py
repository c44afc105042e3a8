"""Dated, sourced data about GPUs. In this version: what a card draws, never what it costs."""
