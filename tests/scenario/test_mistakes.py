"""Every mistake a person makes in a scenario file, with the whole message that answers it."""

from __future__ import annotations

import pytest

from tco.errors import ScenarioErrors
from tco.scenario.loading import read

# What is wrong, the file, and the message, to the letter.
MISTAKES = [
    pytest.param(
        """\
name: a
discount: 10%
options: {api: {api: gpt-4o, output_price: 15}}
""",
        """\
s.yaml, line 2: discount
  found:    the key discount
  expected: one of name, question, currency, start, months, as_of, hours_per_month, discount_rate,
            cash_timing, fiscal_year_end, tax, exchange_rates, baseline, demand, site, staff,
            hardware, models, options, other_costs, accounts, correlations, cases
  next:     did you mean discount_rate?
""",
        id="unknown key at the top",
    ),
    pytest.param(
        """\
name: a
options:
  x: {own: rtx-4090, count: 2, prise: 1599}
""",
        """\
s.yaml, line 3: options.x.prise
  found:    the key prise
  expected: one of own, count, price, price_change_per_year, electricity_price,
            electricity_price_path, pue, colocation, quote, already_owned, refresh, financing,
            decommissioning, tdp, idle_power, active_power, life_months, salvage, purchase,
            depreciation, tax_depreciation, maintenance, failures, licences, insurance,
            residual_value, host_power, output_rate, throughput, tasks_per_hour, hours_per_task,
            speed_up, utilisation, sizing, memory, tokeniser_factor, staff_hours_per_month, model,
            published
  next:     did you mean price?
""",
        id="unknown key in an option",
    ),
    pytest.param(
        """\
name: a
site: {electricity: 0.1}
options: {api: {api: gpt-4o, output_price: 15}}
""",
        """\
s.yaml, line 2: site.electricity
  found:    the key electricity
  expected: one of electricity_price, electricity_price_path, pue, utilisation, demand_charge,
            colocation, room_cost
  next:     did you mean electricity_price?
""",
        id="unknown key in a section",
    ),
    pytest.param(
        """\
name: a
options:
  x: {api: a, output_price: {value: 15, sauce: b}}
""",
        """\
s.yaml, line 3: options.x.output_price.sauce
  found:    the key sauce
  expected: one of value, low, high, source, as_of, basis, files, note, currency
  next:     did you mean source?
""",
        id="unknown key in a quantity",
    ),
    pytest.param(
        """\
name: a
wacc: 10%
options: {api: {api: gpt-4o, output_price: 15}}
""",
        """\
s.yaml, line 2: wacc
  found:    the key wacc
  expected: one of name, question, currency, start, months, as_of, hours_per_month, discount_rate,
            cash_timing, fiscal_year_end, tax, exchange_rates, baseline, demand, site, staff,
            hardware, models, options, other_costs, accounts, correlations, cases
  next:     did you mean discount_rate?
""",
        id="key of other tools",
    ),
    pytest.param(
        """\
name: a
site: [1, 2]
options: {api: {api: gpt-4o, output_price: 15}}
""",
        """\
s.yaml, line 2: site
  found:    a list of 2
  expected: keys with values, such as  {electricity_price: 0.10}
  next:     write  {electricity_price: 0.10}
""",
        id="list for a mapping",
    ),
    pytest.param(
        """\
name: a
demand: 50 M
options: {api: {api: gpt-4o, output_price: 15}}
""",
        """\
s.yaml, line 2: demand
  found:    50 M
  expected: keys with values, such as  {output_tokens: 50 M}
  next:     write  {output_tokens: 50 M}
""",
        id="text for a mapping",
    ),
    pytest.param(
        """\
name: {a: b}
options: {api: {api: gpt-4o, output_price: 15}}
""",
        """\
s.yaml, line 1: name
  found:    keys with values: a
  expected: a text of at most 80 characters
  next:     write one value, for example  a short text
""",
        id="mapping for a name",
    ),
    pytest.param(
        """\
name: a
options:
  x: {api: a, output_price: [1]}
""",
        """\
s.yaml, line 3: options.x.output_price
  found:    a list of 1
  expected: the price of a million tokens, 0 or more
  next:     write one value, for example  15
""",
        id="list for a number",
    ),
    pytest.param(
        """\
name: a
options:
  x: {api: a, output_price: true}
""",
        """\
s.yaml, line 3: options.x.output_price
  found:    true
  expected: the price of a million tokens, 0 or more
  next:     write a number, for example  15
""",
        id="boolean for a number",
    ),
    pytest.param(
        """\
name: a
options:
  x: {api: a, output_price: }
""",
        """\
s.yaml, line 3: options.x.output_price
  found:    nothing after the colon
  expected: the price of a million tokens, 0 or more
  next:     write a value, for example  15, or delete the line
""",
        id="nothing for a number",
    ),
    pytest.param(
        """\
options: {api: {api: gpt-4o, output_price: 15}}
""",
        """\
s.yaml, line 1: name
  found:    nothing
  expected: a name, which is the title of every output
  next:     add for example  name: Two cards or an API?
""",
        id="no name",
    ),
    pytest.param(
        """\
name: a
""",
        """\
s.yaml, line 1: options
  found:    nothing
  expected: the options to compare
  next:     add for example  options: {api: {api: gpt-4o, output_price: 15}}
""",
        id="no options",
    ),
    pytest.param(
        """\
name: a
options: {}
""",
        """\
s.yaml, line 2: options
  found:    no option
  expected: at least one option
  next:     add one, for example  {api-gpt-4o: {api: gpt-4o, output_price: 15}}
""",
        id="empty options",
    ),
    pytest.param(
        """\
name: a
options: [{api: a}]
""",
        """\
s.yaml, line 2: options
  found:    a list of 1
  expected: keys with values, such as  {api-gpt-4o: {api: gpt-4o, output_price: 15}}
  next:     write  {api-gpt-4o: {api: gpt-4o, output_price: 15}}
""",
        id="options as a list",
    ),
    pytest.param(
        """\
name: a
options:
  x: {}
""",
        """\
s.yaml, line 3: options.x
  found:    an empty option
  expected: exactly one of own, rent and api
  next:     say what it is:  own: rtx-4090  or  rent: rtx-4090  or  api: gpt-4o
""",
        id="empty option",
    ),
    pytest.param(
        """\
name: a
options:
  x:\x20
""",
        """\
s.yaml, line 3: options.x
  found:    nothing after the colon
  expected: a supply that says own, rent or api
  next:     write for example  {own: rtx-4090, count: 2, price: 1599}
""",
        id="option with nothing",
    ),
    pytest.param(
        """\
name: a
options:
  x: []
""",
        """\
s.yaml, line 3: options.x
  found:    a list of 0
  expected: at least one supply
  next:     add one, for example  [{own: rtx-4090, count: 2, price: 1599}]
""",
        id="empty chain",
    ),
    pytest.param(
        """\
name: a
options:
  x: {count: 2, price: 5}
""",
        """\
s.yaml, line 3: options.x
  found:    keys with values: count, price
  expected: exactly one of own, rent and api
  next:     say what it is:  own: rtx-4090  or  rent: rtx-4090  or  api: gpt-4o
""",
        id="option without a kind",
    ),
    pytest.param(
        """\
name: a
options:
  x: {own: rtx-4090, rent: rtx-4090, count: 1}
""",
        """\
s.yaml, line 3: options.x
  found:    own and rent
  expected: exactly one of own, rent and api
  next:     keep one, or write a chain:  [{own: ...}, {api: ...}]
""",
        id="option of two kinds",
    ),
    pytest.param(
        """\
name: a
options:
  x: {api: a}
  x: {api: b}
""",
        """\
s.yaml, line 4: options.x
  found:    the key x again; it stands on line 3 already
  expected: every key once
  next:     delete one of the two, or give it another name
""",
        id="duplicate options",
    ),
    pytest.param(
        """\
name: a
options:
  x: {own: rtx-4090, price: 5}
""",
        """\
s.yaml, line 3: options.x.count
  found:    nothing
  expected: the number of cards
  next:     add for example  count: 2
""",
        id="no count",
    ),
    pytest.param(
        """\
name: a
options:
  x: {own: rtx-4090, count: -2}
""",
        """\
s.yaml, line 3: options.x.count
  found:    -2
  expected: a whole number of 1 or more, or the word auto
  next:     write for example  2
""",
        id="count below one",
    ),
    pytest.param(
        """\
name: a
options:
  x: {own: rtx-4090, count: 1.5}
""",
        """\
s.yaml, line 3: options.x.count
  found:    1.5
  expected: a whole number of 1 or more, or the word auto
  next:     write for example  2
""",
        id="count not whole",
    ),
    pytest.param(
        """\
name: a
options:
  x: {own: rtx-4099, count: 1}
""",
        """\
s.yaml, line 3: options.x.own
  found:    rtx-4099
  expected: a card that is known: rtx-4090, rtx-5090, rtx-pro-6000, l40s, a100-40gb, a100-80gb,
            a100-40gb-pcie, a100-80gb-pcie, h100-pcie, h100-sxm, h200-sxm, b200-sxm, mi300x
  next:     did you mean rtx-4090? Otherwise describe your own card with  hardware: {rtx-4099: {tdp:
            450 W}}
""",
        id="unknown GPU",
    ),
    pytest.param(
        """\
name: a
options:
  x: {rent: mi50, count: 1}
""",
        """\
s.yaml, line 3: options.x.rent
  found:    mi50
  expected: a card that is known: rtx-4090, rtx-5090, rtx-pro-6000, l40s, a100-40gb, a100-80gb,
            a100-40gb-pcie, a100-80gb-pcie, h100-pcie, h100-sxm, h200-sxm, b200-sxm, mi300x
  next:     did you mean mi300x? Otherwise describe your own card with  hardware: {mi50: {tdp: 450
            W}}
""",
        id="unknown GPU unlike any",
    ),
    pytest.param(
        """\
name: a
hardware: {mi50: {price: 100}}
options: {x: {own: mi50, count: 1}}
""",
        """\
s.yaml, line 3: options.x.tdp
  found:    nothing
  expected: the rated power of mi50, which is no known card
  next:     add  tdp: 450 W  under hardware.mi50, with the watts of your card
""",
        id="own GPU without power",
    ),
    pytest.param(
        """\
name: a
site: {utilisation: 70}
options: {api: {api: gpt-4o, output_price: 15}}
""",
        """\
s.yaml, line 2: site.utilisation
  found:    70
  expected: a fraction from 0 to 1, or a percentage from 0% to 100%
  next:     write 0.7 or 70%
""",
        id="percentage as a number",
    ),
    pytest.param(
        """\
name: a
site: {utilisation: 170%}
options: {api: {api: gpt-4o, output_price: 15}}
""",
        """\
s.yaml, line 2: site.utilisation
  found:    170%
  expected: a fraction from 0 to 1, or a percentage from 0% to 100%
  next:     write for example  70%
""",
        id="percentage above 100",
    ),
    pytest.param(
        """\
name: a
site: {utilisation: -0.1}
options: {api: {api: gpt-4o, output_price: 15}}
""",
        """\
s.yaml, line 2: site.utilisation
  found:    -0.1
  expected: a fraction from 0 to 1, or a percentage from 0% to 100%
  next:     write for example  70%
""",
        id="negative utilisation",
    ),
    pytest.param(
        """\
name: a
site: {pue: 0.9}
options: {api: {api: gpt-4o, output_price: 15}}
""",
        """\
s.yaml, line 2: site.pue
  found:    0.9
  expected: a number of 1 or more: what the site draws for each watt of its computers
  next:     write for example  1.2
""",
        id="pue below 1",
    ),
    pytest.param(
        """\
name: a
options:
  x: {api: a, output_price: -15}
""",
        """\
s.yaml, line 3: options.x.output_price
  found:    -15
  expected: the price of a million tokens, 0 or more
  next:     write for example  15
""",
        id="negative price",
    ),
    pytest.param(
        """\
name: a
options:
  x: {api: a, output_price: .nan}
""",
        """\
s.yaml, line 3: options.x.output_price
  found:    .nan
  expected: the price of a million tokens, 0 or more
  next:     leave the line out if the number is not known
""",
        id="NaN",
    ),
    pytest.param(
        """\
name: a
options:
  x: {api: a, output_price: "nan"}
""",
        """\
s.yaml, line 3: options.x.output_price
  found:    nan
  expected: the price of a million tokens, 0 or more
  next:     leave the line out if the number is not known
""",
        id="nan as a text",
    ),
    pytest.param(
        """\
name: a
options:
  x: {api: a, output_price: .inf}
""",
        """\
s.yaml, line 3: options.x.output_price
  found:    .inf
  expected: the price of a million tokens, 0 or more
  next:     leave the line out if the number is not known
""",
        id="infinity",
    ),
    pytest.param(
        """\
name: a
options:
  x: {api: a, output_price: 1e400}
""",
        """\
s.yaml, line 3: options.x.output_price
  found:    1e400
  expected: the price of a million tokens, 0 or more, of a size between 1e-12 and 1e+18
  next:     write a usual number, for example  15
""",
        id="too large",
    ),
    pytest.param(
        """\
name: a
options:
  x: {api: a, output_price: "1,5"}
""",
        """\
s.yaml, line 3: options.x.output_price
  found:    1,5
  expected: the price of a million tokens, 0 or more, with a point before the decimals
  next:     write 1.5 if the comma begins the decimals, or 15 if it separates thousands
""",
        id="comma in a number",
    ),
    pytest.param(
        """\
name: a
options:
  x: {api: a, output_price: "1.599,00"}
""",
        """\
s.yaml, line 3: options.x.output_price
  found:    1.599,00
  expected: the price of a million tokens, 0 or more, with a point before the decimals
  next:     write the number without separators, for example  1234.5
""",
        id="points and comma",
    ),
    pytest.param(
        """\
name: a
options:
  x: {own: rtx-4090, count: 1, price: 450 W}
""",
        """\
s.yaml, line 3: options.x.price
  found:    450 W
  expected: the price of one card, 0 or more; W belongs to a power, this field takes money for a
            card
  next:     write for example  1599
""",
        id="watts for a price",
    ),
    pytest.param(
        """\
name: a
options:
  x: {own: rtx-4090, count: 1, tdp: 450 USD}
""",
        """\
s.yaml, line 3: options.x.tdp
  found:    450 USD
  expected: watts of one card, 0 or more
  next:     write it without a currency:  450 W
""",
        id="money for watts",
    ),
    pytest.param(
        """\
name: a
options:
  x: {own: rtx-4090, count: 1, price: 450 quid}
""",
        """\
s.yaml, line 3: options.x.price
  found:    450 quid
  expected: the price of one card, 0 or more; quid is no unit or currency of it
  next:     write for example  1599
""",
        id="unknown unit",
    ),
    pytest.param(
        """\
name: a
options:
  x: {own: rtx-4090, count: 1, price: ABC 450}
""",
        """\
s.yaml, line 3: options.x.price
  found:    ABC 450
  expected: the price of one card, 0 or more; ABC is no currency
  next:     write a currency by its three letters, for example USD, EUR or CNY
""",
        id="unknown sign before",
    ),
    pytest.param(
        """\
name: a
demand: {output_tokens: 50 m}
options: {api: {api: gpt-4o, output_price: 15}}
""",
        """\
s.yaml, line 2: demand.output_tokens
  found:    50 m
  expected: tokens a month, 0 or more
  next:     write M for millions
""",
        id="small m",
    ),
    pytest.param(
        """\
name: a
demand: {load: flat}
options: {api: {api: gpt-4o, output_price: 15}}
""",
        """\
s.yaml, line 2: demand
  found:    keys with values: load
  expected: output_tokens, input_tokens or both (or tasks, or gpu_hours)
  next:     add the tokens of a month, for example  output_tokens: 50 M; without the whole block
            demand, costs alone are calculated
""",
        id="demand without tokens",
    ),
    pytest.param(
        """\
name: a
demand: {output_tokens: 5 M, load: flatt}
options: {api: {api: gpt-4o, output_price: 15}}
""",
        """\
s.yaml, line 2: demand.load
  found:    flatt
  expected: flat, office-hours or a list of loads of equal hours
  next:     did you mean flat?
""",
        id="unknown load",
    ),
    pytest.param(
        """\
name: a
options:
  x: {api: a, output_price: book}
""",
        """\
s.yaml, line 3: options.x.output_price
  found:    book
  expected: the price of a million tokens, 0 or more
  next:     write the number itself: the word book stands alone, as the price of a card, a GPU-hour
            or an API
""",
        id="price of the book for tokens",
    ),
    pytest.param(
        """\
name: a
options:
  x: {own: rtx-4090, count: 1, price: 1500, salvage: book}
""",
        """\
s.yaml, line 3: options.x.salvage
  found:    book
  expected: the price of one card, 0 or more
  next:     write the number itself: the word book stands alone, as the price of a card, a GPU-hour
            or an API
""",
        id="price of the book for a value in the books",
    ),
    pytest.param(
        """\
name: a
options:
  x: {api: a, output_price: 8 元}
""",
        """\
s.yaml, line 3: options.x.output_price
  found:    8 元
  expected: an amount in USD, or an exchange rate for CNY
  next:     add the line  exchange_rates: {CNY: ...}  with the number of CNY for one USD
""",
        id="missing exchange rate",
    ),
    pytest.param(
        """\
name: a
exchange_rates: {CNY: 7.1}
options: {x: {api: a, output_price: 8 EUR}}
""",
        """\
s.yaml, line 3: options.x.output_price
  found:    8 EUR
  expected: an amount in USD, or an exchange rate for EUR
  next:     add under exchange_rates the line  EUR: ...  # EUR for one USD
""",
        id="missing exchange rate beside others",
    ),
    pytest.param(
        """\
name: a
options:
  x: {api: a, output_price: ¥8}
""",
        """\
s.yaml, line 3: options.x.output_price
  found:    ¥8
  expected: one currency: ¥ is yuan and yen alike
  next:     write CNY or 元 for yuan, JPY for yen
""",
        id="yuan or yen",
    ),
    pytest.param(
        """\
name: a
exchange_rates: {CNY: 7.1 EUR/USD}
options: {x: {api: a, output_price: 8}}
""",
        """\
s.yaml, line 2: exchange_rates.CNY
  found:    7.1 EUR/USD
  expected: CNY for one USD, or USD for one CNY
  next:     write it as  7.10 CNY/USD  with your own number
""",
        id="another pair",
    ),
    pytest.param(
        """\
name: a
exchange_rates: {CNY: 0}
options: {api: {api: gpt-4o, output_price: 15}}
""",
        """\
s.yaml, line 2: exchange_rates.CNY
  found:    0
  expected: units of the foreign currency for one unit of the reporting currency, more than 0
  next:     write for example  7.10
""",
        id="rate of zero",
    ),
    pytest.param(
        """\
name: a
exchange_rates: {yuan: 7.1}
options: {api: {api: gpt-4o, output_price: 15}}
""",
        """\
s.yaml, line 2: exchange_rates.yuan
  found:    yuan
  expected: a currency by its three letters, such as CNY
  next:     write for example  CNY: 7.10
""",
        id="rate of no currency",
    ),
    pytest.param(
        """\
name: a
exchange_rates: {cny: 7.1}
options: {api: {api: gpt-4o, output_price: 15}}
""",
        """\
s.yaml, line 2: exchange_rates.cny
  found:    cny
  expected: a currency by its three letters, such as CNY
  next:     did you mean CNY?
""",
        id="rate in small letters",
    ),
    pytest.param(
        """\
name: a
exchange_rates: {USD: 1}
options: {api: {api: gpt-4o, output_price: 15}}
""",
        """\
s.yaml, line 2: exchange_rates.USD
  found:    USD
  expected: a currency other than the reporting currency USD
  next:     delete the line
""",
        id="rate of the reporting currency",
    ),
    pytest.param(
        """\
name: a
currency: bucks
options: {api: {api: gpt-4o, output_price: 15}}
""",
        """\
s.yaml, line 2: currency
  found:    bucks
  expected: a currency by its three letters, such as USD, EUR or CNY
  next:     write for example  USD
""",
        id="unknown reporting currency",
    ),
    pytest.param(
        """\
name: a
currency: ¥
options: {api: {api: gpt-4o, output_price: 15}}
""",
        """\
s.yaml, line 2: currency
  found:    ¥
  expected: one currency
  next:     write CNY for yuan or JPY for yen
""",
        id="sign as reporting currency",
    ),
    pytest.param(
        """\
name: a
exchange_rates: {CNY: 7.1}
options:
  x: {api: a, output_price: {value: $8, currency: CNY}}
""",
        """\
s.yaml, line 4: options.x.output_price.value
  found:    $8
  expected: an amount in CNY, as the other amounts beside it
  next:     use one currency
""",
        id="two currencies",
    ),
    pytest.param(
        """\
name: a
site: {pue: {value: 1.2, currency: USD}}
options: {api: {api: gpt-4o, output_price: 15}}
""",
        """\
s.yaml, line 2: site.pue.currency
  found:    USD
  expected: no currency: the field takes a power usage effectiveness
  next:     delete the key currency
""",
        id="currency where there is none",
    ),
    pytest.param(
        """\
name: a
baseline: apj
options: {api: {api: gpt-4o, output_price: 15}}
""",
        """\
s.yaml, line 2: baseline
  found:    apj
  expected: the name of an option: api
  next:     did you mean api?
""",
        id="unknown baseline",
    ),
    pytest.param(
        """\
name: a
other_costs: [{name: rack, amount: 50, per: month, options: [apj]}]
options: {api: {api: gpt-4o, output_price: 15}}
""",
        """\
s.yaml, line 2: other_costs[0].options[0]
  found:    apj
  expected: the name of an option: api
  next:     did you mean api?
""",
        id="cost of an unknown option",
    ),
    pytest.param(
        """\
name: a
other_costs: [{name: rack, per: month}]
options: {api: {api: gpt-4o, output_price: 15}}
""",
        """\
s.yaml, line 2: other_costs[0].amount
  found:    nothing
  expected: the amount of the cost
  next:     add for example  amount: 50
""",
        id="cost without amount",
    ),
    pytest.param(
        """\
name: a
other_costs: [{name: rack, amount: 5, per: week}]
options: {api: {api: gpt-4o, output_price: 15}}
""",
        """\
s.yaml, line 2: other_costs[0].per
  found:    week
  expected: one of once, month, year
  next:     write one of these words
""",
        id="cost per week",
    ),
    pytest.param(
        """\
name: a
other_costs: {name: rack, amount: 5, per: month}
options: {api: {api: gpt-4o, output_price: 15}}
""",
        """\
s.yaml, line 2: other_costs
  found:    keys with values: name, amount, per
  expected: a list of costs
  next:     begin each cost with a hyphen:  - {name: rack space, amount: 50, per: month}
""",
        id="costs as a mapping",
    ),
    pytest.param(
        """\
name: a
other_costs: [{name: rack, amount: 5, per: month, options: []}]
options: {api: {api: gpt-4o, output_price: 15}}
""",
        """\
s.yaml, line 2: other_costs[0].options
  found:    a list of 0
  expected: a list of options
  next:     write the names in brackets, or delete the line if all options bear the cost
""",
        id="cost for no options",
    ),
    pytest.param(
        """\
name: a
options:
  x: {api: a, output_price: {value: 15, low: 20, high: 10}}
""",
        """\
s.yaml, line 3: options.x.output_price.low
  found:    20
  expected: a low that is not above the high of 10
  next:     exchange low and high
""",
        id="low above high",
    ),
    pytest.param(
        """\
name: a
options:
  x: {api: a, output_price: {value: 15, low: 16, high: 20}}
""",
        """\
s.yaml, line 3: options.x.output_price.value
  found:    15
  expected: a value that is not outside its low 16 and high 20
  next:     widen low and high, or correct the value
""",
        id="value outside",
    ),
    pytest.param(
        """\
name: a
options:
  x: {api: a, output_price: {low: 16, high: 20}}
""",
        """\
s.yaml, line 3: options.x.output_price.value
  found:    nothing
  expected: the price of a million tokens, 0 or more
  next:     add  value: 15  with your own number
""",
        id="no value",
    ),
    pytest.param(
        """\
name: a
options:
  x: {rent: rtx-4090, count: 1, price: {minimum: 0.14}}
""",
        """\
s.yaml, line 3: options.x.price.median
  found:    minimum alone
  expected: the median, which renting is planned with: the minimum only stands beside it
  next:     add  median: 0.49  with your own number
""",
        id="no median",
    ),
    pytest.param(
        """\
name: a
options:
  x: {rent: rtx-4090, count: 1, price: {median: 0.49, minimum: 0.8}}
""",
        """\
s.yaml, line 3: options.x.price.minimum
  found:    0.8
  expected: a minimum that is not above the median of 0.49
  next:     exchange the two, or correct one of them
""",
        id="minimum above median",
    ),
    pytest.param(
        """\
name: a
options:
  x: {rent: rtx-4090, count: 1, price: {median: 0.49, value: 0.8}}
""",
        """\
s.yaml, line 3: options.x.price
  found:    median and value
  expected: one of the two
  next:     delete value
""",
        id="value and median",
    ),
    pytest.param(
        """\
name: a
options:
  x: {own: rtx-4090, count: 1, price: 100, salvage: 200}
""",
        """\
s.yaml, line 3: options.x.salvage
  found:    200
  expected: a salvage value that is not above the price of 100 (options.x.price, line 3)
  next:     lower the salvage value: it is that of one card at the end of its life
""",
        id="salvage above price",
    ),
    pytest.param(
        """\
name: a
hardware: {rtx-4090: {price: 100}}
options: {x: {own: rtx-4090, count: 1, salvage: 200}}
""",
        """\
s.yaml, line 3: options.x.salvage
  found:    200
  expected: a salvage value that is not above the price of 100 (hardware.rtx-4090.price, line 2)
  next:     lower the salvage value: it is that of one card at the end of its life
""",
        id="salvage above the hardware's price",
    ),
    pytest.param(
        """\
name: a
options:
  x: {api: a, output_price: 5, staff_hours_per_month: 4}
""",
        """\
s.yaml, line 3: options.x.staff_hours_per_month
  found:    4
  expected: the cost of an hour of work when hours of work are given
  next:     add the line  staff: {hourly_cost: ...}  in USD for one hour
""",
        id="hours of work without their cost",
    ),
    pytest.param(
        """\
name: a
hours_per_month: calendar
options: {api: {api: gpt-4o, output_price: 15}}
""",
        """\
s.yaml, line 2: hours_per_month
  found:    calendar
  expected: a start when the hours are those of the calendar
  next:     add the first month, for example  start: 2026-12
""",
        id="calendar without start",
    ),
    pytest.param(
        """\
name: a
hours_per_month: 8760
options: {api: {api: gpt-4o, output_price: 15}}
""",
        """\
s.yaml, line 2: hours_per_month
  found:    8760
  expected: hours a month, more than 0 and at most 744, or the word calendar
  next:     write for example  730
""",
        id="hours beyond a month",
    ),
    pytest.param(
        """\
name: a
months: 36.5
options: {api: {api: gpt-4o, output_price: 15}}
""",
        """\
s.yaml, line 2: months
  found:    36.5
  expected: a whole number of months from 1 to 120
  next:     write for example  36
""",
        id="months not whole",
    ),
    pytest.param(
        """\
name: a
months: 121
options: {api: {api: gpt-4o, output_price: 15}}
""",
        """\
s.yaml, line 2: months
  found:    121
  expected: a whole number of months from 1 to 120
  next:     write for example  36
""",
        id="too many months",
    ),
    pytest.param(
        """\
name: a
months: 0
options: {api: {api: gpt-4o, output_price: 15}}
""",
        """\
s.yaml, line 2: months
  found:    0
  expected: a whole number of months from 1 to 120
  next:     write for example  36
""",
        id="no months",
    ),
    pytest.param(
        """\
name: a
start: 2026-12-01
options: {api: {api: gpt-4o, output_price: 15}}
""",
        """\
s.yaml, line 2: start
  found:    2026-12-01
  expected: a month as year and month, from 1900-01 to 2199-12
  next:     write for example  2026-12
""",
        id="start as a day",
    ),
    pytest.param(
        """\
name: a
start: 2026-13
options: {api: {api: gpt-4o, output_price: 15}}
""",
        """\
s.yaml, line 2: start
  found:    2026-13
  expected: a month as year and month, from 1900-01 to 2199-12
  next:     write for example  2026-12
""",
        id="start without a month",
    ),
    pytest.param(
        """\
name: a
as_of: 2026-02-30
options: {api: {api: gpt-4o, output_price: 15}}
""",
        """\
s.yaml, line 2: as_of
  found:    2026-02-30
  expected: a day as year, month and day
  next:     write for example  2026-11-30
""",
        id="no such day",
    ),
    pytest.param(
        """\
name: a
options:
  x: {api: a, output_price: {value: 5, as_of: yesterday}}
""",
        """\
s.yaml, line 3: options.x.output_price.as_of
  found:    yesterday
  expected: a day or a month
  next:     write for example  2026-11-30  or  2026-11
""",
        id="as_of of a price",
    ),
    pytest.param(
        """\
name: a
options:
  x: {api: a, output_price: {value: 5, basis: guess}}
""",
        """\
s.yaml, line 3: options.x.output_price.basis
  found:    guess
  expected: one of measured, quoted, published, assumed
  next:     write one of these words
""",
        id="basis",
    ),
    pytest.param(
        """\
name: a
options:
  x: {rent: rtx-4090, count: 1, price: 1, billed: bussy}
""",
        """\
s.yaml, line 3: options.x.billed
  found:    bussy
  expected: one of held, busy, needed
  next:     did you mean busy?
""",
        id="billed",
    ),
    pytest.param(
        """\
name: a
discount_rate: 10
options: {api: {api: gpt-4o, output_price: 15}}
""",
        """\
s.yaml, line 2: discount_rate
  found:    10
  expected: a rate above -1 and below 1 a year, or a percentage
  next:     write 0.1 or 10%
""",
        id="discount rate as a number",
    ),
    pytest.param(
        """\
name: a
discount_rate: -1
options: {api: {api: gpt-4o, output_price: 15}}
""",
        """\
s.yaml, line 2: discount_rate
  found:    -1
  expected: a rate above -1 and below 1 a year, or a percentage
  next:     write for example  10%
""",
        id="discount rate of -1",
    ),
    pytest.param(
        """\
name: a
options:
  x: {own: rtx-4090, count: 1, output_rate: 0}
""",
        """\
s.yaml, line 3: options.x.output_rate
  found:    0
  expected: tokens a second of one card, more than 0
  next:     write for example  800
""",
        id="no rate",
    ),
    pytest.param(
        """\
name: "a\\u0007b"
options: {api: {api: gpt-4o, output_price: 15}}
""",
        """\
s.yaml, line 1: name
  found:    a\\x07b
  expected: a text without control characters
  next:     delete the character, which is shown as an escape here
""",
        id="name with a control character",
    ),
    pytest.param(
        """\
name: a
options: {"\\e[31mred": {api: a}}
""",
        """\
s.yaml, line 2: options."\\x1b[31mred"
  found:    \\x1b[31mred
  expected: a name of an option without control characters
  next:     delete the character, which is shown as an escape here
""",
        id="name with a terminal code",
    ),
    pytest.param(
        """\
name: ""
options: {api: {api: gpt-4o, output_price: 15}}
""",
        """\
s.yaml, line 1: name
  found:    ""
  expected: a name
  next:     write at least one character
""",
        id="empty name",
    ),
    pytest.param(
        """\
name: a
options: {" x": {api: a}}
""",
        """\
s.yaml, line 2: options." x"
  found:    the name " x"
  expected: a name of an option that does not begin or end with a space
  next:     delete the spaces at its ends, or write a name
""",
        id="name with spaces",
    ),
    pytest.param(
        """\
name: a
options:
\tx: {api: a}
""",
        """\
s.yaml, line 3
  found:    x: {api: a}
  expected: spaces at the beginning of the line
  next:     replace the tab by spaces
""",
        id="tab",
    ),
    pytest.param(
        """\
name: a
options: {x: {api: a}
""",
        """\
s.yaml, line 2
  found:    options: {x: {api: a}
  expected: a comma between two entries, and } at the end
  next:     add the missing comma or }
""",
        id="unclosed brace",
    ),
    pytest.param(
        """\
name: a
options: {x: [{api: a}
""",
        """\
s.yaml, line 2
  found:    options: {x: [{api: a}
  expected: a comma between two entries, and ] at the end
  next:     add the missing comma or ]
""",
        id="unclosed bracket",
    ),
    pytest.param(
        """\
name: 'a
options: {x: {api: a}}
""",
        """\
s.yaml, line 1
  found:    name: 'a
  expected: a quotation mark that closes the text
  next:     add the missing quotation mark
""",
        id="unclosed quote",
    ),
    pytest.param(
        """\
name: a
options
  x: {api: a}
months: 3
""",
        """\
s.yaml, line 2
  found:    options
  expected: a key, a colon and a space
  next:     write  key: value
""",
        id="no colon",
    ),
    pytest.param(
        """\
name: a: b
options: {api: {api: gpt-4o, output_price: 15}}
""",
        """\
s.yaml, line 1
  found:    name: a: b
  expected: one key and one value on a line, keys of one level at the same indentation
  next:     put a text that holds a colon in quotes, or correct the indentation
""",
        id="two colons",
    ),
    pytest.param(
        """\
name: a
options:
  x: {api: a}
 y: {api: b}
""",
        """\
s.yaml, line 4
  found:    y: {api: b}
  expected: keys of one level at the same indentation, and no bracket too many
  next:     indent this line as its neighbours are, or delete the bracket
""",
        id="wrong indentation",
    ),
    pytest.param(
        """\
name: a
options: {x: {api: a}}}
""",
        """\
s.yaml, line 2
  found:    options: {x: {api: a}}}
  expected: keys of one level at the same indentation, and no bracket too many
  next:     indent this line as its neighbours are, or delete the bracket
""",
        id="bracket too many",
    ),
    pytest.param(
        """\
name: @SUM(A1)
options: {api: {api: gpt-4o, output_price: 15}}
""",
        """\
s.yaml, line 1
  found:    name: @SUM(A1)
  expected: a value that begins with a letter, a digit or a quotation mark
  next:     put the value in quotes:  '...'
""",
        id="at sign",
    ),
    pytest.param(
        """\
name: %a
options: {api: {api: gpt-4o, output_price: 15}}
""",
        """\
s.yaml, line 1
  found:    name: %a
  expected: a value that begins with a letter, a digit or a quotation mark
  next:     put the value in quotes:  '...'
""",
        id="per cent first",
    ),
    pytest.param(
        """\
name: "C:\\gpu"
options: {api: {api: gpt-4o, output_price: 15}}
""",
        """\
s.yaml, line 1
  found:    name: "C:\\gpu"
  expected: a backslash sequence that YAML knows
  next:     write the text in single quotes, where a backslash is only itself
""",
        id="backslash",
    ),
    pytest.param(
        """\
name: "\\UFFFFFFFF"
options: {api: {api: gpt-4o, output_price: 15}}
""",
        """\
s.yaml, line 1
  found:    \\UFFFFFFFF
  expected: the code of a character
  next:     write the character itself, or put the text in single quotes
""",
        id="impossible escape",
    ),
    pytest.param(
        """\
name: a
site：{pue: 1.2}
options: {api: {api: gpt-4o, output_price: 15}}
""",
        """\
s.yaml, line 2: site：{pue
  found:    the key site：{pue
  expected: one of name, question, currency, start, months, as_of, hours_per_month, discount_rate,
            cash_timing, fiscal_year_end, tax, exchange_rates, baseline, demand, site, staff,
            hardware, models, options, other_costs, accounts, correlations, cases
  next:     full-width colon ： (U+FF1A) on line 2: type an ordinary colon followed by a space
""",
        id="full-width colon",
    ),
    pytest.param(
        """\
name: a
site:
  pue：1.2
  utilisation: 0.7
options: {api: {api: gpt-4o, output_price: 15}}
""",
        """\
s.yaml, line 3
  found:    pue：1.2
  expected: YAML's own punctuation
  next:     full-width colon ： (U+FF1A) on line 3: type an ordinary colon followed by a space
""",
        id="full-width colon in a block",
    ),
    pytest.param(
        """\
name: a
site:
  pue：1.2
options: {api: {api: gpt-4o, output_price: 15}}
""",
        """\
s.yaml, line 3: site
  found:    pue：1.2
  expected: keys with values, such as  {electricity_price: 0.10}
  next:     full-width colon ： (U+FF1A) on line 3: type an ordinary colon followed by a space
""",
        id="full-width colon at the end of a block",
    ),
    pytest.param(
        """\
name: a
options: {x: {own: rtx-4090，count: 2}}
""",
        """\
s.yaml, line 2
  found:    options: {x: {own: rtx-4090，count: 2}}
  expected: YAML's own punctuation
  next:     full-width comma ， (U+FF0C) on line 2: type an ordinary comma followed by a space
""",
        id="full-width comma",
    ),
    pytest.param(
        """\
name: a
other_costs: [{name: a, amount: 1, per: year, options: [api，b]}]
options: {api: {api: gpt-4o, output_price: 15}}
""",
        """\
s.yaml, line 2: other_costs[0].options[0]
  found:    api，b
  expected: the name of an option: api
  next:     full-width comma ， (U+FF0C) on line 2: type an ordinary comma followed by a space
""",
        id="full-width comma between names",
    ),
    pytest.param(
        """\
name: a
other_costs: 【{name: a}】
options: {api: {api: gpt-4o, output_price: 15}}
""",
        """\
s.yaml, line 2
  found:    other_costs: 【{name: a}】
  expected: YAML's own punctuation
  next:     full-width bracket 【 (U+3010) on line 2: type an ordinary [
""",
        id="full-width brackets",
    ),
    pytest.param(
        """\
name: a
options:
  x: {api: a, output_price: “15”}
""",
        """\
s.yaml, line 3: options.x.output_price
  found:    “15”
  expected: the price of a million tokens, 0 or more
  next:     full-width quotation mark “ (U+201C) on line 3: type an ordinary "
""",
        id="full-width quotes",
    ),
    pytest.param(
        """\
name: a
options:
  x: {api: a, output_price: 15；}
""",
        """\
s.yaml, line 3: options.x.output_price
  found:    15；
  expected: the price of a million tokens, 0 or more; ; is no unit or currency of it
  next:     full-width semicolon ； (U+FF1B) on line 3: type an ordinary comma followed by a space
""",
        id="full-width semicolon",
    ),
    pytest.param(
        """\
name：a
""",
        """\
s.yaml, line 1
  found:    name：a
  expected: keys with values at the top level, such as  name: my question
  next:     full-width colon ： (U+FF1A) on line 1: type an ordinary colon followed by a space
""",
        id="full-width everything",
    ),
    pytest.param(
        """\
name: !!python/object/apply:os.system ["true"]
options: {api: {api: gpt-4o, output_price: 15}}
""",
        """\
s.yaml, line 1: name
  found:    the tag !!python/object/apply:os.system
  expected: plain values: tags are refused, since some of them run code
  next:     delete the tag; write numbers, texts, lists and keys as they are

s.yaml, line 1: name
  found:    a list of 1
  expected: a text of at most 80 characters
  next:     write one value, for example  a short text
""",
        id="tag that runs code",
    ),
    pytest.param(
        """\
name: a
options:
  x: &x {api: a}
  y: {<<: *x, output_price: 5}
""",
        """\
s.yaml, line 4: options.y
  found:    a merge key (<<)
  expected: keys written out
  next:     write the keys out; *name may still repeat a whole value
""",
        id="merge key",
    ),
    pytest.param(
        """\
name: *a
options: {api: {api: gpt-4o, output_price: 15}}
""",
        """\
s.yaml, line 1
  found:    *a, which repeats a value that has no name
  expected: a value named &a above this line
  next:     put the value in quotes if the * belongs to it
""",
        id="unknown alias",
    ),
    pytest.param(
        """\
name: a
options: &o {x: *o}
""",
        """\
s.yaml, line 2
  found:    *o inside the value that it repeats
  expected: a value that does not hold itself
  next:     write the value out
""",
        id="alias inside itself",
    ),
    pytest.param(
        """\
name: a
? [b]
: c
options: {api: {api: gpt-4o, output_price: 15}}
""",
        """\
s.yaml, line 2
  found:    a key that is not a word
  expected: a word before the colon
  next:     write  key: value
""",
        id="complex key",
    ),
    pytest.param(
        """\
name: a
: c
options: {api: {api: gpt-4o, output_price: 15}}
""",
        """\
s.yaml, line 2
  found:    an empty key
  expected: a word before the colon
  next:     write  key: value
""",
        id="empty key",
    ),
    pytest.param(
        """\
name: a
---
name: b
""",
        """\
s.yaml, line 2
  found:    a second document, begun by ---
  expected: one scenario in a file
  next:     put each scenario into a file of its own
""",
        id="two documents",
    ),
    pytest.param(
        """\
""",
        """\
s.yaml
  found:    an empty file
  expected: a scenario
  next:     write a starter to change with  tco new FILE
""",
        id="empty file",
    ),
    pytest.param(
        """\
# nothing
""",
        """\
s.yaml
  found:    an empty file
  expected: a scenario
  next:     write a starter to change with  tco new FILE
""",
        id="only comments",
    ),
    pytest.param(
        """\
- name: a
""",
        """\
s.yaml, line 1
  found:    a list of 1
  expected: keys with values at the top level, such as  name: my question
  next:     see a complete example with  tco new FILE
""",
        id="top level list",
    ),
    pytest.param(
        """\
hello
""",
        """\
s.yaml, line 1
  found:    hello
  expected: keys with values at the top level, such as  name: my question
  next:     see a complete example with  tco new FILE
""",
        id="top level text",
    ),
]


@pytest.mark.parametrize(("text", "message"), MISTAKES)
def test_the_whole_message(text: str, message: str) -> None:
    with pytest.raises(ScenarioErrors) as caught:
        read(text.encode("utf-8"), "s.yaml")
    assert f"{caught.value}\n" == message
