"""One printed number that may be of two currencies: both readings, as two options.

A price of an API with ``currency: ambiguous`` makes two options of its option, one for the
reporting currency and one for each currency with an exchange rate.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator

from tco.errors import ScenarioError
from tco.scenario import quantities
from tco.scenario.document import Block, Items, Node, Scalar
from tco.scenario.reading import AMBIGUOUS


def both_readings(root: Block, file: str) -> list[ScenarioError]:
    """Replace each ambiguous option of a file by its readings; the faults that stand in the way."""
    options = root.get("options")
    if not isinstance(options, Block):
        return []
    faults: list[ScenarioError] = []
    read: dict[str, Node] = {}
    for name, option in options.items():
        doubtful = list(_ambiguous(option))
        if not doubtful:
            read[name] = option
            continue
        currencies = _currencies(root)
        if len(currencies) < 2:
            faults.append(
                ScenarioError(
                    file,
                    doubtful[0].line,
                    doubtful[0].path,
                    AMBIGUOUS,
                    "an exchange rate, so that there are two readings",
                    "add the line  exchange_rates: {CNY: 7.10}  with your own number",
                )
            )
            # one error is enough: read it in the reporting currency for the rest of the file
            currencies = currencies[:1]
        for currency in currencies:
            reading = copy.deepcopy(option)
            for node in _ambiguous(reading):
                node.text = currency
            read[f"{name} (as {currency})"] = reading
    options.clear()
    options.update(read)
    return faults


def _currencies(root: Block) -> list[str]:
    given = root.get("currency")
    code = quantities.currency_of(given.text) if isinstance(given, Scalar) else "USD"
    rates = root.get("exchange_rates")
    return [code or "USD", *(rates if isinstance(rates, Block) else ())]


def _ambiguous(option: Node) -> Iterator[Scalar]:
    """The currencies of an option's API prices that are said to be ambiguous."""
    supplies = option if isinstance(option, Items) else [option]
    for supply in supplies:
        if not isinstance(supply, Block) or "api" not in supply:
            continue
        for price in supply.values():
            currency = price.get("currency") if isinstance(price, Block) else None
            if isinstance(currency, Scalar) and currency.text == AMBIGUOUS:
                yield currency
