"""What commands offer is what there is: lists that are written twice so that help is quick."""

import click

from tco.analysis import uncertainty
from tco.analysis.axes import WORDS
from tco.cli.questions import DRAWS, SEED, breakeven, plot
from tco.report.plots import KINDS


def test_draws_and_seed_are_those_of_the_analysis() -> None:
    assert (DRAWS, SEED) == (uncertainty.DRAWS, uncertainty.SEED)


def test_help_names_every_kind_of_chart() -> None:
    assert plot.help is not None
    assert all(kind in " ".join(plot.help.split()) for kind in KINDS)


def test_help_names_every_word_for_what_is_varied() -> None:
    (over,) = (p for p in breakeven.params if p.name == "over")
    assert isinstance(over, click.Option)
    assert over.help is not None
    assert all(word in over.help for word in ("month", *WORDS))
