"""What a scenario holds once it is loaded, and that nothing but words comes of a bad one."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tco.errors import ScenarioErrors
from tco.prices import cards
from tco.scenario import json_schema
from tco.scenario.defaults import ESTIMATES, NEUTRAL, neutral, staff_yardstick
from tco.scenario.loading import REQUIRED, load, read
from tco.scenario.schema import Api, Own, Rent, Scenario, field_units
from tco.scenario.starter import NAMES, starter
from tco.units import Counted
from tests.scenario.everything import ALL, spoilt

ROOT = Path(__file__).parents[2]
SCENARIOS = sorted((ROOT / "scenarios").glob("*.yaml"))


def scenario_of(name: str) -> Scenario:
    return load(ROOT / "scenarios" / f"{name}.yaml")


@pytest.mark.parametrize("file", SCENARIOS, ids=lambda file: file.stem)
def test_every_scenario_loads_and_names_the_schema_on_its_first_line(file: Path) -> None:
    assert load(file).options
    first = file.read_text(encoding="utf-8").splitlines()[0]
    # one that was begun by a command names the schema where the user puts it
    beside = "" if file.stem == "from-logs" else "../tco/scenario/"
    assert first == f"# yaml-language-server: $schema={beside}scenario.schema.json"


def test_midteam_is_read_as_it_is_written() -> None:
    scenario = scenario_of("midteam")
    assert scenario.name == "Mid-size team, 50 M tokens a month"
    assert (scenario.start, scenario.months, scenario.as_of) == ("2026-12", 36, "2026-11-30")
    assert scenario.discount_rate is not None
    assert (scenario.discount_rate.value, scenario.discount_rate.low) == (0.1, 0.06)
    assert scenario.exchange_rates["CNY"].value == 7.1
    assert scenario.demand is not None
    assert scenario.demand.output_tokens is not None
    assert scenario.demand.output_tokens.value == 50e6
    assert scenario.hardware["rtx-4090"].tdp is not None
    assert scenario.hardware["rtx-4090"].tdp.value == 450
    assert list(scenario.options) == [
        "own-2x4090",
        "own-a100-40gb",
        "own-a100-80gb",
        "own-h100",
        "rent-4090",
        "rent-h100",
        "rent-a100",
        "api-gpt-4o",
        "api-reseller-yuan",
        "api-reseller-dollar",
        "api-deepseek-v3.2",
        "own-then-api",
    ]
    assert [supply.kind for supply in scenario.options["own-then-api"].supplies] == ["own", "api"]
    rent = scenario.options["rent-4090"].supplies[0]
    assert isinstance(rent, Rent)
    assert rent.price is not None
    assert rent.price.minimum is not None
    assert (rent.price.median.value, rent.price.minimum.value) == (0.49, 0.14)
    assert rent.price.minimum.source == "article B"
    yuan = scenario.options["api-reseller-yuan"].supplies[0]
    assert isinstance(yuan, Api)
    assert yuan.output_price is not None
    assert yuan.output_price.currency == "CNY"


def test_every_quantity_knows_the_line_it_stands_on() -> None:
    scenario = scenario_of("midteam")
    lines = (ROOT / "scenarios" / "midteam.yaml").read_text(encoding="utf-8").splitlines()
    price = scenario.hardware["rtx-4090"].price
    assert price is not None
    assert price.line is not None
    assert "1599" in lines[price.line - 1]
    assert scenario.lines["hardware.rtx-4090.price"] == price.line
    for path, line in scenario.lines.items():
        last = path.rpartition(".")[2].partition("[")[0]
        assert path.endswith("]") or last in lines[line - 1], path


def test_the_chinese_scenario_is_read_in_its_own_units() -> None:
    scenario = scenario_of("chinese")
    own, rent, api = (option.supplies[0] for option in scenario.options.values())
    assert scenario.demand is not None
    assert scenario.demand.input_tokens is not None
    assert scenario.demand.input_tokens.value == 9000 * 1e4
    assert isinstance(own, Own)
    assert own.price is not None
    assert own.price.text == "20000 元"
    assert isinstance(rent, Rent)
    assert rent.price is not None
    assert rent.price.median.value == 1.24
    assert isinstance(api, Api)
    assert api.input_price is not None
    assert (api.input_price.value, api.input_price.currency) == (2, "CNY")


def test_the_printed_cells_of_article_c_stand_beside_its_options() -> None:
    scenario = scenario_of("article-c-ownership")
    assert scenario.hours_per_month == "calendar"
    assert scenario.demand is None
    owned = [option.supplies[0] for option in scenario.options.values()]
    assert [supply.published.per_month.value for supply in owned if supply.published] == [
        168,
        348,
        487,
        956,
    ]


def test_what_is_not_given_stays_empty() -> None:
    scenario = read(b"name: a\noptions: {b: {rent: l40s, count: 1}}", "s.yaml")
    rent = scenario.options["b"].supplies[0]
    assert isinstance(rent, Rent)
    assert (rent.price, rent.utilisation, rent.billed) == (None, None, "held")
    assert (scenario.demand, scenario.site, scenario.discount_rate) == (None, None, None)
    assert (scenario.months, scenario.currency) == (36, "USD")


def test_the_digest_is_that_of_the_content() -> None:
    text = "name: a\noptions: {b: {api: c, output_price: 15}}\n"
    other = "# a comment\nname: 'a'\noptions:\n  b:\n    api: c\n    output_price: 15.0\n"
    digest = read(text.encode(), "s.yaml").digest
    assert read(other.encode(), "elsewhere/t.yaml").digest == digest
    assert read(text.replace("15", "16").encode(), "s.yaml").digest != digest
    assert len(digest) == 64


@pytest.mark.parametrize("name", ["=1+1", "@SUM(A1)", "+x", "-x y", "a.b", "[x", 'q"q', "客服"])
def test_names_that_look_like_something_else_are_legal(name: str) -> None:
    text = f"name: {json.dumps(name)}\noptions: {{{json.dumps(name)}: {{api: c}}}}\n"
    scenario = read(text.encode(), "s.yaml")
    assert (scenario.name, list(scenario.options)) == (name, [name])


def test_paths_are_told_apart_even_when_names_hold_dots() -> None:
    text = "name: a\noptions: {b: {api: c, output_price: 1}, b.output_price: {api: d}}\n"
    scenario = read(text.encode(), "s.yaml")
    assert scenario.lines["options.b.output_price"] == 2
    assert 'options."b.output_price"' in scenario.lines


def test_an_inverted_exchange_rate_turns_its_range_round() -> None:
    text = (
        "name: a\noptions: {b: {api: c}}\n"
        "exchange_rates: {CNY: {value: 0.125 USD/CNY, low: 0.1, high: 0.2 USD/CNY}}\n"
    )
    rate = read(text.encode(), "s.yaml").exchange_rates["CNY"]
    assert (rate.value, rate.low, rate.high) == (1 / 0.125, 1 / 0.2, 1 / 0.1)
    assert rate.text == "0.125 USD/CNY"


def test_a_yuan_sign_is_yuan_in_a_scenario_in_yuan() -> None:
    text = "name: a\ncurrency: CNY\noptions: {b: {api: c, output_price: ¥8/百万}}\n"
    api = read(text.encode(), "s.yaml").options["b"].supplies[0]
    assert isinstance(api, Api)
    assert api.output_price is not None
    assert (api.output_price.value, api.output_price.currency) == (8, "CNY")


def test_a_card_of_ones_own() -> None:
    text = (
        "name: a\nhardware: {rtx-9999: {tdp: 800 W, price: 1}}\n"
        "options: {b: {own: rtx-9999, count: 1}}\n"
    )
    assert read(text.encode(), "s.yaml").hardware["rtx-9999"].tdp is not None


def test_units_of_the_fields() -> None:
    counted = Counted("tasks", "tasks", "task", 1.0)
    units = {name: unit.text("USD", counted) for name, unit in field_units(Rent).items()}
    assert units == {
        "count": "GPUs",
        "price": "USD/GPU-hour",
        "output_rate": "tokens/s/GPU",
        "tasks_per_hour": "tasks/GPU-hour",
        "hours_per_task": "GPU-hours/task",
        "speed_up": "tasks/GPU-hour",
        "utilisation": "fraction",
        "tokeniser_factor": "factor",
        "staff_hours_per_month": "hours of work/month",
    }


def test_the_json_schema_is_current() -> None:
    written = (ROOT / "tco" / "scenario" / json_schema.FILE).read_text(encoding="utf-8")
    assert written == json_schema.text(), f"out of date; run:  {json_schema.FIXED_BY}"


def test_the_json_schema_says_what_may_be_typed() -> None:
    schema = json_schema.schema()
    assert set(schema["properties"]) == set(Scenario.model_fields)
    assert schema["required"] == ["name", "options"]
    assert schema["$defs"]["Rent"]["properties"]["billed"]["enum"] == ["held", "busy", "needed"]
    assert '"null"' not in json_schema.text()


@pytest.mark.parametrize("name", NAMES)
def test_a_starter_loads_as_it_is(name: str) -> None:
    assert read(starter(name).encode(), "new.yaml").options


@pytest.mark.parametrize("name", ["midteam"])
def test_a_starter_is_its_scenario(name: str) -> None:
    assert read(starter(name).encode(), "new.yaml").digest == scenario_of(name).digest


def test_no_starter_of_another_name() -> None:
    with pytest.raises(KeyError):
        starter("../midteam")


def test_cards_have_a_power_a_memory_and_a_source_but_no_price() -> None:
    assert len(cards.names()) == len(set(cards.names())) == 13
    for name in cards.names():
        known = cards.card(name)
        assert known is not None
        assert 50 <= known.tdp <= 2000
        assert known.memory_gb > 0
        assert known.source
        assert not hasattr(known, "price")


def test_defaults_have_a_reason_each() -> None:
    names = [default.field for default in NEUTRAL]
    assert len(names) == len(set(names))
    assert all(default.why and default.basis == "assumed" for default in NEUTRAL)
    assert all(estimate.source for estimate in ESTIMATES)
    assert neutral("hours_per_month").value == 8760 / 12
    assert staff_yardstick("USD") == 150_000 / 1_920
    assert staff_yardstick("EUR") == 0


def test_loads_of_a_leap_year_and_no_more() -> None:
    demand = "{output_tokens: 5 M, load: [1, %s]}"
    text = f"name: a\ndemand: {demand}\noptions: {{b: {{api: c}}}}\n"
    loaded = read((text % ", ".join(["2"] * 8783)).encode(), "s.yaml")
    assert loaded.demand is not None
    assert (len(loaded.demand.load.shape), loaded.demand.load.shape[:2]) == (8784, (1, 2))
    assert outcome((text % ", ".join(["2"] * 8784)).encode()) == (
        "s.yaml, line 2: demand.load\n"
        "  found:    a list of 8785\n"
        "  expected: 2 to 8784 loads of equal hours, not all of them 0\n"
        "  next:     24 for a day, 168 for a week, or a measured series:  "
        "load: [1, 1, 2, 4, 4, 2]"
    )


def test_one_thing_stands_for_a_list_of_one() -> None:
    text = (
        "name: a\noptions: {b: {rent: l40s, count: auto, throughput: {output_rate: 9, gpus: 2}}}\n"
    )
    rent = read(text.encode(), "s.yaml").options["b"].supplies[0]
    assert isinstance(rent, Rent)
    assert rent.count == "auto"
    assert rent.throughput is not None
    (point,) = rent.throughput
    assert point.output_rate.path == "options.b.throughput.output_rate"
    assert (point.output_rate.value, point.gpus and point.gpus.value) == (9, 2)


@pytest.mark.parametrize(
    "written", ["1 CNY/USD", "{value: 1 CNY/USD, source: the reseller, basis: quoted}"]
)
def test_a_billing_rate_is_read_like_any_other_number(written: str) -> None:
    text = (
        "name: a\nexchange_rates: {CNY: 7.1}\n"
        f"options: {{b: {{api: c, output_price: 15, billing_rate: {written}}}}}\n"
    )
    api = read(text.encode(), "s.yaml").options["b"].supplies[0]
    assert isinstance(api, Api)
    rate = api.billing_rate
    assert rate is not None
    assert (rate.value, rate.currency, rate.text) == (1, "CNY", "1 CNY/USD")
    assert rate.source == ("the reseller" if "source" in written else None)


def test_an_ambiguous_price_is_read_in_both_currencies() -> None:
    text = (
        "name: a\nexchange_rates: {CNY: 7.1}\n"
        "options: {b: {api: c, output_price: {value: 8, currency: ambiguous}}}\n"
    )
    options = read(text.encode(), "s.yaml").options
    assert list(options) == ["b (as USD)", "b (as CNY)"]
    supplies = [option.supplies[0] for option in options.values()]
    prices = [supply.output_price for supply in supplies if isinstance(supply, Api)]
    read_as = [(price.value, price.currency) for price in prices if price is not None]
    assert read_as == [(8, "USD"), (8, "CNY")]
    # whoever names it must say which reading
    assert outcome(f"{text}baseline: b\n".encode()) == (
        "s.yaml, line 4: baseline\n"
        "  found:    b\n"
        "  expected: the name of an option: b (as USD), b (as CNY)\n"
        "  next:     write one of these names"
    )


def test_what_is_required_is_explained() -> None:
    for part, required in required_keys():
        assert required in REQUIRED or (part, required) == ("Published", "per_month"), part


def required_keys() -> list[tuple[str, str]]:
    """The required keys of every block; what a supply is, its option asks for."""
    definitions = json_schema.schema()["$defs"]
    given = [
        (name, key)
        for name, part in definitions.items()
        if name not in ("Quantity", "RentalPrice") and not name.endswith("Mapping")
        for key in part.get("required", ())
    ]
    return [pair for pair in given if pair[1] not in ("own", "rent", "api", "like")]


PIECES = [
    *"{}[]:,-#&*!|>'\"%@?~\\\n\t \x00",
    *("name: ", "options: ", "own: ", "rent: ", "api: ", "price: ", "value: ", "median: "),
    *("count: ", "site: ", "demand: ", "hardware: ", "exchange_rates: ", "other_costs: "),
    *("workloads: ", "growth: ", "load: ", "season: ", "throughput: ", "models: ", "memory: "),
    *("sizing: ", "reserved: ", "sessions: ", "spot: ", "output_tiers: ", "long_context: "),
    *("auto", "ambiguous", "office-hours", "1 CNY/USD", "present", "[1, 2]", "[]", "{}"),
    *("rtx-4090", "1", "-1", "70%", "nan", "1e999", "1,5", "7 CNY/USD", "CNY", "8 元", "calendar"),
    *("<<: *a", "&a ", "*a", "!!python/name:os ", "---\n", "...", "\uff1a", "\uff0c", "\u2028"),
    *("  ", "- ", ": ", "\n  ", '"\\uD800"', '"\\x00"', '"\\UFFFFFFFF"', "null", "true"),
]


def outcome(content: bytes, *settings: str) -> str:
    """Empty for a scenario that loads, else the message."""
    try:
        read(content, "s.yaml", settings)
    except ScenarioErrors as error:
        return str(error)
    return ""


def assert_loaded_or_refused(content: bytes, *settings: str) -> None:
    message = outcome(content, *settings)
    assert not message or "next:" in message.encode("utf-8").decode("utf-8")
    # The sentence of a fault that no reading of a field foresaw.
    assert "a valid value" not in message


@given(content=st.binary(max_size=200))
@settings(max_examples=200, deadline=None)
def test_any_bytes_are_loaded_or_refused(content: bytes) -> None:
    assert_loaded_or_refused(content)


@given(pieces=st.lists(st.sampled_from(PIECES), max_size=40))
@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_anything_like_yaml_is_loaded_or_refused(pieces: list[str]) -> None:
    assert_loaded_or_refused("".join(pieces).encode("utf-8"))


@given(data=st.data())
@settings(max_examples=150, deadline=None)
def test_a_good_file_with_anything_in_it_is_loaded_or_refused(data: st.DataObject) -> None:
    text = starter(data.draw(st.sampled_from(NAMES)))
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(0, len(text)))
        gone = data.draw(st.integers(0, 8))
        text = text[:place] + data.draw(st.sampled_from(PIECES)) + text[place + gone :]
    assert_loaded_or_refused(text.encode("utf-8"))


@given(setting=st.lists(st.sampled_from([*PIECES, ".", "=", "[0]", "options", "x"]), max_size=8))
@settings(max_examples=200, deadline=None)
def test_any_setting_is_applied_or_refused(setting: list[str]) -> None:
    assert_loaded_or_refused(starter().encode(), "".join(setting))


@pytest.mark.parametrize("text", ALL, ids=["tokens", "tasks", "hours", "finance", "china"])
def test_a_scenario_with_every_word_loads(text: str) -> None:
    assert outcome(text.encode()) == ""


def test_every_word_is_in_one_of_these_scenarios() -> None:
    """What is not in them would not be spoilt below."""
    for name, part in json_schema.schema()["$defs"].items():
        if name.endswith("Mapping") or name in ("Quantity", "RentalPrice"):
            continue
        for word in part.get("properties", ()):
            assert any(re.search(rf"\b{word}:", text) for text in ALL), f"{name}.{word}"


@given(content=spoilt(4))
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_a_spoilt_scenario_is_loaded_or_refused(content: bytes) -> None:
    assert_loaded_or_refused(content)
