"""Scenarios in which every word of a scenario file stands once, and ways to spoil them."""

import copy
import json
from collections.abc import Iterator
from typing import Any

from hypothesis import strategies as st
from ruamel.yaml import YAML

TOKENS = """\
name: everything
question: what can go wrong?
currency: USD
start: 2026-12
months: 13
as_of: 2026-11-30
hours_per_month: calendar
discount_rate: 10%
exchange_rates: {CNY: 7.1}
baseline: listed
demand:
  load: {loads: [1, 1, 2, 4, 0], shares: [20%, 0.2, 0.3, 25%, 5%]}
  request_sizes: [{prompt_tokens: 2k, share: 90%}, {prompt_tokens: 300k, share: 10%}]
  workloads:
    chat:
      output_tokens: 50 M
      reasoning_tokens: 5 M
      input_tokens: 200 M
      cache_read_tokens: 90 M
      cache_write_tokens: 9 M
      cache_write_1h_tokens: 8 M
      growth_per_year: 30%
      season: [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1.5, 2]
      retries: 2%
      present: listed
      replacement: llama-3-8b
      addressable: 60%
    code:
      output_tokens: 5 M
      growth: [{month: 1, factor: 1}, {month: 7, factor: 1.5}]
      retries: 2%
      present: resold
      replacement: llama-3-8b
    mail:
      input_tokens: 7 M
      growth_per_month: 1%
      retries: 2%
      present: listed
      replacement: llama-3-8b
site: {electricity_price: 0.10, pue: 1.2, utilisation: 70%}
staff: {hourly_cost: 94}
hardware:
  rtx-4090:
    price: 1599
    tdp: 450 W
    idle_power: 20 W
    active_power: 400 W
    throughput:
      - {output_rate: 900, input_length: 128, output_length: 256, concurrency: 16, gpus: 1}
      - {output_rate: 600, input_length: 1024, output_length: 256, tensor_parallel: 1}
    life_months: 48
    salvage: 100
    memory_gb: 24
    memory_bandwidth: 1008
    note: a card
  mine: {tdp: 100 W, output_rate: 300, memory_gb: 80}
models:
  my-model:
    parameters: 8 B
    active_parameters: 3 B
    layers: 32
    heads: 32
    kv_heads: 8
    head_dim: 128
    source: its maker
options:
  owned:
    own: rtx-4090
    count: auto
    price_change_per_year: -10%
    sizing: {gpus_per_replica: 2, gpus_per_node: 4, busy_ceiling: 70%, spare_replicas: 1}
    memory: {precision: fp8, context: 4096, sequences: 4, overhead_gb: 1.5, usable_share: 90%}
    tokeniser_factor: 1.15
    electricity_price: 0.12
    pue: 1.3
    life_months: 9
    salvage: 50
    staff_hours_per_month: 4
    model: llama-3-8b
    published: {per_month: 168, source: an article}
  rented:
    rent: mine
    count: 3
    price: {median: 0.49, minimum: 0.14, p25: 0.4, p75: 0.6, low: 0.3, high: 0.7, source: a list}
    billed: needed
    spot: {hours_between_interruptions: 8, checkpoint_hours: 0.5, restart_hours: 0.15}
    sessions: {per_month: 60, minimum_hours: 1, increment_hours: 1, startup_hours: 0.1}
    sizing: {availability: 99%}
    storage: {gb: 500, price: 0.10}
    egress: {gb_per_month: 200, price: 0.09}
    prepaid: {balance: 200, lost_in_month: 12}
    model: my-model
  reserved:
    rent: rtx-4090
    count: 2
    reserved: {price: 1.70, upfront: 1752, term_months: 12}
    model: llama-3-8b
  listed:
    api: a
    output_price: {value: 15, low: 10, high: 20, source: a list, as_of: 2026-11, basis: quoted}
    input_price: 5
    cache_read_price: 0.5
    cache_write_price: 6
    cache_write_1h_price: 10
    long_context: {above: 200k, input_price: 6, output_price: 22.5}
    batch: {share: 30%, discount: 50%}
    fx_fee: 1.5%
    vat: {rate: 6%, recoverable: no}
    retries_billed: no
    tokeniser_factor: 1.1
  tiered:
    api: b
    output_tiers: [{up_to: 20 M, price: 10}, {price: 8}]
    input_tiers: [{up_to: 20 M, price: 3}, {up_to: 90 M, price: 2}, {price: 1}]
    cache_read_price: 1
    cache_write_price: 2
    tiering: all-units
    commitment: {amount: 500, overage_discount: 10%}
    prepaid: {balance: 200}
  resold: {api: c, output_price: 15, input_price: 5, billing_rate: 1 CNY/USD, provider: d}
  chain:
    - {own: rtx-4090, count: 1, model: llama-3-8b}
    - {rent: rtx-4090, count: auto, price: 0.6, billed: busy, model: llama-3-8b}
    - {api: e, output_price: 15, input_price: 5, rate_limit: 50}
    - {api: present}
  again: {like: tiered, commitment: {amount: 400}}
other_costs: [{name: rack, amount: 50, per: month, options: [owned]}]
"""

TASKS = """\
name: tasks
demand: {tasks: 20000, task: image, load: office-hours, retries: 3%, requests: 10k, customers: 9}
hardware: {rtx-4090: {price: 1599, tasks_per_hour: 240}, l40s: {hours_per_task: 20 s}}
options:
  owned: {own: rtx-4090, count: auto}
  rented: {rent: l40s, count: 1, price: 1, billed: busy}
  service: {api: images, task_price: 0.02, commitment: {amount: 100}}
"""

HOURS = """\
name: hours
months: 12
demand: {gpu_hours: 500, card: rtx-4090, peak_to_mean: 3, growth_per_year: 10%}
hardware: {rtx-4090: {price: 1599}, h100-sxm: {speed_up: 4}}
options:
  owned: {own: rtx-4090, count: 2}
  rented: {rent: h100-sxm, count: 1, price: 3, billed: busy, sessions: {per_month: 20}}
"""

FINANCE = """\
name: finance
start: 2026-12
months: 25
cash_timing: mid-month
fiscal_year_end: 6
exchange_rates: {CNY: 7.1}
tax:
  rate: 25%
  paid: year-end
  lag_months: 4
  losses: carried
  profit_per_year: 9000
  loss_limit: 80%
  depreciation: {method: declining, life_months: 36, residual: 5%, factor: 1.5}
demand: {output_tokens: 50 M}
site:
  electricity_price: 0.10
  electricity_price_path: {change_per_year: 3%, by: year}
  demand_charge: {price: 15, ratchet: 80%, peak_kw: [{month: 1, kw: 1}, {month: 7, kw: 2}]}
  room_cost: 100
hardware:
  rtx-4090:
    price: 1599
    purchase:
      discount: 10%
      host: 900
      network: 100
      rack_and_cooling: 50
      installation: 40
      shipping: 30
      duty: 2%
      vat: {rate: 13%, recoverable: yes, refund_months: 2}
      spares: 1
    depreciation: {method: declining, start: next-month, factor: 2, switch: no}
    tax_depreciation: {method: table, shares: [40%, 30%, 30%]}
    maintenance: {share_per_year: 5%, warranty_months: 12}
    licences: {price_per_year: 450}
    insurance: {share_per_year: 1%}
    residual_value: {by_age: [{months: 12, share: 60%}, {months: 36, share: 30%}], sale_cost: 10%}
    host_power: 100 W
options:
  refreshed:
    own: rtx-4090
    count: 4
    refresh: {after_months: 12, price: 1500}
    financing: {loan: {share: 80%, rate: 8%, months: 24, fee: 1%, grace_months: 3, balloon: 20%}}
    colocation: {kind: metered, price: 150, contracted_kw: 3}
    electricity_price_path: {steps: [{month: 7, factor: 1.2}]}
    decommissioning: 50
  quoted:
    own: l40s
    count: 2
    quote:
      items:
        - {name: servers, amount: 90000 CNY, kind: hardware}
        - {name: switch, amount: 2000, kind: network}
        - {name: help, amount: 3000, kind: support, months: 24}
      valid_until: 2026-12-31
      payment: [{month: 0, share: 30%}, {month: 3, share: 70%}]
      lead_time_months: 2
    depreciation:
      {method: table, written_off: [{months: 12, share: 60%}, {months: 24, share: 100%}]}
    tax_depreciation: {method: macrs, bonus: 40%}
    failures: {events: 3, gpus: 100, days: 54, warranty_months: 6, replacement_price: 5000}
    residual_value: {loss_per_year: 30%}
  leased:
    own: rtx-4090
    count: 1
    financing:
      lease: {payment: 60, months: 25, paid: advance, buyout: 90, rate: 8%, residual_rate: 9%}
    residual_value: {amount: {value: 300, high: 400}}
  owned:
    own: rtx-4090
    count: 1
    already_owned: {resale_value: 900}
    colocation: {kind: all-in, price: 300}
  rented: {rent: l40s, count: 1, price: {median: 1, low: 0.8}, price_path: {change_per_year: -20%}}
  listed: {api: a, output_price: 15, price_path: {level: 0.5, reverting_per_month: 5%}}
accounts: {electricity_cost: 6420 Energy, rent_cost: 6430 Cloud}
correlations:
  - {between: [options.rented.price, options.leased.residual_value.amount], correlation: 60%}
cases:
  dear: {options.listed.output_price: 20, options.rented.price: {value: 1.2, source: a list}}
"""

CHINA = """\
name: china
currency: CNY
start: 2026-12
months: 12
cash_timing: year-end
tax: {rate: 25%, paid: month, depreciation: {method: china-shortened, life_months: 24}}
options:
  owned:
    own: rtx-4090
    count: 2
    price: 20000
    tax_depreciation: {method: china-one-off}
    failures: {share_per_year: 4%}
  kept: {own: rtx-4090, count: 1, price: 20000}
"""

ALL = (TOKENS, TASKS, HOURS, FINANCE, CHINA)
# the same as JSON, which is YAML too
TREES = tuple(json.dumps(YAML(typ="safe").load(text), default=str) for text in ALL)

ODD: tuple[Any, ...] = (
    *(0, -1, 1, 2, 0.5, 70, 1e18, 1e-12, 1e300, float("nan"), float("inf")),
    *("", "x", "auto", "book", "calendar", "present", "ambiguous", "flat", "yes", "rtx-4090"),
    *("0%", "100%", "-100%", "70%", "nan", "1 CNY/USD", "8 元", "5 tokens", "1,5", "2k", "50 M"),
    *(True, None, [], {}, [1, 2], [[1]], [{}], {"value": 1}, {"a": "b"}, [0, 0]),
)


def places(node: Any) -> Iterator[tuple[Any, Any]]:
    """Every key and item below a node: what holds it, and where in there."""
    for key in node if isinstance(node, dict) else range(len(node)):
        yield node, key
        if isinstance(node[key], dict | list):
            yield from places(node[key])


@st.composite
def spoilt(draw: st.DrawFn, most: int = 2) -> bytes:
    """One of the scenarios with a few of its values taken out, put elsewhere or made odd."""
    tree = json.loads(draw(st.sampled_from(TREES)))
    for _ in range(draw(st.integers(1, most))):
        holder, key = draw(st.sampled_from(list(places(tree))))
        match draw(st.sampled_from(["odd", "odd", "gone", "moved", "listed", "renamed"])):
            case "odd":
                holder[key] = copy.deepcopy(draw(st.sampled_from(ODD)))
            case "gone":
                del holder[key]
            case "moved":
                other, place = draw(st.sampled_from(list(places(tree))))
                holder[key] = copy.deepcopy(other[place])
            case "listed":
                holder[key] = [holder[key]]
            case "renamed" if isinstance(holder, dict):
                holder[f"{key}s"] = holder.pop(key)
    return json.dumps(tree, default=str, ensure_ascii=False).encode()
