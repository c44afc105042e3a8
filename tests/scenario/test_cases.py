"""``cases:``: how they are read, what they keep, and the whole message of every mistake."""

from __future__ import annotations

import pytest

from tco.errors import ScenarioErrors
from tco.scenario.loading import read
from tco.scenario.schema import Api, Own, Quantity, Rent, Scenario

FILE = """\
name: a
demand: {output_tokens: {value: 50 M, low: 10 M, high: 60 M, source: b, basis: published}}
exchange_rates: {CNY: 7.1}
hardware: {rtx-4090: {price: {value: 1599, source: b, note: c}, output_rate: 800}}
options:
  own: {own: rtx-4090, count: 2}
  rent: {rent: rtx-4090, count: 2, price: {median: 0.49, minimum: 0.14, p75: 0.6, source: b}}
  api-v3.2: {api: v3.2, output_price: {value: 8, currency: CNY}}
  chain: [{own: rtx-4090, count: 1}, {api: v3.2, output_price: 0.42}]
"""


def loaded(cases: str, *settings: str) -> Scenario:
    return read(f"{FILE}cases:\n{cases}".encode(), "s.yaml", settings)


def refused(cases: str, *settings: str) -> str:
    with pytest.raises(ScenarioErrors) as caught:
        loaded(cases, *settings)
    return str(caught.value)


def in_case(scenario: Scenario, name: str) -> Scenario:
    return next(case.scenario for case in scenario.in_cases if case.name == name)


def tokens(scenario: Scenario) -> Quantity:
    assert scenario.demand is not None
    assert scenario.demand.output_tokens is not None
    return scenario.demand.output_tokens


def test_a_case_is_the_scenario_with_its_numbers() -> None:
    scenario = loaded("  a: {demand.output_tokens: 1亿}\n  b: {site.pue: 1.2}\n")
    assert [(case.name, case.line) for case in scenario.in_cases] == [("a", 11), ("b", 12)]
    assert tokens(scenario).value == tokens(in_case(scenario, "b")).value == 50e6
    assert tokens(in_case(scenario, "a")).value == 100e6
    assert scenario.site is None
    site = in_case(scenario, "b").site
    assert site is not None
    assert site.pue is not None
    assert (site.pue.value, site.pue.line) == (1.2, 12)
    assert scenario.cases == {"a": {"demand.output_tokens": "1亿"}, "b": {"site.pue": "1.2"}}


def test_a_scenario_without_cases_has_none() -> None:
    assert read(FILE.encode(), "s.yaml").in_cases == ()


def test_range_and_source_of_the_file_are_not_those_of_the_case() -> None:
    scenario = loaded("  a: {demand.output_tokens: 200 M, hardware.rtx-4090.price: 1700}\n")
    given = tokens(in_case(scenario, "a"))
    assert (given.value, given.low, given.high) == (200e6, None, None)
    price = in_case(scenario, "a").hardware["rtx-4090"].price
    assert price is not None
    assert (price.value, price.source, price.note) == (1700, None, None)


def test_a_case_may_say_who_says_so() -> None:
    scenario = loaded("  a: {demand.output_tokens: {value: 9 M, source: a log, basis: measured}}\n")
    given = tokens(in_case(scenario, "a"))
    assert (given.value, given.source, given.basis) == (9e6, "a log", "measured")
    assert scenario.cases == {"a": {"demand.output_tokens": "9 M"}}


def test_currency_and_lowest_offer_stay_with_their_number() -> None:
    cases = "  a: {options.rent.price: 0.7, options.api-v3.2.output_price: 9}\n"
    options = in_case(loaded(cases), "a").options
    rent, api = (options[name].supplies[0] for name in ("rent", "api-v3.2"))
    assert isinstance(rent, Rent)
    assert rent.price is not None
    assert rent.price.minimum is not None
    assert (rent.price.median.value, rent.price.minimum.value, rent.price.p75) == (0.7, 0.14, None)
    assert isinstance(api, Api)
    assert api.output_price is not None
    assert (api.output_price.value, api.output_price.currency) == (9, "CNY")


def test_paths_with_dots_and_indices_as_set_takes_them() -> None:
    cases = '  a: {"options.chain[0].count": 3, \'options."api-v3.2".output_price\': 9}\n'
    scenario = loaded(cases)
    own = in_case(scenario, "a").options["chain"].supplies[0]
    assert isinstance(own, Own)
    assert isinstance(own.count, Quantity)
    assert own.count.value == 3
    places = [change.place for change in scenario.in_cases[0].changes]
    assert places == ["options.chain[0].count", "options.api-v3.2.output_price"]


def test_the_command_line_is_on_top_of_every_case() -> None:
    scenario = loaded("  a: {demand.output_tokens: 9 M, site.pue: 2}\n", "demand.output_tokens=7 M")
    case = scenario.in_cases[0]
    assert tokens(scenario).value == tokens(case.scenario).value == 7e6
    assert [change.place for change in case.changes] == ["", "site.pue"]
    assert case.scenario.settings == ("demand.output_tokens=7 M",)


def test_a_number_of_a_case_is_set_on_the_command_line() -> None:
    scenario = loaded("  a: {demand.output_tokens: 9 M}\n", "cases.a.demand.output_tokens=7 M")
    assert tokens(scenario).value == 50e6
    assert tokens(in_case(scenario, "a")).value == 7e6


def test_cases_change_the_digest() -> None:
    one, two = loaded("  a: {site.pue: 1.2}\n"), loaded("  a: {site.pue: 1.3}\n")
    assert len({one.digest, two.digest, read(FILE.encode(), "s.yaml").digest}) == 3


def test_twenty_cases_are_not_too_many() -> None:
    cases = "".join(f"  case {n}: {{site.pue: 1.{n:02}}}\n" for n in range(1, 22))
    assert len(loaded(cases.rpartition("  case")[0]).in_cases) == 20
    assert refused(cases) == (
        "s.yaml, line 10: cases\n"
        "  found:    21 cases\n"
        "  expected: at most 20 cases\n"
        "  next:     keep those that decide, or write a second scenario"
    )


NUMBERS = "the numbers that the case changes, such as  {site.electricity_price: 0.06}"


@pytest.mark.parametrize(
    ("cases", "place", "found", "expected", "next_step"),
    [
        (
            "  {}\n",
            "10: cases",
            "no case",
            "at least one case",
            "add one, for example  {cheap power: {site.electricity_price: 0.06}}",
        ),
        (
            "  - a\n",
            "10: cases",
            "a list of 1",
            "keys with values, such as  {cheap power: {site.electricity_price: 0.06}}",
            "write  {cheap power: {site.electricity_price: 0.06}}",
        ),
        (
            "  a: {}\n",
            "11: cases.a",
            "a case that changes nothing",
            NUMBERS,
            "write paths and values, or delete the case",
        ),
        (
            "  a: 3\n",
            "11: cases.a",
            "3",
            NUMBERS,
            "write paths and values, or delete the case",
        ),
        (
            "  a:\n    site.pue:\n",
            "12: cases.a.site.pue",
            "nothing after the colon",
            "a number",
            "write a value, or delete the line",
        ),
        (
            "  a:\n    demand: {output_tokens: 9 M}\n",
            "12: cases.a.demand",
            "keys with values: output_tokens",
            "one number",
            "write a path for each number that changes",
        ),
        (
            "  As Given: {site.pue: 1.2}\n",
            "11: cases.As Given",
            "the case As Given",
            "another name: as given is the scenario without a case",
            "give the case a name of its own",
        ),
        (
            "  a: {site.pue: 1.2}\n  A: {site.pue: 1.3}\n",
            "12: cases.A",
            "the case A",
            "another name than a: a spreadsheet takes the two for one",
            "give the case a name of its own",
        ),
        (
            "  a: {site.pue: 1.2}\n  a: {site.pue: 1.3}\n",
            "12: cases.a",
            "the key a again; it stands on line 11 already",
            "every key once",
            "delete one of the two, or give it another name",
        ),
        (
            f"  {'n' * 41}: {{site.pue: 1.2}}\n",
            f"11: cases.{'n' * 20}...",
            f"a name of 41 characters: {'n' * 40} ...",
            "a name of a case of at most 40 characters",
            "shorten the name; a note or a comment may say the rest",
        ),
        (
            '  "a\\u200Fb\\u0007": {site.pue: 1.2}\n',
            "11: cases.a\u200fb\\x07",
            "a\u200fb\\x07",
            "a name of a case without control characters",
            "delete the character, which is shown as an escape here",
        ),
        (
            "  a:\n    sitte.pue: 1.2\n",
            "12: cases.a",
            "sitte.pue: 1.2",
            "one of name, demand, exchange_rates, hardware, options, cases",
            "did you mean site?",
        ),
        (
            "  a:\n    options.onw.count: 3\n",
            "12: cases.a",
            "options.onw.count: 3",
            "one of own, rent, api-v3.2, chain",
            "did you mean own?",
        ),
        (
            "  a:\n    site.pu: 1.2\n",
            "12: cases.a.site.pu",
            "the key pu",
            "one of electricity_price, electricity_price_path, pue, utilisation, demand_charge,\n"
            "            colocation, room_cost",
            "did you mean pue?",
        ),
        (
            "  a:\n    site.pue: 0.3\n",
            "12: cases.a.site.pue",
            "0.3",
            "a number of 1 or more: what the site draws for each watt of its computers",
            "write for example  1.2",
        ),
        (
            "  a:\n    demand.output_tokens: 9 EUR\n",
            "12: cases.a.demand.output_tokens",
            "9 EUR",
            "tokens a month, 0 or more",
            "write it without a currency:  50 M",
        ),
        (
            "  a:\n    demand.output_tokens: 9 M\n    demand.output_tokens.value: 8 M\n",
            "12: cases.a",
            "demand.output_tokens: 9 M",
            "each number once in a case",
            "delete this or the other path that gives the same number",
        ),
    ],
)
def test_the_whole_message(
    cases: str, place: str, found: str, expected: str, next_step: str
) -> None:
    assert refused(cases) == (
        f"s.yaml, line {place}\n"
        f"  found:    {found}\n"
        f"  expected: {expected}\n"
        f"  next:     {next_step}"
    )


def test_the_mistakes_of_all_cases_at_once() -> None:
    message = refused("  a:\n    site.pue: 0.3\n  b:\n    months: 0\n    site.pue: no\n")
    assert [line for line in message.splitlines() if line.startswith("s.yaml")] == [
        "s.yaml, line 12: cases.a.site.pue",
        "s.yaml, line 14: cases.b.months",
        "s.yaml, line 15: cases.b.site.pue",
    ]


def test_numbers_that_vary_together_may_be_changed() -> None:
    pair = "[demand.output_tokens, options.rent.price]"
    cases = "  a: {demand.output_tokens: 200 M}\n"
    together = f"correlations: [{{between: {pair}, correlation: 50%}}]\n"
    scenario = loaded(cases + together)
    assert len(scenario.correlations) == 1
    assert in_case(scenario, "a").correlations == []
