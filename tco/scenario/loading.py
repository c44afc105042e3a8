"""From a scenario file to a ``Scenario``, or to all the faults that stand in the way."""

from __future__ import annotations

import copy
import os
from collections.abc import Sequence
from typing import Any

from pydantic import ValidationError

from tco.errors import ScenarioError, ScenarioErrors
from tco.scenario import quantities
from tco.scenario import settings as command_line
from tco.scenario.ambiguous import both_readings
from tco.scenario.book import with_list_prices, write_prices
from tco.scenario.cases import CASES, in_each_case
from tco.scenario.document import Block, Document, Node, Scalar, parse, place, read_bytes, walk
from tco.scenario.document import digest as digest_of
from tco.scenario.likeness import resolve
from tco.scenario.reading import Reading
from tco.scenario.schema import Scenario

# What a required key is for and an example of it; with a dot, the key of one block.
REQUIRED = {
    ".name": ("a name, which is the title of every output", "name: Two cards or an API?"),
    "name": ("a name", "name: rack space"),
    "options": ("the options to compare", "options: {api: {api: gpt-4o, output_price: 15}}"),
    "count": ("the number of cards", "count: 2"),
    "amount": ("the amount of the cost", "amount: 50"),
    "month": ("the first month it holds for", "month: 13"),
    "factor": ("how many times the work of month 1", "factor: 1.5"),
    "prompt_tokens": ("the tokens of a prompt", "prompt_tokens: 4k"),
    "share": ("a share", "share: 30%"),
    "output_rate": ("the output tokens a second that were measured", "output_rate: 2400"),
    "price": ("a price", "price: 10"),
    "term_months": ("the months of a term", "term_months: 12"),
    "hours_between_interruptions": (
        "the mean hours between interruptions",
        "hours_between_interruptions: 8",
    ),
    "per_month": ("a number a month", "per_month: 20"),
    "gb": ("the gigabytes that are kept", "gb: 500"),
    "gb_per_month": ("the gigabytes a month", "gb_per_month: 200"),
    "balance": ("the balance", "balance: 200"),
    "above": ("the tokens of a prompt above which it is dearer", "above: 200k"),
    "discount": ("what is taken off the price", "discount: 50%"),
    "rate": ("a rate", "rate: 6%"),
    "parameters": ("the parameters of the model", "parameters: 8 B"),
    "layers": ("the layers of the model", "layers: 32"),
    "heads": ("the query heads of the model", "heads: 32"),
    "kv_heads": ("the key-value heads of the model", "kv_heads: 8"),
    "head_dim": ("the size of a head", "head_dim: 128"),
    "published.per_month": ("the money a month that was printed", "per_month: 168"),
    "items.name": ("what the item is", "name: servers"),
    "items.amount": ("what the item costs", "amount: 120000"),
    "tax.rate": ("the rate of the tax", "rate: 25%"),
    "loan.rate": ("the nominal rate of a year", "rate: 8%"),
    "lease.rate": ("the nominal rate of a year at which money could be borrowed", "rate: 8%"),
    "items": ("the items of the quote", "items: [{name: servers, amount: 120000}]"),
    "resale_value": ("what one card could be sold for now", "resale_value: 900"),
    "after_months": ("the months after which cards are replaced", "after_months: 36"),
    "share_per_year": ("a share a year", "share_per_year: 5%"),
    "price_per_year": ("the price of one card for a year", "price_per_year: 4500"),
    "months": ("a number of months", "months: 36"),
    "payment": ("what is paid each month", "payment: 900"),
    "kind": ("whether electricity is paid on top (metered) or not (all-in)", "kind: metered"),
    "kw": ("kilowatts", "kw: 10"),
    "steps.factor": ("how many times the first price", "factor: 0.8"),
    "between": (
        "two numbers that have a low or a high, by their paths",
        "between: [options.rent.price, options.own.price]",
    ),
    "correlation": ("a correlation from -1 to 1", "correlation: 60%"),
    "per": ("how often the cost comes: once, month or year", "per: month"),
}


def load(path: str | os.PathLike[str], settings: Sequence[str] = ()) -> Scenario:
    """Read a scenario file; each of ``settings`` is a ``PATH=VALUE`` that changes it first.

    Raises ``ScenarioErrors`` with every fault of the file.
    """
    file = os.fspath(path)
    return read(read_bytes(file), file, settings)


def read(content: bytes, file: str, settings: Sequence[str] = ()) -> Scenario:
    """Read the bytes of a scenario; ``file`` is the name for messages.

    Raises ``ScenarioErrors`` with every fault.

    >>> read(b"name: a\\noptions: {b: {api: c, output_price: 15}}", "a.yaml").options["b"].name
    'b'
    """
    document = parse(content, file)
    untouched = copy.deepcopy(document.root) if CASES in document.root else None
    faults = [*document.faults, *command_line.apply(document.root, settings, file)]
    given = document.root.get(CASES)
    scenario = _read_tree(document, settings, faults)
    if isinstance(given, Block) and untouched is not None:

        def read_case(root: Block) -> Scenario:
            return _read_tree(Document(file, root, ()), settings, [])

        scenario.have_cases(in_each_case(untouched, given, settings, file, read_case))
    return scenario


def _read_tree(
    document: Document, settings: Sequence[str], faults: list[ScenarioError]
) -> Scenario:
    """The scenario of a tree in which ``settings`` are made already.

    Raises ``ScenarioErrors`` with its faults and those found before.
    """
    file = document.file
    place(document.root)
    faults += resolve(document.root, file)
    faults += both_readings(document.root, file)
    faults += write_prices(document.root, file)
    reading = _reading_of(document)
    scenario = None
    try:
        scenario = Scenario.model_validate(document.root, context=reading)
    except ValidationError as error:
        faults += [
            _fault_of(detail, file) for detail in error.errors() if detail["type"] != "rejected"
        ]
    faults += reading.faults
    if faults or scenario is None:
        # what several options take from one place is wrong once
        raise ScenarioErrors({str(fault): fault for fault in faults}.values())
    lines = {
        node.path: node.line for node in walk(document.root) if node.path and node.line is not None
    }
    scenario.come_from(file, digest_of(document.root), tuple(settings), lines)
    priced = with_list_prices(scenario, faults)
    if faults:
        raise ScenarioErrors(faults)
    return priced


def _reading_of(document: Document) -> Reading:
    root = document.root
    currency = root.get("currency")
    code = quantities.currency_of(currency.text) if isinstance(currency, Scalar) else None
    hourly_cost = _keys(root.get("staff")).get("hourly_cost")
    return Reading(
        file=document.file,
        currency=code if code is not None and code in quantities.CURRENCIES else "USD",
        foreign=tuple(_keys(root.get("exchange_rates"))),
        options=tuple(_keys(root.get("options"))),
        hardware=_keys(root.get("hardware")),
        has_staff_cost=hourly_cost is not None,
        has_start="start" in root,
        has_exchange_rates="exchange_rates" in root,
    )


def _keys(node: Node | None) -> Block:
    return node if isinstance(node, Block) else Block(None)


def _fault_of(detail: Any, file: str) -> ScenarioError:
    node = detail["input"]
    if detail["type"] == "missing" and isinstance(node, Block):
        name = str(detail["loc"][-1])
        # the block, or the list of blocks, that lacks it
        holder = node.path.rpartition(".")[2].partition("[")[0]
        expected, example = REQUIRED.get(f"{holder}.{name}") or REQUIRED[name]
        return ScenarioError(
            file,
            node.line,
            f"{node.path}.{name}" if node.path else name,
            "nothing",
            expected,
            f"add for example  {example}",
        )
    # Every other fault is reported by the reading of the field; this one would be a gap in it.
    field = ".".join(str(part) for part in detail["loc"])
    return ScenarioError(
        file, getattr(node, "line", None), field, str(detail["msg"]), "a valid value", "correct it"
    )
