"""What `tco fit` prints: how every card holds a model, or which card a workload wants and why."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches

from tco.analysis import card_choice
from tco.analysis.card_choice import Held, Load, Workload
from tco.analysis.figures import exact, significant
from tco.analysis.fit import (
    MOST_CARDS,
    OVERHEAD_GB,
    USABLE_SHARE,
    Fit,
    Question,
    needs,
)
from tco.errors import printable
from tco.prices import cards, instances, models
from tco.report.columns import table, wrap

DESCRIBE = "tco fit --parameters 8B --layers 32 --heads 32 --kv-heads 8 --head-dim 128"
THIS_IS_THE_FIT = (
    "this is the fit only; whether replies come fast enough (the SLO) is a separate test, and a "
    "measured one"
)
HEAD = (
    ("", "memory", "usable", "fits", "needed", "seqs", "what", "short on", "tokens/s"),
    ("card", "GB", "GB", "on", "a card", "that fit", "binds", "one card", "at most"),
)
NUMBERS = ("no", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight")


def question(asked: Question, found: Sequence[Fit]) -> str:
    """The table of all cards, then what is counted."""
    lines = [*_asked(asked), ""]
    if not any(fit.cards for fit in found):
        lines += [*wrap(_nowhere(found)), ""]
    lines += table([*HEAD, *(_row(fit) for fit in found)])
    for note in (*_of_the_cards(found), *_counted(asked)):
        lines += wrap(note, first="  ", rest="    ")
    return "\n".join(printable(line) for line in lines)


def _asked(asked: Question) -> list[str]:
    model = asked.model
    size = f"{exact(model.parameters_billion)} billion parameters"
    if model.active_billion != model.parameters_billion:
        size += f", {exact(model.active_billion)} of them active"
    takes = needs(asked)
    weights = f"weights {_gb(takes.weights_gb)}"
    if not model.writes_text:
        return wrap(f"{model.title} in {asked.precision} ({size}): {weights}, no KV cache")
    many = "1 sequence" if asked.sequences == 1 else f"{asked.sequences:,} sequences"
    return [
        *wrap(f"{model.title} in {asked.precision} ({size}), {many} of {asked.context:,} tokens"),
        *wrap(
            f"{weights}; KV cache {_gb(takes.kv_gb_per_sequence)} a sequence, "
            f"{takes.kv_bytes_per_token:,.0f} bytes a token; runtime {OVERHEAD_GB:g} GB a card"
        ),
    ]


def _nowhere(found: Sequence[Fit]) -> str:
    nearest = min(found, key=lambda fit: fit.shortfall_gb)
    several = f", not even {nearest.most_cards} together" if nearest.most_cards > 1 else ""
    missing = f"{_gb(nearest.shortfall_gb)} on each" if several else _gb(nearest.shortfall_gb)
    if len(found) == 1:
        return f"INFEASIBLE: it does not fit the {nearest.card.title}{several}: short by {missing}."
    return (
        f"INFEASIBLE: it fits none of these {len(found)} cards{several}. The nearest, "
        f"{nearest.card.title}, is short by {missing}."
    )


def _row(fit: Fit) -> tuple[str, ...]:
    where = "no"
    if fit.cards is not None:
        where = f"{fit.cards} card{'s' if fit.cards > 1 else ''}"
        where += " !" if fit.unmeasured else ""
    return (
        fit.card.title,
        f"{fit.card.memory_gb:g}",
        f"{fit.usable_gb:.1f}",
        where,
        _size(fit.needed_gb),
        "-" if fit.sequences is None else _short(f"{fit.sequences:,}", fit.sequences),
        (fit.binding or "-").removesuffix(" overhead"),
        _size(fit.one_card_gb) if fit.one_card_gb else "-",
        "-"
        if fit.decode_bound is None
        else _short(significant(fit.decode_bound), fit.decode_bound),
    )


def _size(value: float) -> str:
    return _short(f"{value:,.1f}" if value < 1e4 else f"{value:,.0f}", value)


def _short(text: str, value: float) -> str:
    """A text of at most seven places, for a table that stays within its width."""
    return text if value < 1e6 else f"{value:.2g}"


def _of_the_cards(found: Sequence[Fit]) -> list[str]:
    notes = []
    unmeasured = [fit for fit in found if fit.unmeasured and fit.cards]
    if unmeasured:
        notes.append(f"! unmeasured: {not_a_pool(unmeasured[0])}")
    short = [fit for fit in found if fit.cards is None]
    if short:
        most = short[0].most_cards
        lack = "one card lacks" if most == 1 else f"{most} cards together lack, each,"
        each = ", ".join(f"{_gb(fit.shortfall_gb)} ({fit.card.title})" for fit in short)
        notes.append(f"no: {lack} {each}")
    boards = [fit.card for fit in found if fit.card.board_sizes != (1,)]
    if boards:
        sold = ", ".join(f"{c.title} {' or '.join(map(str, c.board_sizes))}" for c in boards)
        notes.append(f"sold on boards only, of so many: {sold}")
    return notes


def not_a_pool(fit: Fit) -> str:
    """Why several cards are not one large one."""
    assert fit.cards is not None
    card = fit.card
    joined = "no NVLink joins them" if card.linked == 1 else f"NVLink joins {card.linked} of them"
    return (
        f"{NUMBERS[fit.cards]} {card.title} are not one {fit.cards * card.memory_gb:g} GB pool "
        f"({joined}): it needs software that shards the model, and a throughput measured on them"
    )


def _counted(asked: Question) -> list[str]:
    model = asked.model
    notes = [
        f"usable: {USABLE_SHARE:g} of the memory; GB are 1e9 bytes, a card's as printed on it",
    ]
    if model.writes_text:
        notes.append(
            "needed a card: weights / cards + KV cache / min(cards, KV heads) + runtime; KV cache "
            "at 2 bytes a value, whatever the weights take"
        )
        notes.append(
            f"fits on: the fewest of at most {MOST_CARDS} cards that share out {model.heads} query "
            f"heads and {model.kv_heads} KV head{'s' if model.kv_heads > 1 else ''}"
        )
        notes.append("what binds: what keeps it from fewer cards; on one card, from more sequences")
        notes.append(
            "tokens/s at most: each step reads the active weights once and every cache, at the "
            "card's full memory bandwidth; a bound, no forecast"
        )
    else:
        notes.append(
            "needed a card: weights + runtime, on one card; what an image in the making takes "
            "beyond that is not counted, and context and sequences do not apply"
        )
    if asked.bytes_per_parameter < 1:
        notes.append("4-bit weights: their scales, a few per cent more, are not counted")
    if model.active_billion != model.parameters_billion:
        notes.append("weights: all experts are resident, whichever a token reads")
    if model.window and asked.context > model.window:
        notes.append(f"attention looks back {model.window:,} tokens: no more are kept")
    if model.longest_context and asked.context > model.longest_context:
        notes.append(
            f"warning: {asked.context:,} tokens are more than the {model.longest_context:,} that "
            "the model was made for"
        )
    about = model.source + (f"; {model.note}" if model.note else "")
    notes.append(f"model: {about}" if about else "model: as described on the command line")
    return [*notes, THIS_IS_THE_FIT]


def workloads() -> str:
    """The names that ``--workload`` takes."""
    rows = [(f"  {w.name}", w.title, w.advice) for w in card_choice.WORKLOADS]
    return "\n".join(
        [
            "Workloads, and the card recommended for each:",
            "",
            *table([*rows, ("  all", "all six", "")], left=3),
            "",
            "why:  tco fit --workload NAME",
        ]
    )


def chosen(name: str) -> str | None:
    """What ``--workload`` prints for a name: "all", "" for the list; None where it is unknown."""
    if name.lower() in ("", "help"):
        return workloads()
    asked = [w for w in card_choice.WORKLOADS if name.lower() in (w.name, "all")]
    return workload(asked) if asked else None


def workload(asked: Sequence[Workload]) -> str:
    """Each recommendation with what the cards hold and the reason."""
    lines: list[str] = []
    for one in asked:
        lines += [f"{one.title}: {one.advice}", ""]
        on = card_choice.COMPARED
        head = (
            ("  GB needed on each", *(card.title for card in on)),
            ("  usable of it", *(f"{card_choice.usable_gb(card):.1f}" for card in on)),
        )
        lines += table([*head, *(_load(load) for load in one.loads)])
        lines += ["", *wrap(one.reason(), first="  ", rest="  "), ""]
    notes = [
        "2 x 9.5: at least two cards, 9.5 GB on each; !: more than NVLink joins, so unmeasured",
        f"counted: weights or training state, KV cache, {OVERHEAD_GB:g} GB of runtime; activations "
        "of training are not",
        "recommendations: article A; the arithmetic is this tool's",
        THIS_IS_THE_FIT,
    ]
    for note in notes:
        lines += wrap(note, first="  ", rest="    ")
    return "\n".join(lines)


def _load(load: Load) -> tuple[str, ...]:
    return (f"  {load.label}", *(_held(card_choice.held(load, c)) for c in card_choice.COMPARED))


def _held(found: Held) -> str:
    if found.cards is None:
        return "no"
    return f"{found.cards} x {found.needed_gb:.1f}{' !' if found.unmeasured else ''}"


def _gb(value: float) -> str:
    return f"{significant(value)} GB"


def unknown_model(name: str) -> str:
    """A model that is not known: the nearest name, all names, and how to describe any other."""
    return _unknown("model", name, models.names(), f"any other:  {DESCRIBE}")


def unknown_card(name: str) -> str:
    """A card that is not known: the nearest name, all names, what an instance of a cloud holds."""
    held = instances.said_of(name)
    return _unknown("card", name, cards.names(), *(wrap(held) if held else ()))


def unknown_workload(name: str) -> str:
    """A workload that is not known: the nearest name and all names."""
    return _unknown("workload", name, [*(w.name for w in card_choice.WORKLOADS), "all"])


def _unknown(kind: str, name: str, names: Sequence[str], *more: str) -> str:
    close = get_close_matches(name.lower(), names, n=1)
    hint = f"; did you mean {close[0]}?" if close else ""
    listed = wrap(f"known: {', '.join(names)}", rest=" " * 7)
    return "\n".join([f"{printable(name)!r} is no known {kind}{hint}", *listed, *more])
