"""The command ``tco fit``: which cards hold a model."""

from __future__ import annotations

import re
from collections.abc import Sequence

import click

from tco.cli.group import main

# written here so that `tco --help` loads nothing but click; a test holds them to the defaults
PRECISIONS = ("fp16", "bf16", "fp8", "int8", "int4", "awq", "gptq")


def _read_billions(_: click.Context, __: click.Parameter, value: str | None) -> float | None:
    if value is None:
        return None
    found = re.fullmatch(r"(\d{1,6}(?:\.\d{1,6})?) ?([MBT])", value.strip(), re.IGNORECASE)
    billions = float(found[1]) * {"M": 1e-3, "B": 1.0, "T": 1e3}[found[2].upper()] if found else 0
    if not billions:
        raise click.BadParameter(f"{value!r} is no number of parameters; write 8B or 350M")
    return billions


@main.command()
@click.argument("model", required=False)
@click.option(
    "--precision",
    type=click.Choice(PRECISIONS, case_sensitive=False),
    default="fp16",
    show_default=True,
    help="What the weights are held in.",
)
@click.option(
    "--context",
    type=click.IntRange(1, 10**9),
    metavar="N",
    help="Tokens of each sequence.  [default: 8192, or the model's longest]",
)
@click.option(
    "--sequences",
    type=click.IntRange(1, 10**6),
    default=1,
    show_default=True,
    metavar="S",
    help="Sequences at once.",
)
@click.option("cards", "--card", multiple=True, metavar="NAME", help="Only this card. Repeatable.")
@click.option(
    "--parameters",
    callback=_read_billions,
    metavar="8B",
    help="Describe a model in place of MODEL, with this and the next four.",
)
@click.option("--layers", type=click.IntRange(1, 10**4), metavar="N", help="Its layers.")
@click.option("--heads", type=click.IntRange(1, 10**4), metavar="N", help="Its query heads.")
@click.option("--kv-heads", type=click.IntRange(1, 10**4), metavar="N", help="Its KV heads.")
@click.option("--head-dim", type=click.IntRange(1, 10**4), metavar="N", help="Values of a head.")
@click.option(
    "--active",
    callback=_read_billions,
    metavar="3B",
    help="Parameters that one token reads, of a mixture.  [default: all]",
)
@click.option(
    "--workload",
    is_flag=False,
    flag_value="",
    metavar="[NAME]",
    help="Which card for a kind of work, and why; without a name, lists them.",
)
def fit(
    model: str | None,
    precision: str,
    context: int | None,
    sequences: int,
    cards: Sequence[str],
    parameters: float | None,
    layers: int | None,
    heads: int | None,
    kv_heads: int | None,
    head_dim: int | None,
    active: float | None,
    workload: str | None,
) -> None:
    """Ask which cards hold a model, and how many of them.

    MODEL is a known one (llama-3-70b); any other is described by options. Instead of a model,
    --workload asks for a kind of work.
    """
    from tco.analysis import fit as fitting
    from tco.prices import cards as known_cards
    from tco.prices import models
    from tco.report import fit as listing

    shape = {"layers": layers, "heads": heads, "kv_heads": kv_heads, "head_dim": head_dim}
    described = {"parameters": parameters, **shape, "active": active}
    given = [f"--{name.replace('_', '-')}" for name, value in described.items() if value]
    if workload is not None:
        if model or given or cards:
            raise click.UsageError("ask about a model or about a workload, not both")
        chosen = listing.chosen(workload)
        if chosen is None:
            raise click.BadParameter(listing.unknown_workload(workload), param_hint="'--workload'")
        click.echo(chosen)
        return
    if model and given:
        raise click.UsageError(f"give MODEL or describe one, not both: {given[0]} is not needed")
    if model:
        found = models.model(model)
        if found is None:
            raise click.BadParameter(listing.unknown_model(model), param_hint="'MODEL'")
    else:
        missing = [name for name, value in described.items() if not value and name != "active"]
        if missing:
            start = f"{given[0]} is given, but not" if given else "name a MODEL, or describe one:"
            lacking = ", ".join(f"--{name.replace('_', '-')}" for name in missing)
            raise click.UsageError(f"{start} {lacking}\nfor example:  {listing.DESCRIBE}")
        # nothing is missing, which the type checker cannot see
        assert parameters is not None
        assert layers is not None
        assert heads is not None
        assert kv_heads is not None
        assert head_dim is not None
        if heads % kv_heads:
            raise click.UsageError(
                f"{heads} query heads cannot share {kv_heads} KV heads: "
                "--heads must be a multiple of --kv-heads"
            )
        if active and active > parameters:
            raise click.UsageError("--active cannot be more than --parameters")
        found = models.LanguageModel(
            name="described",
            title="A model",
            parameters_billion=parameters,
            active_billion=active or parameters,
            layers=layers,
            heads=heads,
            kv_heads=kv_heads,
            head_dim=head_dim,
        )
    asked_cards = []
    for name in cards or known_cards.names():
        card = known_cards.card(name.lower())
        if card is None:
            raise click.BadParameter(listing.unknown_card(name), param_hint="'--card'")
        asked_cards.append(card)
    tokens = context or min(fitting.USUAL_CONTEXT, found.longest_context or fitting.USUAL_CONTEXT)
    question = fitting.Question(found, precision.lower(), tokens, sequences)
    click.echo(listing.question(question, fitting.fits(question, asked_cards)))
