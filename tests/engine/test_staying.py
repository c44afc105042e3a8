"""What cannot move is billed where it is: without a price there, nothing can be compared."""

import pytest

from tco.errors import ScenarioErrors
from tco.results import run_scenario
from tco.scenario.loading import read

SCENARIO = """\
name: a
demand: {{{work}, present: now, {addressable}}}
options:
  now: {{api: b, {now}}}
  new: {{api: c, output_price: 3, input_price: 1, task_price: 1}}
  {more}
"""


def message_of(work: str, now: str, more: str = "", addressable: str = "addressable: 60%") -> str:
    text = SCENARIO.format(work=work, now=now, more=more, addressable=addressable)
    try:
        run_scenario(read(text.encode(), "s.yaml"))
    except ScenarioErrors as error:
        return str(error)
    return ""


def test_the_whole_message() -> None:
    assert message_of("output_tokens: 5 M", "provider: d") == (
        "s.yaml, line 4: options.now.output_price\n"
        "  found:    no price of output tokens\n"
        "  expected: all that the bill of now needs: what is not addressable "
        "(demand.addressable 60%) stays\n"
        "            on it in every option\n"
        "  next:     give options.now.output_price, or delete demand.addressable"
    )


@pytest.mark.parametrize(
    ("work", "now", "found"),
    [
        ("output_tokens: 5 M, input_tokens: 5 M", "output_price: 3", "no price of input tokens"),
        ("tasks: 500", "output_price: 3", "no price of a task"),
        (
            "output_tokens: 5 M",
            "output_price: 3, long_context: {above: 200k, output_price: 6}",
            "prices of long prompts need the sizes of the requests",
        ),
    ],
)
def test_what_a_bill_may_lack(work: str, now: str, found: str) -> None:
    assert f"  found:    {found}\n" in message_of(work, now)


def test_what_has_its_prices_runs() -> None:
    assert message_of("output_tokens: 5 M", "output_price: 3") == ""
    assert message_of("tasks: 500", "task_price: 3") == ""


def test_where_nothing_stays_an_option_without_a_price_is_only_listed() -> None:
    """Also when another option takes the bill of where the work is now."""
    text = SCENARIO.format(
        work="output_tokens: 5 M", now="provider: d", more="as-now: {api: present}",
        addressable="retries: 1%",
    )  # fmt: skip
    result = run_scenario(read(text.encode(), "s.yaml"))
    missing = {option.name: option.missing for option in result.model.options if option.missing}
    assert set(missing) == {"now", "as-now"}
    assert {found.add for found in missing.values()} == {"options.now.output_price"}
