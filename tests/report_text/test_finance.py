"""What finance reads: present values at several rates, return, payback, ledgers, warnings."""

import csv
import io
import json

import pytest

from tco.analysis.answer import conventions, leases
from tco.analysis.cautions import warnings
from tco.analysis.finance import finance, instead
from tco.analysis.summary import left_out, not_given, summarise
from tco.report import explain, terminal
from tco.report.markdown import summary_markdown
from tco.report.monthly import monthly_csv
from tco.report.record import result_json
from tco.results import Result
from tests.report_text.conftest import Run

# 3,600 for two cards against 750 a month: 12 months, no electricity, no staff
BUY = """
name: case
months: 12
discount_rate: 0%
demand: {output_tokens: 50 M}
options:
  own: {own: l40s, count: 2, price: 1800, tdp: 0 W}
  api: {api: m, output_price: 15}
"""
PLAIN = BUY.replace("discount_rate: 0%", "discount_rate: 10%")


def said(result: Result) -> str:
    return " ".join(terminal.render(summarise(result)).split())


def warned(result: Result, part: str) -> list[str]:
    return [text for text in warnings(result) if part in text]


# instead of the baseline


def test_the_option_instead_of_the_baseline_in_one_sentence(run: Run) -> None:
    text = instead(run(PLAIN))
    assert text is not None
    i, high = 1.10 ** (1 / 12) - 1, 1.13 ** (1 / 12) - 1
    gains = [12 * 750 - 3600, *(750 * (1 - (1 + x) ** -12) / x - 3600 for x in (i, high))]
    assert [round(gain) for gain in gains] == [5400, 4950, 4829]
    assert text.startswith(
        "own instead of api: NPV better by $5,400 at 0 %, by $4,950 at 10 %, by $4,829 at 13 %; "
    )
    # 3,600 / 750 = 4.8 months; discounted the fifth payment is needed too
    assert "; payback month 5, discounted 5; peak funding need $3,600 in month 0" in text


def test_a_rate_of_0_is_said_once(run: Run) -> None:
    text = instead(run(BUY))
    assert text is not None
    assert "NPV better by $5,400 at 0 %, by $5,257 at 3 %; IRR" in text


def test_where_the_sign_turns_both_are_said(run: Run) -> None:
    text = instead(run(PLAIN.replace("1800", "4400")))
    assert text is not None
    assert "NPV better by $200 at 0 %, worse by $250 at 10 %, by $371 at 13 %; IRR 4.25 %" in text
    assert "; payback month 12, discounted never; peak" in text


def test_what_never_pays_has_no_rate_and_a_reason(run: Run) -> None:
    text = instead(run(PLAIN.replace("output_price: 15", "output_price: 0")))
    assert text is not None
    assert "; no IRR (no sign change: every month costs more); payback never; peak" in text


def test_without_a_baseline_to_compare_with_nothing_is_said(run: Run) -> None:
    assert instead(run("name: a\noptions: {own: {own: l40s, count: 1, price: 1}}\n")) is None


def test_the_paragraph_is_on_every_page(run: Run) -> None:
    result = run(PLAIN)
    text = instead(result)
    assert text is not None
    assert f"FINANCE {text}" in said(result)
    assert "## Finance" in summary_markdown(summarise(result)).decode()
    assert text in json.loads(result_json(result))["notes"]


def test_without_words_of_finance_there_is_no_table(run: Run) -> None:
    assert finance(run(PLAIN)).statements == ()


# tax


TAXED = BUY.replace("months: 12", "months: 12\nstart: 2027-07\ntax: {rate: 25%}")


def test_a_table_by_fiscal_year_once_there_is_tax(run: Run) -> None:
    (table,) = finance(run(TAXED)).statements
    assert (table.title, table.heads) == (
        "own",
        ("capex", "operating", "tax", "net cash", "EBITDA", "P&L cost"),
    )
    # 3,600 written off over 12 months; a quarter of it is tax saved, after each fiscal year
    rows = {row.name: row.cells for row in table.rows}
    assert rows == {
        "FY2027": ("3,600", "-3,600", "450", "-3,150", "0", "1,350"),
        "FY2028": ("0", "0", "450", "450", "0", "1,350"),
        "all": ("3,600", "-3,600", "900", "-2,700", "0", "2,700"),
    }


@pytest.mark.parametrize(
    ("tax", "words"),
    [
        ("", "before tax"),
        ("tax: {rate: 25%}\n", "after tax at 25 %, losses used elsewhere"),
        ("tax: {rate: 25%, losses: worthless}\n", "after tax at 25 %, losses worthless"),
        ("tax: {rate: 21%, losses: carried}\n", "after tax at 21 %, losses carried forward"),
    ],
)
def test_every_page_says_which_tax(run: Run, tax: str, words: str) -> None:
    result = run(PLAIN + tax)
    assert conventions(result).endswith(words)
    assert json.loads(result_json(result))["conventions"]["tax"] == words


def test_conventions_say_when_cash_counts(run: Run) -> None:
    result = run(PLAIN + "cash_timing: mid-month\n")
    assert "discounted at 10 % a year from the middle of each month, " in conventions(result)


@pytest.mark.parametrize(
    ("losses", "profit", "text"),
    [
        (
            "worthless",
            "",
            "own: $3,600 of $3,600 of deductions find no profit and are lost: no profit is given, "
            "tax.profit_per_year",
        ),
        (
            "worthless",
            ", profit_per_year: 2000",
            "own: $1,600 of $3,600 of deductions find no profit and are lost: a profit of $2,000 a "
            "year is too small",
        ),
        (
            "carried",
            ", profit_per_year: 2000",
            "own: $1,600 of $3,600 of deductions find no profit and are carried on after month 12: "
            "a profit of $2,000 a year is too small",
        ),
    ],
)
def test_a_tax_shield_needs_a_profit(run: Run, losses: str, profit: str, text: str) -> None:
    result = run(BUY + f"tax: {{rate: 25%, losses: {losses}{profit}}}\n")
    assert text in warned(result, "deductions")


@pytest.mark.parametrize("more", ["", ", losses: carried, profit_per_year: 1 M"])
def test_a_shield_with_profit_enough_is_no_warning(run: Run, more: str) -> None:
    assert warned(run(BUY + f"tax: {{rate: 25%{more}}}\n"), "deductions") == []


MACRS = """
name: case
months: 24
start: {start}
tax: {{rate: 21%, depreciation: {{method: {method}}}}}
options: {{own: {{own: l40s, count: 1, price: 1000}}}}
"""


@pytest.mark.parametrize(
    ("start", "method", "due"),
    [
        ("2027-10", "macrs", "mid-quarter"),
        ("2027-09", "macrs", None),
        ("2027-10", "macrs-mid-quarter", None),
        ("2027-03", "macrs-mid-quarter", "half-year"),
    ],
)
def test_the_convention_of_macrs_follows_the_fourth_quarter(
    run: Run, start: str, method: str, due: str | None
) -> None:
    found = warned(run(MACRS.format(start=start, method=method)), "fourth quarter")
    if due is None:
        assert found == []
        return
    part, limit = ("100 %", "more") if due == "mid-quarter" else ("0 %", "not more")
    word = {"mid-quarter": "macrs-mid-quarter", "half-year": "macrs"}[due]
    assert found == [
        f"own: {limit} than 40 % of its purchases of a fiscal year fall in the fourth quarter "
        f"(FY2027 {part}): the {due} convention is due, method: {word}"
    ]


# buying and selling


QUOTED = """
name: case
{day}
options:
  own:
    own: l40s
    count: 1
    quote: {{items: [{{name: n, amount: 9}}], valid_until: 2026-12-15}}
"""


@pytest.mark.parametrize(
    ("day", "expired"),
    [
        ("", None),
        ("as_of: 2026-12-15", None),
        ("as_of: 2026-12-16", "2026-12-16"),
        ("start: 2027-01", "2027-01-01"),
        ("start: 2027-01\nas_of: 2026-11-30", None),
    ],
)
def test_a_quote_expires(run: Run, day: str, expired: str | None) -> None:
    found = warned(run(QUOTED.format(day=day)), "quote")
    assert found == (
        []
        if expired is None
        else [
            "own: its quote was valid until 2026-12-15 and has expired by "
            f"{expired}: ask for a new one"
        ]
    )


def test_a_salvage_value_is_no_resale(run: Run) -> None:
    own = "name: a\noptions: {own: {own: l40s, count: 1, price: 1000, salvage: 100"
    assert warned(run(f"{own}}}}}\n"), "salvage") == [
        "own: its salvage value is a value in the books and no cash; what the hardware sells for "
        "is residual_value, not given, so 0"
    ]
    assert warned(run(f"{own}, residual_value: {{amount: 50}}}}}}\n"), "salvage") == []


def test_what_is_sold_is_set_against_what_is_left_in_the_books(run: Run) -> None:
    text = (
        "name: a\nmonths: 12\noptions: {own: {own: l40s, count: 1, price: 2400, life_months: 24, "
        "residual_value: {amount: 900}}}\n"
    )
    assert (
        "own: sold for $900 in month 12; $1,200 is then left in the books, which is no cash: a "
        "loss of $300 in the P&L"
    ) in finance(run(text)).texts


def test_counted_failures_are_interruptions(run: Run) -> None:
    own = "name: a\noptions: {own: {own: l40s, count: 1, price: 1000, failures: "
    assert len(warned(run(f"{own}{{events: 148, gpus: 16384, days: 54}}}}}}\n"), "events")) == 1
    assert warned(run(f"{own}{{share_per_year: 4%}}}}}}\n"), "events") == []


# loans and leases


def test_a_loan_beyond_the_horizon_is_paid_back_in_the_last_month(run: Run) -> None:
    loan = "financing: {loan: {rate: 12%, months: 24}}"
    text = f"name: a\nmonths: 12\noptions: {{own: {{own: l40s, count: 1, price: 2400, {loan}}}}}\n"
    result = run(text)
    instalment = 2400 * 0.01 / (1 - 1.01**-24)
    owed = instalment * (1 - 1.01**-13) / 0.01  # after eleven of 24
    interest = 11 * instalment + 1.01 * owed - 2400
    assert (round(owed), round(interest)) == (1371, 227)
    assert warned(result, "loan") == [
        "own: its loan of 24 months goes on after month 12: what is owed then, $1,371 in all, is "
        "paid back in that month"
    ]
    (table,) = finance(result).statements
    assert "financing" in table.heads
    assert (
        "own: $227 of interest and fees over 12 months; no NPV holds them, the discount rate "
        "stands for them"
    ) in finance(result).texts
    assert warned(run(text.replace("months: 24", "months: 12")), "loan") == []


def test_a_lease_has_a_verdict(run: Run) -> None:
    lease = "{payment: 200, months: 12, rate: 0%, buyout: 0}"
    text = (
        "name: a\nmonths: 12\noptions: {own: {own: l40s, count: 1, price: 2000, financing: "
        f"{{lease: {lease}}}}}}}\n"
    )
    # 2,000 that are not paid, less twelve payments of 200
    rate = "at the borrowing rate before tax."
    assert f"own: buying is better than leasing, by $400 {rate}" in leases(run(text))
    cheap = run(text.replace("payment: 200", "payment: 100"))
    assert f"own: leasing is better than buying, by $800 {rate}" in leases(cheap)
    even = run(text.replace("price: 2000", "price: 2400"))
    assert f"own: leasing and buying are worth the same {rate}" in leases(even)


# when cash counts


@pytest.mark.parametrize("timing", ["month-end", "year-end"])
def test_a_sign_that_hangs_on_the_timing_is_a_warning(run: Run, timing: str) -> None:
    # at the ends of months 750 a month are worth 8,600; at the end of the year 9,000 / 1.1 = 8,182
    result = run(PLAIN.replace("1800", "4200") + f"cash_timing: {timing}\n")
    i = 1.10 ** (1 / 12) - 1
    by_month, by_year = 8400 - 750 * (1 - (1 + i) ** -12) / i, 8400 - 9000 / 1.1
    assert (round(by_month), round(by_year)) == (-150, 218)
    here, there = ("cheaper by $150", "dearer by $218")
    what = "year ends"
    if timing == "year-end":
        here, there, what = there, here, "month ends"
    assert warned(result, "timing") == [
        f"the timing of cash decides: with cash at {what} own is {there} than api, "
        f"here it is {here}"
    ]


def test_a_sign_that_stays_is_no_warning(run: Run) -> None:
    assert warned(run(PLAIN), "timing") == []


# what is left out


def test_what_is_not_given_is_not_counted_and_said(run: Run) -> None:
    assert not_given(run(PLAIN)) == (
        "tax",
        "resale of hardware",
        "host, network and rack around the cards",
        "failures and maintenance",
        "changes of prices",
    )
    assert list(left_out(run(PLAIN)))[:2] == [
        "not counted by this version: quality of the models",
        "not given, so not counted: tax, resale of hardware, host, network and rack around the "
        "cards, failures and maintenance, changes of prices",
    ]


def test_what_is_given_is_no_longer_left_out(run: Run) -> None:
    own = "residual_value: {amount: 1}, purchase: {host: 1}, maintenance: {share_per_year: 1%}"
    text = PLAIN.replace("tdp: 0 W}", f"tdp: 0 W, {own}}}")
    text = text.replace("price: 15", "price: 15, price_path: {change_per_year: -10%}")
    assert not_given(run(f"{text}tax: {{rate: 25%}}\n")) == ()


def test_what_only_some_have_is_said_with_the_others(run: Run) -> None:
    other = "  other: {own: l40s, count: 2, price: 1, tdp: 0 W, residual_value: {amount: 1}}\n"
    assert "resale of hardware (own)" in not_given(run(PLAIN + other))


def test_the_conventions_that_nobody_chose_are_listed(run: Run) -> None:
    rests = dict(summarise(run(TAXED)).rests_on)["default, not given"]
    for words in (
        "cash at month ends",
        "straight-line depreciation",
        "fiscal year to December",
        "tax settled after the fiscal year",
        "losses used elsewhere",
        "deducted for tax as in the books",
    ):
        assert words in rests
    chosen = TAXED.replace("rate: 25%", "rate: 25%, paid: month, losses: elsewhere")
    rests = dict(summarise(run(chosen + "fiscal_year_end: 12\n")).rests_on)["default, not given"]
    assert "tax settled" not in rests
    assert "losses" not in rests
    assert "fiscal year" not in rests


# files


def test_accounts_years_and_quarters_are_in_the_csv(run: Run) -> None:
    accounts = 'accounts: {api_cost: "6430 Services"}\n'
    result = run(PLAIN.replace("months: 12", "months: 12\nstart: 2026-12") + accounts)
    rows = list(csv.DictReader(io.StringIO(monthly_csv(result).decode("utf-8-sig"))))
    bill = [row for row in rows if row["line"] == "api_cost" and row["option"] == "api"]
    assert {row["account"] for row in bill} == {"6430 Services"}
    assert [row["quarter"] for row in bill][:3] == ["FY2026 Q4", "FY2026 Q4", "FY2027 Q1"]
    assert [row["fiscal_year"] for row in bill][1:3] == ["FY2026", "FY2027"]
    assert {row["account"] for row in rows if row["line"] != "api_cost"} == {""}


def test_the_record_has_years_and_rates(run: Run) -> None:
    record = json.loads(result_json(run(TAXED)))
    options = {option["name"]: option for option in record["options"]}
    assert options["own"]["by_fiscal_year"]["FY2027"]["tax_cash_flow"] == pytest.approx(450)
    (comparison,) = record["comparisons"]
    rates = comparison["irr"]
    assert (rates["status"], rates["reason"]) == ("one", "")
    monthly, annual = rates["monthly"][0], rates["annual"][0]
    assert annual == pytest.approx((1 + monthly) ** 12 - 1)
    assert record["conventions"]["fiscal_year_end"] == 12


# explained


def test_a_line_that_comes_to_another_is_explained_by_it(run: Run) -> None:
    text = explain.render(run(PLAIN), explain.Asked("operating_cost", option="own"))
    assert text.startswith("cost_through: ")


def test_a_part_without_lines_of_its_own_is_not_listed(run: Run) -> None:
    text = explain.render(run(QUOTED.format(day="")), explain.Asked(option="own"))
    assert "own, supply 1 own l40s" in text
    assert "\n\n\n" not in text
