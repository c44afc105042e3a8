"""The sentences of the answer, for each way a comparison can come out."""

import pytest

from tco.analysis.summary import summarise
from tco.report import terminal
from tco.report.columns import LINE, width
from tco.results import Result
from tests.report_text.conftest import Run

START = "name: a\ndemand: {output_tokens: 50 M}\n"
API = "  api: {api: gpt-4o, output_price: 15}\n"
OWN = "  own: {own: rtx-4090, count: 2, price: 1599}\n"


def said(result: Result) -> str:
    return " ".join(terminal.render(summarise(result)).split())


def test_staff_is_named_and_its_flip_even_when_it_is_0(run: Run) -> None:
    text = said(run(f"{START}options:\n{OWN}{API}"))
    # 647.46 a month less, at 78.125 an hour: 8.29 hours
    assert (
        "ONLY IF (a) running it takes under 8.29 hours of work a month [staff is 0: not given"
        in text
    )
    assert "an hour at $78.125 is a yardstick, not given" in text


def test_staff_that_is_given_is_named(run: Run) -> None:
    staff = "staff: {hourly_cost: 100}\n"
    own = OWN.replace("1599", "1599, staff_hours_per_month: 2")
    text = said(run(f"{START}{staff}options:\n{own}{API}"))
    # 750 - 102.54 leave 647.46 for work: 6.47 hours at 100
    assert "under 6.47 hours of work a month [2 counted, 0 for api; an hour at $100]" in text


def test_a_dearer_option_would_win_with_fewer_hours(run: Run) -> None:
    staff = "staff: {hourly_cost: 100}\n"
    own = OWN.replace("1599", "1599, staff_hours_per_month: 10")
    text = said(run(f"{START}{staff}options:\n{own}{API}"))
    assert "it would win ONLY IF (a) running it takes under 6.47 hours" in text


def test_when_no_number_of_hours_flips_it_that_is_said(run: Run) -> None:
    text = said(run(f"{START}options:\n{OWN.replace('1599', '20000')}{API}"))
    assert "no saving of hours of work flips that [staff is 0: not given" in text
    assert "never paid back: $13,000 short at month 36" in text  # 2 x 20,000 - 36 x 750


def test_without_throughput_the_rate_to_sustain_is_said(run: Run) -> None:
    # 50 M / (730 x 3,600 s) = 19.03 tokens a second
    assert "2x rtx-4090 sustains 19 tokens/s on average [not measured" in said(
        run(f"{START}options:\n{OWN}{API}")
    )


def test_a_single_option_still_states_the_staff(run: Run) -> None:
    text = said(run(f"{START}options:\n{API}"))
    assert "Only api serves the demand: $750 a month." in text
    assert "Staff is 0: not given" in text


def test_a_baseline_without_price_leaves_no_comparison(run: Run) -> None:
    text = said(run(f"{START}options:\n{OWN}  api: {{api: gpt-4o}}\n"))
    assert "no price of output tokens: add options.api.output_price" in text


def test_another_currency_without_a_yardstick(run: Run) -> None:
    text = said(run(f"currency: CHF\n{START}options:\n{OWN}{API}"))
    assert "CHF 750" in text
    assert "hours of work stay free: no cost of one is given" in text


@pytest.mark.parametrize(
    ("demand", "counted"),
    [
        (
            "output_tokens: 50 M",
            "50 M output tokens and 0 input tokens a month: all counted as output",
        ),
        ("input_tokens: 9 M", "0 output tokens and 9 M input tokens a month: all counted as input"),
        ("output_tokens: 5 M, input_tokens: 9 M", "5 M output tokens and 9 M input tokens a month"),
        ("output_tokens: 900", "900 output tokens and 0 input tokens a month"),
    ],
)
def test_every_output_says_how_tokens_are_counted(run: Run, demand: str, counted: str) -> None:
    api = API.replace("15", "15, input_price: 3")
    text = said(run(f"name: a\ndemand: {{{demand}}}\noptions:\n{OWN}{api}"))
    assert counted in text


def test_a_value_that_nothing_reads_is_a_warning_with_its_line(run: Run) -> None:
    text = said(run(f"{START}site: {{pue: 1.3}}\noptions:\n{API}"))
    assert "WARNINGS scenario.yaml, line 3: site.pue is given and no option reads it" in text


def test_what_a_set_aside_option_would_read_is_no_warning(run: Run) -> None:
    own = "  own: {own: rtx-4090, count: 2}\n"  # no price
    text = said(run(f"{START}site: {{pue: 1.3}}\noptions:\n{own}{API}"))
    assert "WARNINGS" not in text


@pytest.mark.parametrize("name", ["[red]x", "客" * 40, "n" * 80, "a" * 40 + " " + "b" * 39])
def test_names_stay_text_and_lines_fit(run: Run, name: str) -> None:
    text = f"{START}options:\n{OWN.replace('own:', f'{chr(34)}{name}{chr(34)}:', 1)}{API}"
    screen = terminal.render(summarise(run(text)))
    for line in screen.splitlines():
        assert width(line) <= LINE, line
    assert "".join(name.split()) in "".join(screen.split())


def test_large_amounts_are_printed(run: Run) -> None:
    screen = terminal.render(summarise(run(f"{START}options:\n{OWN.replace('1599', '1e15')}{API}")))
    assert "e+15" in screen
    assert "nan" not in screen.split()


def test_free_options_divide_by_nothing(run: Run) -> None:
    zero = OWN.replace("1599", "0") + API.replace("15", "0")
    assert "$0 a month" in said(run(f"{START}options:\n{zero}"))


def test_no_demand_of_tokens_has_no_cost_per_token(run: Run) -> None:
    text = said(run(f"name: a\ndemand: {{output_tokens: 0}}\noptions:\n{OWN}{API}"))
    assert "0 output tokens" in text
