"""What a value of the file means: texts, names, dates and quantities, and the faults in them.

One ``Reading`` goes through the whole file. It knows what the checks of a single field need from
elsewhere (the reporting currency, the names of the options, ...) and collects every fault, so
that a file with ten mistakes is put right in one go.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any

from pydantic_core import PydanticCustomError

from tco.errors import ScenarioError, is_control
from tco.prices import cards, instances
from tco.scenario import kinds, quantities
from tco.scenario.document import (
    Block,
    Node,
    Scalar,
    describe,
    full_width_hint,
    nearest,
    path_step,
    shortened,
)
from tco.scenario.kinds import Kind
from tco.scenario.quantities import Amount, NotAQuantity

LONGEST_NAME = 80
LONGEST_TEXT = 500
MOST_FILES = 100  # that one number is read from
AMBIGUOUS = "ambiguous"
SET_NOTE = "set on the command line"
BASES = ("measured", "quoted", "published", "assumed")

# Words that other tools use, with the word that is meant.
INSTEAD = {
    "fx": "exchange_rates",
    "tokens": "output_tokens",
    "monthly_tokens": "output_tokens",
    "power": "active_power",
    "watts": "tdp",
    "tokens_per_second": "output_rate",
    "wacc": "discount_rate",
    "horizon": "months",
    "quantity": "count",
    "utilization": "utilisation",
    "load": "utilisation",
    "staff_hours": "staff_hours_per_month",
    "gpu": "own",
    "buy": "own",
    "costs": "other_costs",
}

BILLING_RATE = re.compile(r"([\d.]+) ?([A-Z]{3})/([A-Z]{3})")
SHA256 = re.compile(r"[0-9a-fA-F]{64}")


@dataclass(frozen=True)
class ReadFile:
    """A file that a number was read from: its path as written, the SHA-256 of its content then.

    The path starts from the folder of the scenario. It is a text: no file is opened while a
    scenario is loaded or run.
    """

    path: str
    sha256: str


class Rejected(PydanticCustomError):
    """Stops the reading of a field whose fault has been reported."""

    def __new__(cls) -> Rejected:
        """Stands for a fault that has been reported already."""
        return super().__new__(cls, "rejected", "reported already")


@dataclass
class Reading:
    """The context of one file while it is read; ``faults`` grows."""

    file: str
    currency: str = "USD"
    foreign: Collection[str] = ()
    options: Collection[str] = ()
    hardware: Mapping[str, Any] = field(default_factory=dict)
    has_staff_cost: bool = False
    has_start: bool = False
    has_exchange_rates: bool = False
    faults: list[ScenarioError] = field(default_factory=list)

    def report(
        self,
        node: Node,
        expected: str,
        next_step: str,
        *,
        found: str | None = None,
        below: str | None = None,
        path: str | None = None,
    ) -> None:
        """Note a fault at a node, or at a key that is missing ``below`` it."""
        typed = node.text if isinstance(node, Scalar) else ""
        path = path or node.path
        if below is not None:
            path = f"{path}.{below}" if path else below
        self.faults.append(
            ScenarioError(
                self.file,
                node.line,
                path or None,
                describe(node) if found is None else found,
                expected,
                full_width_hint(typed, node.line) or next_step,
            )
        )

    def reject(self, node: Node, expected: str, next_step: str, **details: Any) -> Rejected:
        """Note a fault; the caller raises what this returns."""
        self.report(node, expected, next_step, **details)
        return Rejected()

    def unknown_keys(self, block: Block, allowed: Collection[str]) -> set[str]:
        """Report the keys that may not stand in a block, and return them."""
        unknown = {key for key in block if key not in allowed}
        for key in unknown:
            node = block[key]
            self.faults.append(
                ScenarioError(
                    self.file,
                    node.line,
                    node.path,
                    f"the key {key}",
                    f"one of {', '.join(allowed)}",
                    full_width_hint(key, node.line) or self._instead_of(key, allowed),
                )
            )
        return unknown

    def _instead_of(self, key: str, allowed: Collection[str]) -> str:
        near = nearest(key, tuple(allowed))
        if INSTEAD.get(key) in allowed:
            near = INSTEAD[key]
        if near:
            return f"did you mean {near}?"
        return "delete the line, or use one of the words above"

    def block(self, node: Node, example: str) -> Block:
        """The node as keys with values."""
        if isinstance(node, Block):
            return node
        raise self.reject(node, f"keys with values, such as  {example}", f"write  {example}")

    def scalar(self, node: Node, expected: str, example: str) -> Scalar:
        """The node as one value that is not empty."""
        if not isinstance(node, Scalar):
            raise self.reject(node, expected, f"write one value, for example  {example}")
        if node.is_empty:
            raise self.reject(
                node, expected, f"write a value, for example  {example}, or delete the line"
            )
        return node

    def text(self, node: Node, longest: int = LONGEST_TEXT) -> str:
        """A text for people: no control characters, not too long."""
        expected = f"a text of at most {longest} characters"
        value = self.scalar(node, expected, "a short text").text.strip()
        # A block text may break its lines; every output has it on one.
        value = re.sub(r"[\r\n\t]+", " ", value) if longest == LONGEST_TEXT else value
        control = _first_control(value)
        if control is not None:
            raise self.reject(
                node,
                "a text without control characters",
                "delete the character, which is shown as an escape here",
            )
        if len(value) > longest:
            raise self.reject(
                node,
                expected,
                f"shorten it by {len(value) - longest} characters",
                found=f"{len(value)} characters: {value[:40]} ...",
            )
        return value

    def name(self, node: Node) -> str:
        """A name that is shown in tables and on sheets."""
        value = self.text(node, LONGEST_NAME)
        if not value:
            raise self.reject(node, "a name", "write at least one character")
        return value

    def names(self, block: Block, what: str, longest: int = LONGEST_NAME) -> None:
        """Report the keys of a block that are no names for options, cards or cases."""
        for key, node in block.items():
            if _first_control(key) is not None:
                self.report(
                    node,
                    f"a name of {what} without control characters",
                    "delete the character, which is shown as an escape here",
                    found=key[:longest],
                )
            elif len(key) > longest:
                self.report(
                    node,
                    f"a name of {what} of at most {longest} characters",
                    "shorten the name; a note or a comment may say the rest",
                    found=f"a name of {len(key)} characters: {key[:40]} ...",
                    path=f"{block.path}.{key[:20]}...",
                )
            elif not key or key != key.strip():
                self.report(
                    node,
                    f"a name of {what} that does not begin or end with a space",
                    "delete the spaces at its ends, or write a name",
                    found=f'the name "{key}"',
                )

    def word(self, node: Node, allowed: Collection[str], later: Mapping[str, str]) -> str:
        """One of a few words."""
        expected = " or ".join(allowed) if len(allowed) < 3 else f"one of {', '.join(allowed)}"
        value = self.scalar(node, expected, next(iter(allowed))).text
        if value in allowed:
            return value
        if value in later:
            raise self.reject(node, expected, later[value])
        near = nearest(value, tuple(allowed))
        raise self.reject(
            node, expected, f"did you mean {near}?" if near else "write one of these words"
        )

    def card(self, node: Node) -> str:
        """The name of a card that is known or described under ``hardware``."""
        value = self.name(node)
        if value in self.hardware or cards.card(value) is not None:
            return value
        known = (*self.hardware, *(name for name in cards.names() if name not in self.hardware))
        near = nearest(value, known)
        define = f"hardware: {{{path_step(value, Block(None))}: {{tdp: 450 W}}}}"
        hint = f"did you mean {near}? Otherwise describe" if near else "describe"
        held = instances.said_of(value)
        if held is not None:
            hint = f"{held}. Name one of these cards, or describe"
        raise self.reject(
            node,
            f"a card that is known: {', '.join(known)}",
            f"{hint} your own card with  {define}",
        )

    def option_name(self, node: Node) -> str:
        """The name of an option of this file."""
        value = self.name(node)
        if value in self.options:
            return value
        near = nearest(value, tuple(self.options))
        raise self.reject(
            node,
            f"the name of an option: {', '.join(self.options) or 'there are none'}",
            f"did you mean {near}?" if near else "write one of these names",
        )

    def reporting_currency(self, node: Node) -> str:
        """A currency by its three letters."""
        value = self.scalar(node, "a currency", "USD").text
        currency = quantities.currency_of(value)
        if currency == quantities.YUAN_OR_YEN:
            raise self.reject(node, "one currency", "write CNY for yuan or JPY for yen")
        if currency is None:
            near = nearest(value, tuple(sorted(quantities.CURRENCIES))) if len(value) < 5 else None
            raise self.reject(
                node,
                "a currency by its three letters, such as USD, EUR or CNY",
                f"did you mean {near}?" if near else "write for example  USD",
            )
        return currency

    def month(self, node: Node) -> str:
        """A month of the calendar, ``2026-12``."""
        value = self.scalar(node, "a month", "2026-12").text
        if re.fullmatch(r"(19|20|21)\d\d-(0[1-9]|1[0-2])", value, re.ASCII):
            return value
        raise self.reject(
            node, "a month as year and month, from 1900-01 to 2199-12", "write for example  2026-12"
        )

    def day(self, node: Node) -> str:
        """A day of the calendar, ``2026-11-30``."""
        value = self.scalar(node, "a day", "2026-11-30").text
        if is_day(value):
            return value
        raise self.reject(node, "a day as year, month and day", "write for example  2026-11-30")

    def as_of(self, node: Node) -> str:
        """The day or month of a number."""
        value = self.scalar(node, "a day or a month", "2026-11-30").text
        if is_day(value) or re.fullmatch(r"(19|20|21)\d\d-(0[1-9]|1[0-2])", value, re.ASCII):
            return value
        raise self.reject(node, "a day or a month", "write for example  2026-11-30  or  2026-11")

    def amount(self, node: Node, kind: Kind, later: Mapping[str, str] | None = None) -> Amount:
        """One number with its unit."""
        scalar = self.scalar(node, kind.expected, kind.example)
        if scalar.is_boolean:
            raise self.reject(node, kind.expected, f"write a number, for example  {kind.example}")
        if later and scalar.text in later:
            raise self.reject(node, kind.expected, later[scalar.text])
        try:
            amount = quantities.parse(scalar.text, kind)
        except NotAQuantity as error:
            raise self.reject(node, error.expected, error.next_step) from None
        return Amount(amount.value, self.spendable(node, amount.currency))

    def spendable(self, node: Node, currency: str | None) -> str | None:
        """The currency of an amount, once it is sure that it can be converted."""
        if currency == quantities.YUAN_OR_YEN:
            if self.currency not in ("CNY", "JPY"):
                raise self.reject(
                    node,
                    "one currency: ¥ is yuan and yen alike",
                    "write CNY or 元 for yuan, JPY for yen",
                )
            currency = self.currency
        if currency in (None, self.currency) or currency in self.foreign:
            return currency
        line = f"{currency}: ...  # {currency} for one {self.currency}"
        raise self.reject(
            node,
            f"an amount in {self.currency}, or an exchange rate for {currency}",
            f"add under exchange_rates the line  {line}"
            if self.has_exchange_rates
            else f"add the line  exchange_rates: {{{currency}: ...}}  "
            f"with the number of {currency} for one {self.currency}",
        )

    def quantity(
        self, node: Node, kind: Kind, later: Mapping[str, str] | None = None
    ) -> dict[str, Any]:
        """The fields of a ``Quantity`` of this kind."""
        value, provenance = self._opened(node, ("value",), ("low", "high"), kind)
        amount = self.amount(value, kind, later)
        fields = self.provenance(provenance, kind, value)
        low, high = self._range(provenance, kind, amount, value)
        if kind is kinds.STAFF_HOURS and amount.value > 0 and not self.has_staff_cost:
            raise self.reject(
                value,
                "the cost of an hour of work when hours of work are given",
                f"add the line  staff: {{hourly_cost: ...}}  in {self.currency} for one hour",
            )
        return {
            **fields,
            "value": amount.value,
            "currency": self._one_currency(value, amount.currency, fields.get("currency")),
            "low": low,
            "high": high,
            "path": node.path,
            "line": value.line,
            "text": value.text,
        }

    def exchange_rate(self, node: Node, foreign: str) -> dict[str, Any]:
        """The fields of the ``Quantity`` of an exchange rate, in ``foreign`` for one unit."""
        value, block = self._opened(node, ("value",), ("low", "high"), kinds.EXCHANGE_RATE)
        fields = self.provenance(block, kinds.EXCHANGE_RATE, value)
        example = f"7.10 {foreign}/{self.currency}"
        rates: list[float | None] = []
        inverse = False
        for part in (value, block.get("low"), block.get("high")):
            if part is None:
                rates.append(None)
                continue
            scalar = self.scalar(part, kinds.EXCHANGE_RATE.expected, example)
            try:
                rate, inverted = quantities.parse_exchange_rate(scalar.text, foreign, self.currency)
                if part is value:
                    inverse = inverted
                elif inverse and not inverted and "/" not in scalar.text:
                    # A bare bound beside an inverted value is inverted like its value.
                    rate = quantities.within(1 / rate, kinds.EXCHANGE_RATE)
            except NotAQuantity as error:
                raise self.reject(part, error.expected, error.next_step) from None
            rates.append(rate)
        middle, low, high = rates
        if inverse:
            low, high = high, low
        assert middle is not None
        low, high = self._bracket(block, value, low, middle, high)
        return {
            **fields,
            "value": middle,
            "currency": None,
            "low": low,
            "high": high,
            "path": node.path,
            "line": value.line,
            "text": value.text,
        }

    def billing_rate(self, node: Node) -> dict[str, Any]:
        """The fields of the ``Quantity`` of a billing rate: units billed for one of the list."""
        expected = "what is billed for one unit of the list price, with both currencies"
        example = "1 CNY/USD"
        value, block = self._opened(
            node, ("value",), (), replace(kinds.FACTOR, expected=expected, example=example)
        )
        fields = self.provenance(block, kinds.FACTOR, value)
        match = BILLING_RATE.fullmatch(quantities.normalised(value.text))
        if match is None or not {match[2], match[3]} <= quantities.CURRENCIES:
            raise self.reject(value, expected, f"write for example  {example}")
        try:
            amount = quantities.parse(match[1], kinds.FACTOR)
        except NotAQuantity as error:
            next_step = error.next_step.replace(kinds.FACTOR.example, example)
            raise self.reject(value, error.expected, next_step) from None
        billed, listed = match[2], match[3]
        return {
            "note": f"billed in {billed} for {listed} of the list",
            **fields,
            "value": amount.value,
            "currency": self.spendable(value, billed),
            "path": node.path,
            "line": value.line,
            "text": f"{match[1]} {billed}/{listed}",
        }

    def rental_price(self, node: Node, later: Mapping[str, str]) -> dict[str, dict[str, Any]]:
        """The fields of the quantities of a rental price, by their names."""
        kind = kinds.MONEY_PER_GPU_HOUR
        others = ("minimum", "p25", "p75")
        beside = [name for name in others if isinstance(node, Block) and name in node]
        if beside and isinstance(node, Block) and not {"median", "value"} & set(node):
            raise self.reject(
                node,
                "the median, which renting is planned with: "
                f"the {' and the '.join(beside)} only stand{'s'[len(beside) - 1 :]} beside it",
                f"add  median: {kind.example}  with your own number",
                found=f"{' and '.join(beside)} alone",
                below="median",
            )
        middle, block = self._opened(node, ("median", "value"), (*others, "low", "high"), kind)
        parts = {"median": middle, **{name: block[name] for name in others if name in block}}
        prices: dict[str, dict[str, Any]] = {}
        for name, part in parts.items():
            number, own = part, Block(part.line, part.path)
            if name == "minimum":
                # one offer may be of another day than the others
                number, own = self._opened(part, ("value",), (), kind)
            amount = self.amount(number, kind, later)
            fields = self.provenance(block, kind, number) | self.provenance(own, kind, number)
            prices[name] = {
                **fields,
                "value": amount.value,
                "currency": self._one_currency(number, amount.currency, fields.get("currency")),
                "path": part.path,
                "line": part.line,
                "text": number.text if isinstance(number, Scalar) else "",
            }
        median = prices["median"]
        low, high = self._range(block, kind, Amount(median["value"]), middle)
        median.update(low=low, high=high)
        ordered = [name for name in ("minimum", "p25", "median", "p75") if name in prices]
        for lower, higher in pairwise(ordered):
            # amounts of two currencies are not compared: the rates are read elsewhere
            alike = prices[lower]["currency"] == prices[higher]["currency"]
            if alike and prices[lower]["value"] > prices[higher]["value"]:
                raise self.reject(
                    parts[lower],
                    f"a {lower} that is not above the {higher} of {parts_text(parts[higher])}",
                    "exchange the two, or correct one of them",
                )
        return prices

    def files(self, node: Node) -> tuple[ReadFile, ...]:
        """The files that a number was read from, each with the SHA-256 of its content then."""
        block = self.block(node, "{logs/gpu.csv: SHA-256 of its content}")
        if not block:
            raise self.reject(
                node, "at least one file", "name the file, or delete the line", found="no file"
            )
        if len(block) > MOST_FILES:
            raise self.reject(
                node,
                f"at most {MOST_FILES} files of one number",
                "put them together into fewer files, and read those",
                found=f"{len(block)} files",
            )
        faults = len(self.faults)
        self.names(block, "a file", LONGEST_TEXT)
        for node in block.values():
            if isinstance(node, Scalar) and SHA256.fullmatch(node.text):
                continue
            typed = node.text if isinstance(node, Scalar) else ""
            digits = re.fullmatch("[0-9a-fA-F]{8,}", typed)  # too many to count at a glance
            self.report(
                node,
                "the SHA-256 of the file's content: 64 hexadecimal digits",
                "tco read FILE --into SCENARIO  writes it, and  sha256sum FILE  prints it",
                found=f"{len(digits[0])} digits: {shortened(digits[0], 40)}" if digits else None,
            )
        if len(self.faults) > faults:
            raise Rejected()
        return tuple(ReadFile(path, parts_text(sha256).lower()) for path, sha256 in block.items())

    def provenance(self, block: Block, kind: Kind, value: Node) -> dict[str, Any]:
        """Source, date, basis, files, note and currency that stand beside a value."""
        fields: dict[str, Any] = {}
        for key in ("source", "note"):
            if key in block:
                fields[key] = self.text(block[key])
        if "as_of" in block:
            fields["as_of"] = self.as_of(block["as_of"])
        if "basis" in block:
            fields["basis"] = self.word(block["basis"], BASES, {})
        if "files" in block:
            fields["files"] = self.files(block["files"])
        if "currency" in block:
            node = block["currency"]
            if not kind.money:
                raise self.reject(
                    node, f"no currency: the field takes {kind.title}", "delete the key currency"
                )
            if isinstance(node, Scalar) and node.text == AMBIGUOUS:
                raise self.reject(
                    node,
                    "one currency: both readings are made of an API's prices only",
                    "write the currency, or make the two readings two options",
                )
            fields["currency"] = self.spendable(node, self.reporting_currency(node))
        if value.line is None:
            # What the file says about its own number does not hold for another one.
            for key in OF_A_NUMBER:
                if key in fields and block[key].line is not None:
                    del fields[key]
            fields.setdefault("note", SET_NOTE)
        return fields

    def _opened(
        self, node: Node, keys: tuple[str, ...], others: tuple[str, ...], kind: Kind
    ) -> tuple[Scalar, Block]:
        """The value of a quantity and the block around it, which may be missing."""
        if not isinstance(node, Block):
            return self.scalar(node, kind.expected, kind.example), Block(node.line, node.path)
        allowed = (keys[0], *others, *PROVENANCE)
        unknown = self.unknown_keys(node, (*keys, *allowed[1:]))
        given = [key for key in keys if key in node]
        if not given and not unknown:
            self.report(
                node,
                kind.expected,
                f"add  {keys[0]}: {kind.example}  with your own number",
                found="nothing",
                below=keys[0],
            )
        if len(given) > 1:
            self.report(node, "one of the two", f"delete {given[1]}", found=" and ".join(given))
        if unknown or len(given) != 1:
            raise Rejected()
        return self.scalar(node[given[0]], kind.expected, kind.example), node

    def _range(
        self, block: Block, kind: Kind, amount: Amount, value: Scalar
    ) -> tuple[float | None, float | None]:
        bounds: list[float | None] = []
        for key in ("low", "high"):
            if key not in block:
                bounds.append(None)
                continue
            bound = self.amount(block[key], kind)
            if bound.currency != amount.currency and bound.currency is not None:
                self._one_currency(block[key], bound.currency, amount.currency or self.currency)
            bounds.append(bound.value)
        return self._bracket(block, value, bounds[0], amount.value, bounds[1])

    def _bracket(
        self, block: Block, value: Scalar, low: float | None, middle: float, high: float | None
    ) -> tuple[float | None, float | None]:
        if low is not None and high is not None and low > high:
            raise self.reject(
                block["low"],
                f"a low that is not above the high of {parts_text(block['high'])}",
                "exchange low and high",
            )
        outside = (low is not None and middle < low) or (high is not None and middle > high)
        if outside and value.line is None:
            # The range belonged to the number of the file.
            return None, None
        if outside:
            bounds = " and ".join(
                f"{key} {parts_text(block[key])}" for key in ("low", "high") if key in block
            )
            raise self.reject(
                value,
                f"a value that is not outside its {bounds}",
                "widen low and high, or correct the value",
            )
        return low, high

    def _one_currency(self, node: Node, typed: str | None, beside: str | None) -> str | None:
        if typed and beside and typed != beside:
            raise self.reject(
                node, f"an amount in {beside}, as the other amounts beside it", "use one currency"
            )
        return typed or beside


# what may be said of a number, and of an amount of money
OF_A_NUMBER = ("source", "as_of", "basis", "files", "note")
PROVENANCE = (*OF_A_NUMBER, "currency")


def is_day(text: str) -> bool:
    """Whether a text is a day of the calendar, ``2026-11-30``."""
    if not re.fullmatch(r"(19|20|21)\d\d-\d\d-\d\d", text, re.ASCII):
        return False
    try:
        datetime.date.fromisoformat(text)
    except ValueError:
        return False
    return True


def parts_text(node: Node) -> str:
    """A value as typed, for a message that names two values."""
    return node.text if isinstance(node, Scalar) else describe(node)


def _first_control(text: str) -> str | None:
    return next((character for character in text if is_control(character)), None)
