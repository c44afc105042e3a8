"""A question of one line as a scenario: ``tco ask --tokens 30M --own "2x RTX 4090@1599" ...``.

Only what was said is written, with its words; comments say what was not. Values are read as those
of a file are, and a fault names the word of the command line that it stands behind.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from tco.errors import ScenarioError, ScenarioErrors
from tco.prices import cards, instances
from tco.scenario.document import nearest
from tco.scenario.loading import read
from tco.scenario.quantities import normalised

ASKED = "tco ask"
OWN, RENT, API = "2x RTX 4090@1599", "2x RTX 4090@0.49", "gpt-4o@15"
# words on a price list that do not tell one card from another
MAKERS = {"nvidia", "geforce", "amd", "instinct", "tesla", "gpu", "gpus"}
# words of a card's name that may be left out where one card alone is meant
UNDERSTOOD = {"rtx", "sxm", "pcie"}


@dataclass(frozen=True)
class _Line:
    """One option of the file: its name, what stands under it, a comment, what it was asked by."""

    name: str
    supply: str
    comment: str
    flag: str


@dataclass(frozen=True)
class _Cards:
    """Cards as typed: how many, which, and the price behind the @ (None if there is none)."""

    count: str
    card: str
    price: str | None

    @property
    def name(self) -> str:
        return f"{self.count}x-{self.card}"


def ask(
    *,
    tokens: str | None = None,
    input_tokens: str | None = None,
    own: Sequence[str] = (),
    rent: Sequence[str] = (),
    api: Sequence[str] = (),
    months: str | None = None,
    electricity: str | None = None,
    currency: str | None = None,
) -> str:
    """The text of the scenario that was asked about; it can be read.

    Raises ``ScenarioErrors`` that name the words of the command line.

    >>> text = ask(tokens="30M", own=["2x RTX 4090@1599"], rent=["0.49"], api=["15"])
    >>> print(text[text.index("demand") :], end="")
    demand: {output_tokens: 30M}  # a month
    # No input tokens are given: none are read or billed.
    # No price of electricity is given: none is counted.
    options:
      own-2x-rtx-4090: {own: rtx-4090, count: 2, price: 1599}  # the price of one card
      rent-2x-rtx-4090: {rent: rtx-4090, count: 2, price: 0.49}  # a GPU-hour; all hours are paid
      api: {api: api, output_price: 15}  # a million output tokens
    # No output_rate of the cards is given: whether they can serve the tokens is not checked.
    # No hours of work are given: none are counted.
    """
    owned = [_cards_of(text, "--own", OWN) for text in own]
    lines = _named(
        [
            *(_owned(found, text) for found, text in zip(owned, own, strict=True)),
            *(line for text in rent for line in _rented(text, owned)),
            *(_called(text, input_tokens is not None) for text in api),
        ]
    )
    if not lines:
        raise _refused(
            "--own, --rent, --api",
            "nothing",
            "at least one of them: what the tokens could be served by",
            f'write for example  --own "{OWN}" --rent 0.49 --api 15',
        )
    if tokens is None and (input_tokens is not None or api):
        raise _refused(
            "--tokens", "nothing", "the output tokens of a month", "write for example  --tokens 30M"
        )
    text = _written(tokens, input_tokens, months, electricity, currency, lines)
    _check(text, lines)
    return text


def _written(
    tokens: str | None,
    input_tokens: str | None,
    months: str | None,
    electricity: str | None,
    currency: str | None,
    lines: Sequence[_Line],
) -> str:
    kinds = [line.flag for line in lines]
    words = {"--own": "own cards", "--rent": "rent cards", "--api": "call an API"}
    choice = [words[flag] for flag in words if flag in kinds]
    question = " or ".join([", ".join(choice[:-1]), choice[-1]] if choice[1:] else choice)
    work = f"{tokens} tokens a month" if tokens else "costs alone"
    found = [
        "# yaml-language-server: $schema=scenario.schema.json",
        "# What is not written here is not counted or has a neutral default: the answer lists it.",
        f"name: {_scalar(work)}",
        f"question: {question[0].upper()}{question[1:]}?",
    ]
    if currency is not None:
        found.append(f"currency: {_scalar(currency)}")
    if months is not None:
        found.append(f"months: {_scalar(months)}")
    if tokens is None:
        found.append("# No demand: costs alone are calculated, and nothing is ranked.")
    elif input_tokens is None:
        found += [
            f"demand: {{output_tokens: {_scalar(tokens)}}}  # a month",
            "# No input tokens are given: none are read or billed.",
        ]
    else:
        read_too = f"input_tokens: {_scalar(input_tokens)}"
        found.append(f"demand: {{output_tokens: {_scalar(tokens)}, {read_too}}}  # a month")
    if electricity is not None:
        found.append(f"site: {{electricity_price: {_scalar(electricity)}}}  # a kWh")
    elif "--own" in kinds:
        found.append("# No price of electricity is given: none is counted.")
    found.append("options:")
    found += [f"  {_scalar(line.name)}: {line.supply}  # {line.comment}" for line in lines]
    if tokens is not None and set(kinds) != {"--api"}:
        found.append(
            "# No output_rate of the cards is given: whether they can serve the tokens is not "
            "checked."
        )
    found.append("# No hours of work are given: none are counted.")
    return "\n".join(found) + "\n"


def _owned(found: _Cards, text: str) -> _Line:
    if found.price is None:
        raise _refused(
            "--own",
            text,
            "cards and, after an @, the price of one",
            f'write for example  --own "{OWN}"',
        )
    supply = f"{{own: {found.card}, count: {found.count}, price: {_scalar(found.price)}}}"
    return _Line(f"own-{found.name}", supply, "the price of one card", "--own")


def _rented(text: str, owned: Sequence[_Cards]) -> Iterable[_Line]:
    """The cards named before the @, or those that are owned at the price alone."""
    if "@" in normalised(text):
        rented = [_cards_of(text, "--rent", RENT)]
    elif len({found.card for found in owned}) == 1:
        rented = [_Cards(found.count, found.card, text.strip()) for found in owned]
    else:
        raise _refused(
            "--rent",
            text,
            "cards and, after an @, the price of a GPU-hour, or a price alone beside one --own",
            f'write for example  --rent "{RENT}"',
        )
    for found in rented:
        price = _scalar(found.price or "")
        supply = f"{{rent: {found.card}, count: {found.count}, price: {price}}}"
        yield _Line(f"rent-{found.name}", supply, "a GPU-hour; all hours are paid", "--rent")


def _called(text: str, reads: bool) -> _Line:
    """An API: its name before the @ (``api`` without one), and the price of its output tokens.

    Two prices with a slash are those of input and output tokens.
    """
    name, at, price = (part.strip() for part in normalised(text).rpartition("@"))
    if not price or (at and not name):
        raise _refused(
            "--api",
            text,
            "the price of a million output tokens, or a name, an @ and the price",
            f"write for example  --api 15  or  --api {API}",
        )
    if not at and re.match(r"[A-Za-z]", price) and not re.match(r"[A-Za-z]{3} ?\d", price):
        raise _refused(
            "--api",
            text,
            "the price of a million output tokens after the name",
            f"write for example  --api {text.strip()}@15",
        )
    both = re.fullmatch(r"([\d.,]+) ?/ ?([\d.,]+)", price)
    if both:
        prices = f"input_price: {_scalar(both[1])}, output_price: {_scalar(both[2])}"
        comment = "a million tokens"
    else:
        prices = f"output_price: {_scalar(price)}"
        comment = "a million output tokens" + ("; input is not billed" if reads else "")
    label = f"api-{name.lower().replace(' ', '-')}" if name else "api"
    return _Line(label, f"{{api: {_scalar(name or 'api')}, {prices}}}", comment, "--api")


def _cards_of(text: str, flag: str, example: str) -> _Cards:
    """Cards as people write them: ``2x RTX 4090@1599``, ``4 A100 80GB@15000``, ``h200``."""
    plain, at, price = (part.strip() for part in normalised(text).partition("@"))
    found = re.fullmatch(
        r"(?:(\d{1,6}) ?[x×*] ?(?=\S)|(\d{1,6}) (?=\S))?(.*)", plain, re.IGNORECASE
    )
    count, named = (found[1] or found[2] or "1", found[3]) if found else ("1", plain)
    if not named or (at and not price):
        raise _refused(
            flag,
            text,
            "how many cards, which, and after an @ the price of one",
            f'write for example  {flag} "{example}"',
        )
    return _Cards(count, _card(named, text, flag), price if at else None)


def _card(named: str, text: str, flag: str) -> str:
    """The known card that is meant.

    >>> [_card(name, "", "--own") for name in ("RTX4090", "4090 24GB", "NVIDIA A100 80G", "H200")]
    ['rtx-4090', 'rtx-4090', 'a100-80gb', 'h200-sxm']
    """
    asked = _words(named) - MAKERS
    meant = [card for card in cards.names() if asked and _is_meant(asked, card)]
    exact = [card for card in meant if _words(card) <= asked]
    if len(exact or meant) == 1:
        return (exact or meant)[0]
    if meant:
        raise _refused(
            flag,
            text,
            f"one card: {' or '.join(meant)}",
            f'write its whole name, for example  {flag} "{text.replace(named, meant[0])}"',
        )
    near = nearest(re.sub(r"[ _]+", "-", named.lower()), cards.names())
    hint = f"did you mean {near}? Otherwise describe" if near else "describe"
    held = instances.said_of(named)
    if held is not None:
        hint = f"{held}. Name one of these cards, or describe"
    raise _refused(
        flag,
        text,
        f"a card that is known: {', '.join(cards.names())}",
        f"{hint} your own card in a file: begin with  tco new FILE",
    )


def _is_meant(asked: set[str], name: str) -> bool:
    """Whether words name a card: none is foreign to it, and none is missing that tells it apart."""
    known = cards.card(name)
    assert known is not None
    memory = f"{known.memory_gb:g}gb"
    words = _words(name)
    all_words = {*words, *_words(known.title), memory, "rtx"}
    return asked <= all_words and words - UNDERSTOOD - {memory} <= asked


def _words(text: str) -> set[str]:
    plain = re.sub(r"\b(rtx|pro|[abhlm]i?)[ _-]?(?=\d)", r"\1 ", text.lower())
    plain = re.sub(r"\b([abhlm]i?) (?=\d)", r"\1", plain)
    plain = re.sub(r"(\d+) ?gi?b?\b", r"\1gb", plain)
    return set(re.findall(r"[a-z0-9]+", re.sub(r"\bsxm\d\b", "sxm", plain)))


def _named(lines: Sequence[_Line]) -> list[_Line]:
    """The options with names that differ: the second of a name is called ``...-2``."""
    taken: dict[str, int] = {}
    found = []
    for line in lines:
        number = taken[line.name] = taken.get(line.name, 0) + 1
        name = line.name if number == 1 else f"{line.name}-{number}"
        found.append(_Line(name, line.supply, line.comment, line.flag))
    return found


def _scalar(text: str) -> str:
    """A value as it stands in the file: in quotes unless it is a plain word or number."""
    plain = text.strip()
    if re.fullmatch(r"[A-Za-z0-9](?:[\w .%-]*[\w%])?", plain, re.ASCII):
        return json.dumps(plain) if plain.lower() in ("true", "false", "null", "~") else plain
    return json.dumps(plain, ensure_ascii=False)


def _check(text: str, lines: Sequence[_Line]) -> None:
    """Read the scenario; its faults are those of the words that were typed."""
    try:
        read(text.encode(), ASKED)
    except ScenarioErrors as error:
        flags = {f"options.{line.name}": line.flag for line in lines}
        found = (
            ScenarioError(ASKED, None, _flag(fault.field or "", flags), fault.found,
                          fault.expected, fault.next_step)
            for fault in error.faults
        )  # fmt: skip
        raise ScenarioErrors({str(fault): fault for fault in found}.values()) from None


def _flag(field: str, of_options: Mapping[str, str]) -> str:
    """The word of the command line behind a field of the scenario."""
    words = {
        "demand.output_tokens": "--tokens",
        "demand.input_tokens": "--input-tokens",
        "site.electricity_price": "--electricity",
        "months": "--months",
        "currency": "--currency",
        **of_options,
    }
    return next((flag for path, flag in words.items() if field.startswith(path)), field)


def _refused(flag: str, found: str, expected: str, next_step: str) -> ScenarioErrors:
    shown = found if found.strip() else "nothing"
    return ScenarioErrors([ScenarioError(ASKED, None, flag, shown, expected, next_step)])
