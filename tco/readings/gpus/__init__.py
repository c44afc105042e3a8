"""Logs of GPUs: how busy they were, what they drew, who held them."""
