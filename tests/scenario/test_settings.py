"""``--set PATH=VALUE``: what it changes, what it keeps, and what it refuses."""

from __future__ import annotations

import pytest

from tco.errors import ScenarioErrors
from tco.scenario.loading import read
from tco.scenario.schema import Api, Own, Quantity, Rent, Scenario

FILE = """\
name: a
demand: {output_tokens: {value: 50 M, low: 10 M, high: 100 M, source: b, basis: published}}
hardware:
  rtx-4090: {price: {value: 1599, source: b, as_of: 2026-11, basis: published, note: c}}
options:
  own: {own: rtx-4090, count: 2}
  rent: {rent: rtx-4090, count: 2, price: {median: 0.49, minimum: 0.14, source: b}}
  api-v3.2: {api: v3.2, output_price: 0.42}
  chain: [{own: rtx-4090, count: 1}, {api: v3.2, output_price: 0.42}]
"""


def loaded(*settings: str, text: str = FILE) -> Scenario:
    return read(text.encode(), "s.yaml", settings)


def refused(*settings: str) -> str:
    with pytest.raises(ScenarioErrors) as caught:
        loaded(*settings)
    return str(caught.value)


def test_a_value_is_replaced_and_loses_the_words_of_the_old_one() -> None:
    price = loaded("hardware.rtx-4090.price=1,700").hardware["rtx-4090"].price
    assert price is not None
    assert (price.value, price.line, price.text) == (1700, None, "1,700")
    assert (price.source, price.as_of, price.basis) == (None, None, None)
    assert price.note == "set on the command line"


def test_words_that_are_set_with_the_value_stay() -> None:
    price = (
        loaded("hardware.rtx-4090.price={value: 1700, source: a quote, basis: quoted}")
        .hardware["rtx-4090"]
        .price
    )
    assert price is not None
    assert (price.value, price.source, price.basis) == (1700, "a quote", "quoted")


@pytest.mark.parametrize(("value", "low", "high"), [("60 M", 10e6, 100e6), ("5 M", None, None)])
def test_a_range_stays_while_it_holds_the_value(
    value: str, low: float | None, high: float | None
) -> None:
    demand = loaded(f"demand.output_tokens={value}").demand
    assert demand is not None
    assert demand.output_tokens is not None
    assert (demand.output_tokens.low, demand.output_tokens.high) == (low, high)


def test_the_median_is_replaced_and_the_minimum_keeps_its_source() -> None:
    rent = loaded("options.rent.price=0.6").options["rent"].supplies[0]
    assert isinstance(rent, Rent)
    assert rent.price is not None
    assert rent.price.minimum is not None
    assert (rent.price.median.value, rent.price.median.source) == (0.6, None)
    assert (rent.price.minimum.value, rent.price.minimum.source) == (0.14, "b")


def test_a_key_is_added() -> None:
    scenario = loaded(
        "demand.input_tokens=10M",
        "months=12",
        "site.pue=1.2",
        "hardware.h100-sxm.output_rate=2000",
        "hardware.rtx-4090.output_rate=800",
        "hardware.rtx-4090.output_rate.low=300",
    )
    assert scenario.months == 12
    assert scenario.site is not None
    assert scenario.site.pue is not None
    rate = scenario.hardware["rtx-4090"].output_rate
    assert rate is not None
    assert (rate.value, rate.low) == (800, 300)
    assert scenario.hardware["h100-sxm"].output_rate is not None


@pytest.mark.parametrize("name", ["api-v3.2", '"api-v3.2"'])
def test_a_name_with_a_dot(name: str) -> None:
    api = loaded(f"options.{name}.output_price=0.5").options["api-v3.2"].supplies[0]
    assert isinstance(api, Api)
    assert api.output_price is not None
    assert api.output_price.value == 0.5
    assert api.output_price.path == "options.api-v3.2.output_price"


def test_a_supply_of_a_chain() -> None:
    own, api = (
        loaded("options.chain[0].count=3", "options.chain[1].output_price=9")
        .options["chain"]
        .supplies
    )
    assert isinstance(own, Own)
    assert isinstance(own.count, Quantity)
    assert own.count.value == 3
    assert own.count.path == "options.chain[0].count"
    assert isinstance(api, Api)
    assert api.output_price is not None
    assert api.output_price.value == 9


def test_names_that_need_quotes_in_a_path() -> None:
    text = 'name: a\noptions: {"=1+1": {api: b, output_price: 1}, "@SUM(A1)": {api: c}}\n'
    scenario = loaded('options."=1+1".output_price=2', "options.@SUM(A1).output_price=3", text=text)
    values = [
        supply.output_price.value
        for option in scenario.options.values()
        for supply in option.supplies
        if isinstance(supply, Api) and supply.output_price is not None
    ]
    assert values == [2, 3]
    assert '"=1+1"' in scenario.options["=1+1"].supplies[0].path


def test_every_path_of_the_file_can_be_set() -> None:
    scenario = loaded()
    for path in scenario.lines:
        message = ""
        try:
            loaded(f"{path}=1")
        except ScenarioErrors as error:
            message = str(error)
        # The value may not fit there, but the path was found.
        assert "found:    --set" not in message, path


@pytest.mark.parametrize(
    ("setting", "expected", "next_step"),
    [
        ("months", "PATH=VALUE", "write for example  --set hardware.rtx-4090.price=1700"),
        ("=3", "PATH=VALUE", "write for example  --set hardware.rtx-4090.price=1700"),
        ("sitte.pue=1", "one of name, demand, hardware, options", "did you mean site?"),
        (
            "options.onw.count=1",
            "one of own, rent, api-v3.2, chain",
            "did you mean own?",
        ),
        (
            "options[1].count=1",
            "a name instead of [1]: own, rent, api-v3.2, chain",
            "write the name after a dot",
        ),
        (
            "options.chain[2].count=1",
            "an index from [0] to [1], for a list of 2",
            "count from 0: [0] is the first",
        ),
        ("name.first=b", "a path of the scenario", "first lies below one value"),
    ],
)
def test_the_whole_message(setting: str, expected: str, next_step: str) -> None:
    assert refused(setting) == (
        f"s.yaml\n  found:    --set {setting}\n  expected: {expected}\n  next:     {next_step}"
    )


def test_a_value_that_does_not_fit() -> None:
    assert refused("options.own.count=-2") == (
        "s.yaml: options.own.count\n"
        "  found:    -2 (set on the command line)\n"
        "  expected: a whole number of 1 or more, or the word auto\n"
        "  next:     write for example  2"
    )


def test_a_new_key_that_is_misspelt() -> None:
    assert refused("hardware.rtx-4090.tpd=300 W") == (
        "s.yaml: hardware.rtx-4090.tpd\n"
        "  found:    the key tpd\n"
        "  expected: one of tdp, output_rate, memory_gb, memory_bandwidth, note, price, "
        "idle_power,\n"
        "            active_power, life_months, salvage, purchase, depreciation, "
        "tax_depreciation,\n"
        "            maintenance, failures, licences, insurance, residual_value, host_power, "
        "throughput,\n"
        "            tasks_per_hour, hours_per_task, speed_up, utilisation\n"
        "  next:     did you mean tdp?"
    )


def test_yaml_that_cannot_be_read_is_the_settings_fault() -> None:
    assert refused("site.pue={") == (
        "s.yaml\n"
        "  found:    --set site.pue={\n"
        "  expected: a value, and every bracket closed\n"
        "  next:     write the missing value or the closing bracket"
    )


def test_settings_change_the_digest_and_are_kept() -> None:
    scenario = loaded("months=12")
    assert scenario.settings == ("months=12",)
    assert scenario.digest != loaded().digest
    assert scenario.digest == loaded(text=FILE + "months: 12\n").digest
