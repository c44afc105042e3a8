"""How the numbers are known that a result rests on: measured, quoted, assumed, not given."""

from __future__ import annotations

from collections.abc import Iterator

from tco.analysis.figures import exact, price, share, tokens
from tco.analysis.files import Origin, origin, origin_of, shape_words
from tco.analysis.ownership import owned, said
from tco.results import Result
from tco.scenario.inputs import DEFINITION, FIELDS, STRUCTURAL, Input

BASES = ("measured", "quoted", "published", "assumed", "not stated", "known", "solved", "default")


def rests_on(result: Result) -> Iterator[tuple[str, str]]:
    """The inputs by how they are known: the basis, and the inputs in words."""
    found: dict[str, list[Input]] = {}
    for given in result.model.numbers:
        if given.kind not in (DEFINITION, STRUCTURAL):
            found.setdefault(given.basis, []).append(given)
    for basis in BASES:
        inputs = found.get(basis, [])
        if basis == "default":
            inputs = [given for given in inputs if given.value != 0]
        words = list(_named(result, [given for given in inputs if origin(result, given) is None]))
        words += _read(result, inputs, basis)
        if basis == "default":
            words += conventions_taken(result)
        if words:
            yield _basis_text(basis), "; ".join(words)
        elif basis == "measured":
            yield basis, "no input"


def _read(result: Result, inputs: list[Input], basis: str) -> Iterator[str]:
    """The inputs that were read from files, with those files and their day; the load with them."""
    groups: dict[Origin | None, list[Input]] = {}
    for given in inputs:
        if (found := origin(result, given)) is not None:
            groups.setdefault(found, []).append(given)
    load = result.scenario.demand.load if result.scenario.demand else None
    if load is not None and (load.basis or load.files) and (load.basis or "not stated") == basis:
        groups.setdefault(origin_of(load), [])
    else:
        load = None
    for found, group in groups.items():
        words = list(_named(result, group))
        if load is not None and origin_of(load) == found:
            words.append(shape_words(load))
        yield ", ".join(words) + (f" {found.words(basis)}" if found else "")


def conventions_taken(result: Result) -> Iterator[str]:
    """The conventions that hold because the scenario names no other."""
    scenario = result.scenario
    if "cash_timing" not in scenario.model_fields_set:
        yield "cash at month ends"
    holders = list(owned(result))
    if any(said(result, given, "depreciation") is None for _, _, given in holders):
        yield "straight-line depreciation"
    parts = [said(result, given, "purchase") for _, _, given in holders]
    vats = [part.vat for part in parts if part is not None and part.vat is not None]
    if any("recoverable" not in vat.model_fields_set for vat in vats):
        yield "value-added tax on the purchase is got back"
    tax = scenario.tax
    if tax is None:
        return
    if scenario.start is not None and "fiscal_year_end" not in scenario.model_fields_set:
        yield "fiscal year to December"
    if "paid" not in tax.model_fields_set:
        yield "tax settled after the fiscal year"
    if "losses" not in tax.model_fields_set:
        yield "losses used elsewhere"
    ways = (said(result, given, "tax_depreciation") for _, _, given in holders)
    if tax.depreciation is None and any(way is None for way in ways):
        yield "deducted for tax as in the books"


def _basis_text(basis: str) -> str:
    words = {
        "not stated": "basis not stated",
        "known": "known of cards and models",
        "solved": "solved before the months are run",
        "default": "default, not given",
    }
    return words.get(basis, basis)


def _named(result: Result, inputs: list[Input]) -> Iterator[str]:
    """Inputs in words: one with its value, several of a kind with their number."""
    kinds: dict[str, list[Input]] = {}
    for given in inputs:
        kinds.setdefault(field_label(given), []).append(given)
    for label, group in kinds.items():
        values = list(dict.fromkeys(value_text(result, given) for given in group))
        if len(values) == 1:
            yield f"{label} {values[0]}"
        else:
            yield f"{label} ({', '.join(values[:5])}{', ...' if values[5:] else ''})"


def field_label(given: Input) -> str:
    """What an input is, in the middle of a sentence, without whose it is."""
    labels = [field.label for field in FIELDS.values()]
    matching = [x for x in labels if given.label == x or given.label.startswith(f"{x}, ")]
    label = max(matching, key=len) if matching else given.label.partition(", row ")[0]
    if label == FIELDS["amount"].label:
        return given.label.removeprefix(f"{label}, ")
    return label[0].lower() + label[1:] if label[1:2].islower() else label


def label_with_owner(given: Input) -> str:
    """What an input is, in the middle of a sentence, with whose it is."""
    label, whole = field_label(given), given.label
    owner = whole[len(label) + 2 :] if whole.lower().startswith(label.lower()) else ""
    return f"{label} ({owner})" if owner else label


def value_text(result: Result, given: Input) -> str:
    """The value of an input, with as much of its unit as its label leaves open."""
    unit = given.unit_text
    if unit.startswith("fraction"):
        return f"{share(given.value)}{' a year' if unit.endswith('year') else ''}"
    if unit == "tokens/month":
        return tokens(given.value)
    currency, _, per = unit.partition("/")
    quoted = given.quantity.currency if given.quantity else None
    if given.name.startswith("fx_"):
        return f"{exact(given.value)} {unit}"
    if currency == (quoted or result.currency):
        return price(given.value, currency) + ("/kWh" if per == "kWh" else "")
    known = {
        "W/GPU": " W",
        "tokens/s/GPU": " tokens/s",
        "tokens/s": " tokens/s",
        "months": " months",
        "billion": " billion",
        "GB": " GB",
        "kW": " kW",
        "days": " days",
        "hours": " hours",
        "GPU-hours": " hours",
    }
    if unit == "months" and given.label.startswith("Months"):
        return exact(given.value)
    return exact(given.value) + known.get(unit, "")
