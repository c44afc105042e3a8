"""Work that is done where it is now: each workload at the prices of its own present API."""

from tco.units import Money, Tokens, Work


def served_work__moved(served_share, work_demanded) -> Work:
    """Work of this workload that is served where it is now."""
    return served_share * work_demanded


def served_input_tokens__moved_tokens(served_share, input_tokens_demanded) -> Tokens:
    """Input tokens of this workload that are served where it is now."""
    return served_share * input_tokens_demanded


def present_cost_through__moved(present_cost_before, api_cost) -> Money:
    """Bill of the month, this workload and those before it."""
    return present_cost_before + api_cost
