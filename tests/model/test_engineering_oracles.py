"""Right answers of capacity, renting and API bills, as arithmetic that a reader can redo.

The identifiers (CAP-01, API-03, ...) name worked cases with a known outcome, each asked as a
scenario, so that reading, wiring and arithmetic are all in it.
"""

from typing import Any

import pytest

from tco.results import Result
from tests.model.conftest import Ask


def close(expected: Any) -> Any:
    return pytest.approx(expected, rel=1e-10, abs=1e-9)


def supply(result: Result, option: str, line: str, number: int = 1) -> float:
    """A scalar line of a supply, or a monthly line's first month of operation."""
    scope = result.option(option).supplies[number - 1].scope
    months = result.months(scope.line(line))
    return months[1]


# demand

GROWING = """
demand: {{output_tokens: 100 M, {growth}}}
options: {{api: {{api: model, output_price: 1}}}}
"""


def test_cap_04_growth_by_the_month(ask: Ask) -> None:
    result = ask(GROWING.format(growth="growth_per_month: 5%"))
    volume = result.months("demanded_volume")
    assert volume[0] == 0
    assert volume[1] == close(100)
    assert volume[36] == close(100 * 1.05**35)
    assert round(volume[36], 6) == 551.601537
    assert result.value("total_demanded_volume") == close(100 * (1.05**36 - 1) / 0.05)
    assert round(result.value("total_demanded_volume"), 6) == 9583.632272


def test_growth_by_the_year_reaches_the_year_s_factor_in_month_13(ask: Ask) -> None:
    volume = ask(GROWING.format(growth="growth_per_year: 20%")).months("demanded_volume")
    assert volume[13] == close(100 * 1.2)
    assert volume[7] == close(100 * 1.2**0.5)


def test_growth_in_steps_holds_from_its_month_on(ask: Ask) -> None:
    steps = "growth: [{month: 1, factor: 1}, {month: 13, factor: 1.5}, {month: 25, factor: 1.2}]"
    volume = ask(GROWING.format(growth=steps)).months("demanded_volume")
    assert [volume[month] for month in (1, 12, 13, 24, 25, 36)] == close(
        [100, 100, 150, 150, 120, 120]
    )


def test_a_season_s_mean_counts_as_one(ask: Ask) -> None:
    season = "season: [2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 3]"
    text = "start: 2026-12\n" + GROWING.format(growth=season)
    volume = ask(text, months=12).months("demanded_volume")
    mean = (2 + 10 + 3) / 12
    assert volume[1:4] == close([100 * 3 / mean, 100 * 2 / mean, 100 / mean])
    assert sum(volume) == close(12 * 100)


def test_retries_are_attempts_on_top_of_what_succeeds(ask: Ask) -> None:
    text = """
demand: {output_tokens: 100 M, retries: 4%}
options:
  billed: {api: model, output_price: 2}
  unbilled: {api: model, output_price: 2, retries_billed: no}
"""
    result = ask(text)
    assert result.metrics["billed"]["cost_per_month"] == close(100 * 1.04 * 2)
    assert result.metrics["unbilled"]["cost_per_month"] == close(100 * 2)


def test_what_cannot_move_stays_in_every_option_at_its_present_price(ask: Ask) -> None:
    result = ask(
        """
demand:
  workloads:
    chat: {output_tokens: 10 M, input_tokens: 40 M, present: now, addressable: 60%}
    code: {output_tokens: 2 M, input_tokens: 0, present: now, addressable: 0%}
options:
  now: {api: big, output_price: 10, input_price: 2}
  stay: {api: present}
  small: {api: small, output_price: 1, input_price: 0.5}
"""
    )
    whole = 10 * 10 + 40 * 2 + 2 * 10
    staying = 0.4 * (10 * 10 + 40 * 2) + 2 * 10
    assert result.metrics["now"]["cost_per_month"] == close(whole)
    assert result.metrics["stay"]["cost_per_month"] == close(whole)
    small = staying + 0.6 * (10 * 1 + 40 * 0.5)
    assert result.metrics["small"]["cost_per_month"] == close(small)
    assert result.value("total_staying_work") == close(36 * (0.4 * 10e6 + 2e6))


# capacity

CAP_01 = """
demand: {output_tokens: 5000 M, peak_to_mean: 3}
options:
  own:
    own: h100-sxm
    count: auto
    price: 30000
    throughput: {output_rate: 2500, gpus: 4, tensor_parallel: 4}
    sizing: {gpus_per_replica: 4, gpus_per_node: 8, busy_ceiling: 70%, spare_replicas: 1}
"""


def test_cap_01_replicas_with_peak_ceiling_and_spare(ask: Ask) -> None:
    result = ask(CAP_01)
    mean = 5_000e6 / (3_600 * 730)
    assert result.months("demanded_rate_per_second")[1] == close(mean)
    assert result.months("peak_rate")[1] / 3_600 == close(3 * mean)
    assert round(3 * mean, 6) == 5707.762557
    # 5,707.76 / (2,500 x 0.7) = 3.26: four busy replicas, one spare, 20 GPUs on 3 nodes of 8
    assert supply(result, "own", "replicas_for_load") == 4
    assert supply(result, "own", "replicas") == 4 + 1
    assert supply(result, "own", "replicas") * 4 == 20
    assert supply(result, "own", "nodes") == 3
    assert supply(result, "own", "gpus") == 24
    assert supply(result, "own", "replica_busy_share") == close(mean / (5 * 2_500))
    assert round(mean / (5 * 2_500), 10) == 0.1522070015
    assert result.metrics["own"]["upfront_cost"] == close(24 * 30_000)
    assert result.status["own"] == "ok"


def test_each_purchase_comes_the_month_before_it_is_needed_and_has_its_own_life(ask: Ask) -> None:
    # 100 tokens/s a card serve 262.8 M a month; 200 M growing to 400 M in month 13
    result = ask(
        """
demand: {output_tokens: 200 M, growth: [{month: 1, factor: 1}, {month: 13, factor: 2}]}
options:
  own: {own: l40s, count: auto, price: 1200, price_change_per_year: -50%, output_rate: 100,
        life_months: 6}
""",
        months=24,
    )
    gpus = result.line("own", "gpus", supply=1)
    assert (gpus[0], gpus[1], gpus[12], gpus[13], gpus[24]) == (0, 1, 1, 2, 2)
    capex = result.line("own", "capex", supply=1)
    later = 1_200 * 0.5 ** (12 / 12)
    assert (capex[0], capex[12]) == (1_200, close(later))
    assert sum(capex) == close(1_200 + later)
    depreciation = result.line("own", "depreciation", supply=1)
    assert depreciation[1:7] == close([200] * 6)
    assert depreciation[7:13] == close([0] * 6)
    assert depreciation[13:19] == close([later / 6] * 6)
    assert sum(depreciation) == close(1_200 + later)


def test_growth_beyond_the_cards_is_said_with_its_month(ask: Ask) -> None:
    # 100 tokens/s serve 262.8 M a month; 200 M x 1.1^(m-1) goes beyond that in month 4: 266.2 M
    result = ask(
        """
demand: {output_tokens: 200 M, growth_per_month: 10%}
options:
  own: {own: l40s, count: 1, price: 1200, output_rate: 100}
  api: {api: model, output_price: 1}
""",
        months=5,
    )
    assert 200 * 1.1**2 < 262.8 < 200 * 1.1**3
    assert result.status["own"] == "infeasible"
    unserved = result.line("own", "unserved_work")
    assert unserved[:4] == close([0] * 4)
    expected = [200e6 * 1.1**3 - 262.8e6, 200e6 * 1.1**4 - 262.8e6]
    assert unserved[4:] == close(expected)


def test_prefill_and_decode_are_told_apart_by_adding_times(ask: Ask) -> None:
    # a GPU that reads 10,000 and writes 1,000 tokens a second: at 10 in for 1 out an output token
    # takes 1/1,000 + 10/10,000 s, so 500 a second; at 1 for 1 it takes 1/1,000 + 1/10,000
    result = ask(
        """
demand: {output_tokens: 100 M, input_tokens: 400 M, cache_read_tokens: 100 M}
options:
  own:
    own: l40s
    count: 1
    price: 0
    throughput:
      - {output_rate: 500, input_length: 1000, output_length: 100}
      - {output_rate: 909.090909090909, input_length: 100, output_length: 100}
"""
    )
    # 300 M of the input are computed: 3 for each output token
    assert supply(result, "own", "output_rate") == close(1 / (1 / 1_000 + 3 / 10_000))


# renting


def test_rent_01_spot_with_interruptions(ask: Ask) -> None:
    result = ask(
        """
demand: {output_tokens: 100 M}
options:
  spot: {rent: l40s, count: 1, price: 1.2, billed: busy, output_rate: 100,
         spot: {hours_between_interruptions: 8, checkpoint_hours: 0.5, restart_hours: 0.15}}
"""
    )
    useful = (8 - 0.5 / 2 - 0.15) / 8
    assert supply(result, "spot", "useful_share_of_hours") == close(0.95) == close(useful)
    assert supply(result, "spot", "effective_price") == close(1.2 / 0.95)
    hours = 100e6 / (100 * 3_600) / 0.95
    assert result.metrics["spot"]["cost_per_month"] == close(hours * 1.2)


RESERVED = """
demand: {{output_tokens: 100 M}}
options:
  reserved: {{rent: l40s, count: 1, output_rate: 100,
              reserved: {{price: {price}, upfront: {upfront}, term_months: 12}}}}
  on-demand: {{rent: l40s, count: 1, price: 3.06, billed: busy, output_rate: 100}}
baseline: on-demand
"""


@pytest.mark.parametrize(
    ("price", "upfront", "share"), [(2.0, 0, 2 / 3.06), (1.7, 1752, 1.9 / 3.06)]
)
def test_be_10_reserved_against_on_demand(
    ask: Ask, price: float, upfront: float, share: float
) -> None:
    result = ask(RESERVED.format(price=price, upfront=upfront))
    effective = price + upfront / (12 * 730)
    assert supply(result, "reserved", "effective_price") == close(effective)
    found = result.comparison("reserved", "on-demand")["break_even_share_of_hours"]
    assert found == close(share)
    assert round(share, 6) in (0.653595, 0.620915)
    assert result.metrics["reserved"]["total_cost"] == close(36 * 730 * price + 3 * upfront)


def test_sessions_pay_minimum_increment_and_start(ask: Ask) -> None:
    # 144 M tokens at 100/s are 400 busy hours: 40 sessions of 10 h, a start of 0.2 h each
    text = """
demand: {{output_tokens: 144 M}}
options:
  rent: {{rent: l40s, count: 1, price: 0.5, billed: busy, output_rate: 100,
          sessions: {{per_month: 40, {terms}}}}}
"""
    for terms, hours in (
        ("startup_hours: 0.2", 40 * 10.2),
        ("startup_hours: 0.2, increment_hours: 1", 40 * 11),
        ("startup_hours: 0.2, increment_hours: 1, minimum_hours: 24", 40 * 24),
    ):
        result = ask(text.format(terms=terms))
        assert result.metrics["rent"]["cost_per_month"] == close(hours * 0.5), terms


def test_cards_held_while_needed_follow_the_load_above_what_stands_before(ask: Ask) -> None:
    # a card does 360,000 tokens an hour; the load is 8 hours at 1.8 M, 16 at 0.45 M
    result = ask(
        """
demand:
  output_tokens: 657 M
  load: [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 4, 4, 4, 4, 4, 4, 4, 4]
options:
  chain:
    - {own: l40s, count: 2, price: 0, tdp: 0, output_rate: 100}
    - {rent: l40s, count: 9, price: 1, billed: needed, output_rate: 100}
"""
    )
    mean = 657e6 / 730
    assert (mean * 0.5, mean * 2) == (450_000, 1_800_000)
    # two cards of one's own serve the low hours; the high ones lack 1.08 M: three cards
    assert supply(result, "chain", "gpu_hours", 2) == close(730 * 8 / 24 * 3)
    assert result.metrics["chain"]["cost_per_month"] == close(730 / 3 * 3)
    assert result.status["chain"] == "ok"


def test_a_balance_is_used_up_at_the_end_unless_it_is_lost(ask: Ask) -> None:
    text = """
demand: {{output_tokens: 100 M}}
options: {{api: {{api: model, output_price: 1, prepaid: {{balance: 200, lost_in_month: {month}}}}}}}
"""
    kept, lost = (ask(text.format(month=month)).line("api", "cash_cost") for month in (0, 12))
    assert (kept[0], kept[1], kept[36]) == close((200, 100, 100 - 200))
    assert sum(kept) == close(36 * 100)
    assert lost[12] == close(100 + 200)
    assert sum(lost) == close(36 * 100 + 200)


# API bills

API_01 = """
demand:
  output_tokens: 20 M
  input_tokens: 100 M
  {caches}
options:
  api: {{api: model, output_price: 15, input_price: 3, {prices}}}
"""
CACHES = "cache_read_tokens: 60 M\n  cache_write_tokens: 10 M"
PRICES = "cache_read_price: 0.3, cache_write_price: 3.75"


@pytest.mark.parametrize(
    ("caches", "prices", "bill"),
    [
        (CACHES, PRICES, 30 * 3 + 60 * 0.3 + 10 * 3.75 + 20 * 15),
        (CACHES, f"{PRICES}, batch: {{share: 30%, discount: 50%}}", 445.5 * (1 - 0.3 * 0.5)),
        ("", "", 100 * 3 + 20 * 15),
    ],
)
def test_api_01_a_bill_by_class(ask: Ask, caches: str, prices: str, bill: float) -> None:
    assert round(bill, 6) in (445.5, 378.675, 600.0)
    result = ask(API_01.format(caches=caches, prices=prices))
    assert result.metrics["api"]["cost_per_month"] == close(bill)
    if "batch" in prices:
        assert round(bill / 120, 6) == 3.155625  # a million tokens of either kind


TIERS = """
demand: {{output_tokens: {volume} M}}
options:
  api:
    api: model
    output_tiers: [{{up_to: 100 M, price: 10}}, {{up_to: 500 M, price: 8}}, {{price: 5}}]
    tiering: {tiering}
"""


@pytest.mark.parametrize(
    ("tiering", "volume", "bill"),
    [
        ("graduated", 600, 100 * 10 + 400 * 8 + 100 * 5),
        ("all-units", 600, 600 * 5),
        ("all-units", 500, 500 * 8),
        ("all-units", 501, 501 * 5),
        ("graduated", 100, 100 * 10),
        ("all-units", 0, 0),
    ],
)
def test_api_03_tiers(ask: Ask, tiering: str, volume: float, bill: float) -> None:
    assert bill in (4700, 3000, 4000, 2505, 1000, 0)
    result = ask(TIERS.format(volume=volume, tiering=tiering))
    assert result.metrics["api"]["cost_per_month"] == close(bill)


@pytest.mark.parametrize(("usage", "bill"), [(3200, 5000), (9000, 5000 + 4000 * 0.9)])
def test_api_04_a_least_bill(ask: Ask, usage: float, bill: float) -> None:
    text = f"""
demand: {{output_tokens: {usage} M}}
options:
  api: {{api: model, output_price: 1, commitment: {{amount: 5000, overage_discount: 10%}}}}
"""
    assert ask(text).metrics["api"]["cost_per_month"] == close(bill)


@pytest.mark.parametrize(("recoverable", "bill"), [("no", 7746.48), ("yes", 7308.0)])
def test_api_06_exchange_fee_and_tax(ask: Ask, recoverable: str, bill: float) -> None:
    text = f"""
currency: CNY
exchange_rates: {{USD: {1 / 7.2!r}}}
demand: {{output_tokens: 1000 M}}
options:
  api: {{api: model, output_price: {{value: 1, currency: USD}}, fx_fee: 1.5%,
         vat: {{rate: 6%, recoverable: {recoverable}}}}}
"""
    expected = 1_000 * 7.2 * 1.015 * (1.06 if recoverable == "no" else 1)
    assert expected == close(bill)
    assert ask(text).metrics["api"]["cost_per_month"] == close(expected)


def test_a_long_prompt_makes_its_whole_request_dearer(ask: Ask) -> None:
    result = ask(
        """
demand:
  output_tokens: 10 M
  input_tokens: 100 M
  request_sizes: [{prompt_tokens: 10k, share: 90%}, {prompt_tokens: 300k, share: 10%}]
options:
  api: {api: model, output_price: 15, input_price: 3,
        long_context: {above: 200k, output_price: 22.5, input_price: 6}}
"""
    )
    read = 0.1 * 300 / (0.9 * 10 + 0.1 * 300)
    bill = 10 * (0.9 * 15 + 0.1 * 22.5) + 100 * ((1 - read) * 3 + read * 6)
    assert result.metrics["api"]["cost_per_month"] == close(bill)


def test_one_yuan_for_a_list_dollar(ask: Ask) -> None:
    text = """
exchange_rates: {CNY: 7.1}
demand: {output_tokens: 50 M}
options: {reseller: {api: gpt-4o, output_price: 8, billing_rate: 1 CNY/USD}}
"""
    assert ask(text).metrics["reseller"]["cost_per_month"] == close(50 * 8 * 1 / 7.1)


def test_an_ambiguous_currency_gives_both_readings(ask: Ask) -> None:
    text = """
exchange_rates: {CNY: 7.1}
demand: {output_tokens: 50 M}
options: {reseller: {api: gpt-4o, output_price: {value: 8, currency: ambiguous}}}
"""
    costs = {name: m["cost_per_month"] for name, m in ask(text).metrics.items()}
    assert costs == close({"reseller (as USD)": 50 * 8, "reseller (as CNY)": 50 * 8 / 7.1})


def test_tasks_are_paid_each_or_by_the_hour(ask: Ask) -> None:
    result = ask(
        """
demand: {tasks: 20000, task: image}
options:
  service: {api: flux, task_price: 0.02}
  rent: {rent: rtx-4090, count: 1, price: 0.49, billed: busy, tasks_per_hour: 240}
"""
    )
    assert result.metrics["service"]["cost_per_month"] == close(20_000 * 0.02)
    assert result.metrics["rent"]["cost_per_month"] == close(20_000 / 240 * 0.49)
    assert result.metrics_with_units["rent"]["levelised_cost"].unit == "USD/image"


@pytest.mark.parametrize(("speed_up", "cheaper"), [(6.2, "slow"), (6.3, "fast")])
def test_be_08_hours_on_each_card_times_its_rate(ask: Ask, speed_up: float, cheaper: str) -> None:
    result = ask(
        f"""
demand: {{gpu_hours: 400, card: rtx-4090}}
options:
  slow: {{rent: rtx-4090, count: 1, price: 0.49, billed: busy}}
  fast: {{rent: h100-sxm, count: 1, price: 3.06, billed: busy, speed_up: {speed_up}}}
baseline: slow
"""
    )
    assert result.metrics["slow"]["cost_per_month"] == close(400 * 0.49)
    assert result.metrics["fast"]["cost_per_month"] == close(400 / speed_up * 3.06)
    assert result.comparison("fast", "slow")["break_even_speed_up"] == close(3.06 / 0.49)
    assert result.ranked[0].name == cheaper


# memory

SEVENTY_B = """
demand: {{output_tokens: 10 M}}
options:
  own: {{own: {card}, count: {count}, price: 1, model: llama-3-70b, output_rate: 50,
         sizing: {{gpus_per_replica: {together}}},
         memory: {{precision: {precision}, context: 8192, sequences: 10}}}}
  api: {{api: llama-3-70b, output_price: 1}}
"""


def test_vram_02_a_model_that_does_not_fit_is_infeasible_with_its_shortfall(ask: Ask) -> None:
    result = ask(SEVENTY_B.format(card="h100-sxm", count=2, together=2, precision="fp16"))
    kv = 10 * 8_192 * 327_680 / 1e9
    needed = 140 / 2 + kv / 2 + 1.5
    assert round(kv, 7) == 26.8435456
    assert supply(result, "own", "needed_gb_per_gpu") == close(needed)
    assert supply(result, "own", "usable_gb") == close(0.9 * 80)
    assert supply(result, "own", "shortfall_gb") == close(needed - 72)
    assert result.status["own"] == "infeasible"
    assert result.ranked[-1].name == "own", "never the cheapest"
    four = ask(SEVENTY_B.format(card="h100-sxm", count=4, together=4, precision="fp16"))
    assert supply(four, "own", "needed_gb_per_gpu") == close(140 / 4 + kv / 4 + 1.5)
    assert four.status["own"] == "ok"


def test_three_cards_cannot_share_out_eight_heads(ask: Ask) -> None:
    result = ask(SEVENTY_B.format(card="h200-sxm", count=3, together=3, precision="fp16"))
    assert supply(result, "own", "does_not_fit") == 0
    assert result.status["own"] == "infeasible"


def test_two_cards_are_not_one_pool(ask: Ask) -> None:
    """Without gpus_per_replica every card holds the whole model, however many there are."""
    text = SEVENTY_B.replace("sizing: {{gpus_per_replica: {together}}},", "")
    result = ask(text.format(card="rtx-4090", count=2, precision="int4"))
    assert supply(result, "own", "weights_gb_per_gpu") == close(35)
    assert result.status["own"] == "infeasible"


def test_a_model_of_ones_own_is_described(ask: Ask) -> None:
    result = ask(
        """
models: {mine: {parameters: 20 B, layers: 40, heads: 40, kv_heads: 8, head_dim: 128}}
demand: {output_tokens: 10 M}
options:
  own: {own: rtx-4090, count: 1, price: 1, model: mine, output_rate: 50,
        memory: {precision: int8, context: 4000, sequences: 2}}
  api: {api: mine, output_price: 1}
"""
    )
    kv = 2 * 40 * 8 * 128 * 2 * 4_000 * 2 / 1e9
    assert supply(result, "own", "needed_gb_per_gpu") == close(20 + kv + 1.5)
    assert result.status["own"] == "infeasible"


# edges


def test_zero_demand_leaves_what_is_held_or_committed(ask: Ask) -> None:
    result = ask(
        """
demand: {output_tokens: 0}
hardware: {rtx-4090: {output_rate: 800}}
options:
  api: {api: model, output_price: 15}
  committed: {api: model, output_price: 15, commitment: {amount: 100}}
  own: {own: rtx-4090, count: 2, price: 1599}
  busy: {rent: rtx-4090, count: 2, price: 0.49, billed: busy, storage: {gb: 100, price: 0.1}}
  auto: {rent: rtx-4090, count: auto, price: 0.49}
"""
    )
    costs = {name: metrics["cost_per_month"] for name, metrics in result.metrics.items()}
    expected = {"api": 0, "committed": 100, "own": 2 * 1_599 / 36, "busy": 10, "auto": 0}
    assert costs == close(expected)
    assert {m["levelised_cost"] for m in result.metrics.values()} == {None}
    assert set(result.status.values()) == {"ok"}


def test_a_rate_limit_leaves_the_rest_to_the_next(ask: Ask) -> None:
    # 10 tokens/s for 730 hours are 26.28 M of 100 M
    result = ask(
        """
demand: {output_tokens: 100 M}
options:
  both: [{api: small, output_price: 1, rate_limit: 10}, {api: big, output_price: 10}]
  limited: {api: small, output_price: 1, rate_limit: 10}
"""
    )
    served = 10 * 3_600 * 730 / 1e6
    assert result.metrics["both"]["cost_per_month"] == close(served * 1 + (100 - served) * 10)
    assert result.status == {"both": "ok", "limited": "infeasible"}


def test_cards_that_count_output_cannot_serve_a_month_of_input_alone(ask: Ask) -> None:
    result = ask(
        """
start: 2027-01
demand:
  workloads:
    answers: {output_tokens: 10 M, season: [0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]}
    reading: {input_tokens: 50 M}
hardware: {l40s: {output_rate: 1000}}
options:
  own: {own: l40s, count: 1, price: 1000}
  api: {api: model, output_price: 1, input_price: 0.1}
""",
        months=12,
    )
    assert result.months("input_alone_now")[1:3] == [1, 0]
    assert result.status == {"own": "infeasible", "api": "ok"}


def test_a_long_prompt_makes_what_is_cached_dearer_too(ask: Ask) -> None:
    result = ask(
        """
demand:
  output_tokens: 1 M
  input_tokens: 100 M
  cache_read_tokens: 80 M
  request_sizes: [{prompt_tokens: 250k, share: 100%}]
options:
  plain: {api: m, output_price: 12, input_price: 3,
          long_context: {above: 200k, output_price: 18, input_price: 6}}
  cached: {api: m, output_price: 12, input_price: 3, cache_read_price: 0.3,
           long_context: {above: 200k, output_price: 18, input_price: 6}}
"""
    )
    assert result.metrics["plain"]["cost_per_month"] == close(18 + 100 * 6)
    assert result.metrics["cached"]["cost_per_month"] == close(18 + 20 * 6 + 80 * 0.3 * 6 / 3)


def test_the_levelised_cost_counts_all_work_that_is_paid_and_succeeds(ask: Ask) -> None:
    result = ask(
        """
demand: {output_tokens: 10 M, present: now, addressable: 50%, retries: 25%}
options:
  now: {api: model, output_price: 10}
  half: {api: other, output_price: 2}
"""
    )
    # 12.5 M attempts are paid for 10 M that succeed
    assert result.metrics["now"]["levelised_cost"] == close(12.5 * 10 / 10)
    assert result.metrics["half"]["levelised_cost"] == close((6.25 * 10 + 6.25 * 2) / 10)


def test_cards_measured_together_are_bought_together(ask: Ask) -> None:
    result = ask(
        """
demand: {output_tokens: 100 M}
options:
  own: {own: rtx-4090, count: auto, price: 1599,
        throughput: {output_rate: 1000, gpus: 4, tensor_parallel: 4}}
  api: {api: model, output_price: 1}
"""
    )
    assert supply(result, "own", "gpus") == 4
    assert result.metrics["own"]["upfront_cost"] == close(4 * 1_599)


def test_however_little_load_takes_a_card(ask: Ask) -> None:
    result = ask(
        """
demand: {output_tokens: 1}
options:
  own: {own: rtx-4090, count: auto, price: 1599, output_rate: 800}
  api: {api: model, output_price: 1}
"""
    )
    assert supply(result, "own", "gpus") == 1
    assert result.status["own"] == "ok"
