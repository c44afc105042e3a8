"""Every mistake in a purchase, a site or a tax, with the whole message that answers it."""

from __future__ import annotations

import pytest

from tco.errors import ScenarioErrors
from tco.scenario.finance import faults_of_accounts
from tco.scenario.loading import read

# What is wrong, the file, and the message, to the letter.
MISTAKES = [
    pytest.param(
        """\
name: a
start: 2026-12
fiscal_year_end: 13
options: {x: {own: rtx-4090, count: 2, price: 1599}}
""",
        """\
s.yaml, line 3: fiscal_year_end
  found:    13
  expected: the number of a month of the year, 1 to 12
  next:     write for example  12
""",
        id="a fiscal year that ends in no month",
    ),
    pytest.param(
        """\
name: a
fiscal_year_end: 6
options: {x: {own: rtx-4090, count: 2, price: 1599}}
""",
        """\
s.yaml, line 2: fiscal_year_end
  found:    6
  expected: a start when the fiscal year has an end
  next:     add the first month, for example  start: 2026-12
""",
        id="the end of a fiscal year without a start",
    ),
    pytest.param(
        """\
name: a
cash_timing: mid-year
options: {x: {own: rtx-4090, count: 2, price: 1599}}
""",
        """\
s.yaml, line 2: cash_timing
  found:    mid-year
  expected: one of month-end, mid-month, year-end
  next:     write one of these words
""",
        id="a timing of cash that nobody knows",
    ),
    pytest.param(
        """\
name: a
discount_rate: -100%
options: {x: {own: rtx-4090, count: 2, price: 1599}}
""",
        """\
s.yaml, line 2: discount_rate
  found:    -100%
  expected: a rate above -1 and below 1 a year, or a percentage
  next:     write for example  10%
""",
        id="a rate of discount of minus all",
    ),
    pytest.param(
        """\
name: a
tax: 25%
options: {x: {own: rtx-4090, count: 2, price: 1599}}
""",
        """\
s.yaml, line 2: tax
  found:    25%
  expected: keys with values, such as  {rate: 25%}
  next:     write  {rate: 25%}
""",
        id="tax that is a rate alone",
    ),
    pytest.param(
        """\
name: a
tax: {lag_months: 4}
options: {x: {own: rtx-4090, count: 2, price: 1599}}
""",
        """\
s.yaml, line 2: tax.rate
  found:    nothing
  expected: the rate of the tax
  next:     add for example  rate: 25%
""",
        id="tax without a rate",
    ),
    pytest.param(
        """\
name: a
tax: {rate: 125%}
options: {x: {own: rtx-4090, count: 2, price: 1599}}
""",
        """\
s.yaml, line 2: tax.rate
  found:    125%
  expected: a fraction from 0 to 1, or a percentage from 0% to 100%
  next:     write for example  70%
""",
        id="a tax rate above all",
    ),
    pytest.param(
        """\
name: a
tax: {rate: 25}
options: {x: {own: rtx-4090, count: 2, price: 1599}}
""",
        """\
s.yaml, line 2: tax.rate
  found:    25
  expected: a fraction from 0 to 1, or a percentage from 0% to 100%
  next:     write 0.25 or 25%
""",
        id="a tax rate without its percent sign",
    ),
    pytest.param(
        """\
name: a
tax: {rate: 25%, lag_months: 0.5}
options: {x: {own: rtx-4090, count: 2, price: 1599}}
""",
        """\
s.yaml, line 2: tax.lag_months
  found:    0.5
  expected: a whole number of months, 0 or more
  next:     write for example  12
""",
        id="a lag of half a month",
    ),
    pytest.param(
        """\
name: a
tax: {rate: 25%, paid: month, lag_months: 4}
options: {x: {own: rtx-4090, count: 2, price: 1599}}
""",
        """\
s.yaml, line 2: tax.lag_months
  found:    4
  expected: no lag_months where tax is paid month by month
  next:     delete it, or write  paid: year-end
""",
        id="a lag where tax is paid by the month",
    ),
    pytest.param(
        """\
name: a
tax: {rate: 25%, paid: month, losses: carried, profit_per_year: 9}
options: {x: {own: rtx-4090, count: 2, price: 1599}}
""",
        """\
s.yaml, line 2: tax.losses
  found:    carried
  expected: losses: elsewhere, where tax is paid month by month: losses are counted by fiscal year
  next:     write  paid: year-end, or  losses: elsewhere
""",
        id="losses carried where tax is paid by the month",
    ),
    pytest.param(
        """\
name: a
tax: {rate: 25%, paid: month, losses: worthless}
options: {x: {own: rtx-4090, count: 2, price: 1599}}
""",
        """\
s.yaml, line 2: tax.losses
  found:    worthless
  expected: losses: elsewhere, where tax is paid month by month: losses are counted by fiscal year
  next:     write  paid: year-end, or  losses: elsewhere
""",
        id="losses worthless where tax is paid by the month",
    ),
    pytest.param(
        """\
name: a
tax: {rate: 25%, profit_per_year: 1 M}
options: {x: {own: rtx-4090, count: 2, price: 1599}}
""",
        """\
s.yaml, line 2: tax.profit_per_year
  found:    1 M
  expected: no profit_per_year where losses are set off elsewhere: all costs save tax
  next:     delete it, or write  losses: carried  or  losses: worthless
""",
        id="a profit where losses are used elsewhere",
    ),
    pytest.param(
        """\
name: a
tax: {rate: 25%, loss_limit: 80%}
options: {x: {own: rtx-4090, count: 2, price: 1599}}
""",
        """\
s.yaml, line 2: tax.loss_limit
  found:    80%
  expected: no loss_limit with losses: elsewhere
  next:     delete it, or write  losses: carried
""",
        id="a loss limit where losses are used elsewhere",
    ),
    pytest.param(
        """\
name: a
tax: {rate: 25%, losses: worthless, loss_limit: 80%}
options: {x: {own: rtx-4090, count: 2, price: 1599}}
""",
        """\
s.yaml, line 2: tax.loss_limit
  found:    80%
  expected: no loss_limit with losses: worthless
  next:     delete it, or write  losses: carried
""",
        id="a loss limit where losses are worth nothing",
    ),
    pytest.param(
        """\
name: a
tax: {rate: 25%, losses: carried, loss_limit: 1.2}
options: {x: {own: rtx-4090, count: 2, price: 1599}}
""",
        """\
s.yaml, line 2: tax.loss_limit
  found:    1.2
  expected: a fraction from 0 to 1, or a percentage from 0% to 100%
  next:     write 0.012 or 1.2%
""",
        id="a loss limit above all",
    ),
    pytest.param(
        """\
name: a
tax: {rate: 25%, losses: carry}
options: {x: {own: rtx-4090, count: 2, price: 1599}}
""",
        """\
s.yaml, line 2: tax.losses
  found:    carry
  expected: one of elsewhere, carried, worthless
  next:     did you mean carried?
""",
        id="a word for losses that nobody knows",
    ),
    pytest.param(
        """\
name: a
currency: CNY
tax: {rate: 25%, depreciation: {method: macrs}}
options: {x: {own: rtx-4090, count: 2, price: 1599}}
""",
        """\
s.yaml, line 3: tax.depreciation.method
  found:    macrs
  expected: a method that China knows, where the currency is CNY: MACRS is that of the United States
  next:     write for example  method: china-straight-line
""",
        id="MACRS in yuan",
    ),
    pytest.param(
        """\
name: a
currency: CNY
options:
  x:
    own: rtx-4090
    count: 2
    price: 1599
    tax_depreciation: {method: macrs-mid-quarter}
""",
        """\
s.yaml, line 8: options.x.tax_depreciation.method
  found:    macrs-mid-quarter
  expected: a method that China knows, where the currency is CNY: MACRS is that of the United States
  next:     write for example  method: china-straight-line
""",
        id="MACRS by the quarter in yuan",
    ),
    pytest.param(
        """\
name: a
tax: {rate: 25%, depreciation: {method: china-shortened}}
options: {x: {own: rtx-4090, count: 2, price: 1599}}
""",
        """\
s.yaml, line 2: tax.depreciation.method
  found:    china-shortened
  expected: a method for amounts in USD: this one is that of China, for CNY
  next:     write for example  method: straight-line, or  currency: CNY
""",
        id="a Chinese method in dollars",
    ),
    pytest.param(
        """\
name: a
tax: {rate: 25%, depreciation: {method: china-one-off}}
options: {x: {own: rtx-4090, count: 2, price: 1599}}
""",
        """\
s.yaml, line 2: tax.depreciation.method
  found:    china-one-off
  expected: a method for amounts in USD: this one is that of China, for CNY
  next:     write for example  method: straight-line, or  currency: CNY
""",
        id="a Chinese one-off deduction in dollars",
    ),
    pytest.param(
        """\
name: a
currency: CNY
tax: {rate: 25%, depreciation: {method: china-straight-line, life_months: 35}}
options: {x: {own: rtx-4090, count: 2, price: 1599}}
""",
        """\
s.yaml, line 3: tax.depreciation.life_months
  found:    35
  expected: at least 36 months (Art. 60(5) of the Regulations on Enterprise Income Tax)
  next:     write  life_months: 36, or more
""",
        id="a life for china-straight-line below that of the law",
    ),
    pytest.param(
        """\
name: a
currency: CNY
tax: {rate: 25%, depreciation: {method: china-shortened, life_months: 21}}
options: {x: {own: rtx-4090, count: 2, price: 1599}}
""",
        """\
s.yaml, line 3: tax.depreciation.life_months
  found:    21
  expected: at least 22 months (60 % of 36, Art. 98 of the Regulations on Enterprise Income Tax)
  next:     write  life_months: 22, or more
""",
        id="a life for china-shortened below that of the law",
    ),
    pytest.param(
        """\
name: a
currency: CNY
tax: {rate: 25%, depreciation: {method: china-declining, life_months: 24}}
options: {x: {own: rtx-4090, count: 2, price: 1599}}
""",
        """\
s.yaml, line 3: tax.depreciation.life_months
  found:    24
  expected: at least 36 months (Art. 60(5) of the Regulations on Enterprise Income Tax)
  next:     write  life_months: 36, or more
""",
        id="a life for china-declining below that of the law",
    ),
    pytest.param(
        """\
name: a
tax: {rate: 21%, depreciation: {method: straight-line, bonus: 40%}}
options: {x: {own: rtx-4090, count: 2, price: 1599}}
""",
        """\
s.yaml, line 2: tax.depreciation.bonus
  found:    40%
  expected: no bonus with the method straight-line
  next:     delete it, or choose a method that takes it: macrs, macrs-mid-quarter
""",
        id="a bonus without MACRS",
    ),
    pytest.param(
        """\
name: a
tax: {rate: 21%, depreciation: {method: macrs, life_months: 60}}
options: {x: {own: rtx-4090, count: 2, price: 1599}}
""",
        """\
s.yaml, line 2: tax.depreciation.life_months
  found:    60
  expected: no life_months with the method macrs
  next:     delete it, or choose a method that takes it: straight-line, declining,
            china-straight-line, china-shortened, china-declining
""",
        id="a life for MACRS",
    ),
    pytest.param(
        """\
name: a
tax: {rate: 21%, depreciation: {life_months: 60}}
options: {x: {own: rtx-4090, count: 2, price: 1599}}
""",
        """\
s.yaml, line 2: tax.depreciation.life_months
  found:    60
  expected: no life_months with the method book
  next:     delete it, or choose a method that takes it: straight-line, declining,
            china-straight-line, china-shortened, china-declining
""",
        id="a life for tax as in the books",
    ),
    pytest.param(
        """\
name: a
tax: {rate: 21%, depreciation: {method: straight-line, life_months: 0}}
options: {x: {own: rtx-4090, count: 2, price: 1599}}
""",
        """\
s.yaml, line 2: tax.depreciation.life_months
  found:    0
  expected: a whole number of months, 1 or more
  next:     write for example  48
""",
        id="a life for tax of no months",
    ),
    pytest.param(
        """\
name: a
tax: {rate: 21%, depreciation: {method: declining, factor: 0.5}}
options: {x: {own: rtx-4090, count: 2, price: 1599}}
""",
        """\
s.yaml, line 2: tax.depreciation.factor
  found:    0.5
  expected: how many times the straight-line rate, 1 or more
  next:     write for example  2
""",
        id="a factor below the straight line",
    ),
    pytest.param(
        """\
name: a
tax: {rate: 21%, depreciation: {method: table}}
options: {x: {own: rtx-4090, count: 2, price: 1599}}
""",
        """\
s.yaml, line 2: tax.depreciation.shares
  found:    nothing
  expected: the shares of the fiscal years, where the method is a table
  next:     add for example  shares: [40%, 30%, 20%, 10%]
""",
        id="a table without shares",
    ),
    pytest.param(
        """\
name: a
tax: {rate: 21%, depreciation: {method: table, shares: [40%, 30%, 20%]}}
options: {x: {own: rtx-4090, count: 2, price: 1599}}
""",
        """\
s.yaml, line 2: tax.depreciation.shares
  found:    90% in all
  expected: shares that sum to 100%
  next:     correct the shares
""",
        id="tax shares that are not all",
    ),
    pytest.param(
        """\
name: a
tax: {rate: 21%, depreciation: {method: table, shares: [110%, -10%]}}
options: {x: {own: rtx-4090, count: 2, price: 1599}}
""",
        """\
s.yaml, line 2: tax.depreciation.shares[0]
  found:    110%
  expected: a fraction from 0 to 1, or a percentage from 0% to 100%
  next:     write for example  70%
""",
        id="a tax share that is negative",
    ),
    pytest.param(
        """\
name: a
tax: {rate: 21%, depreciation: {method: table, shares: 100%}}
options: {x: {own: rtx-4090, count: 2, price: 1599}}
""",
        """\
s.yaml, line 2: tax.depreciation.shares
  found:    100%
  expected: a list of the shares of the fiscal years
  next:     write for example  shares: [40%, 30%, 20%, 10%]
""",
        id="tax shares that are one number",
    ),
    pytest.param(
        """\
name: a
currency: CNY
start: 2026-12
options:
  x:
    own: rtx-4090
    count: 2
    price: 5000001
    tax_depreciation: {method: china-one-off}
""",
        """\
s.yaml, line 8: options.x.price
  found:    5000001
  expected: at most CNY 5,000,000 a unit, the most that is deducted at once (Announcement 2023 No.
            37)
  next:     write for example  method: china-straight-line
""",
        id="a card that is too dear for a one-off deduction",
    ),
    pytest.param(
        """\
name: a
currency: CNY
exchange_rates: {USD: 0.125}
options:
  x:
    own: rtx-4090
    count: 2
    price: 800000 USD
    tax_depreciation: {method: china-one-off}
""",
        """\
s.yaml, line 8: options.x.price
  found:    800000 USD
  expected: at most CNY 5,000,000 a unit, the most that is deducted at once (Announcement 2023 No.
            37)
  next:     write for example  method: china-straight-line
""",
        id="a card in dollars that is too dear for a one-off deduction",
    ),
    pytest.param(
        """\
name: a
currency: CNY
start: 2026-12
tax: {rate: 25%, depreciation: {method: china-one-off}}
options:
  x:
    own: rtx-4090
    count: 2
    quote: {items: [{name: a, amount: 4 M}, {name: b, amount: 2 M, kind: network},
        {name: c, amount: 9 M, kind: support, months: 12}]}
""",
        """\
s.yaml, line 9: options.x.quote
  found:    a quote of CNY 6,000,000
  expected: at most CNY 5,000,000 a unit, the most that is deducted at once (Announcement 2023 No.
            37)
  next:     write for example  method: china-straight-line
""",
        id="a quote that is too dear for a one-off deduction",
    ),
    pytest.param(
        """\
name: a
currency: CNY
start: 2023-12
tax: {rate: 25%, depreciation: {method: china-one-off}}
options:
  x:
    own: rtx-4090
    count: 2
    price: 1599
""",
        """\
s.yaml, line 4: tax.depreciation.method
  found:    china-one-off and a start in 2023-12
  expected: a purchase from 2024-01 to 2027-12, for which Announcement 2023 No. 37 holds
  next:     write for example  method: china-straight-line
""",
        id="a one-off deduction before its years",
    ),
    pytest.param(
        """\
name: a
currency: CNY
start: 2028-01
hardware: {rtx-4090: {price: 20000, tax_depreciation: {method: china-one-off}}}
options: {x: {own: rtx-4090, count: 2}}
""",
        """\
s.yaml, line 4: hardware.rtx-4090.tax_depreciation.method
  found:    china-one-off and a start in 2028-01
  expected: a purchase from 2024-01 to 2027-12, for which Announcement 2023 No. 37 holds
  next:     write for example  method: china-straight-line
""",
        id="a one-off deduction after its years",
    ),
    pytest.param(
        """\
name: a
options:
  x:
    own: rtx-4090
    count: 2
    price: 1599
    life_months: 0
""",
        """\
s.yaml, line 7: options.x.life_months
  found:    0
  expected: a whole number of months, 1 or more
  next:     write for example  48
""",
        id="a life of no months",
    ),
    pytest.param(
        """\
name: a
options:
  x:
    own: rtx-4090
    count: 2
    price: 1599
    depreciation: {factor: 2}
""",
        """\
s.yaml, line 7: options.x.depreciation.factor
  found:    2
  expected: no factor with the method straight-line
  next:     delete it, or write  method: declining
""",
        id="a factor for the straight line",
    ),
    pytest.param(
        """\
name: a
options:
  x:
    own: rtx-4090
    count: 2
    price: 1599
    depreciation: {method: table, switch: no, written_off: [{months: 12, share: 100%}]}
""",
        """\
s.yaml, line 7: options.x.depreciation.switch
  found:    no
  expected: no switch with the method table
  next:     delete it, or write  method: declining
""",
        id="a switch for a table",
    ),
    pytest.param(
        """\
name: a
options:
  x:
    own: rtx-4090
    count: 2
    price: 1599
    depreciation: {written_off: [{months: 12, share: 100%}]}
""",
        """\
s.yaml, line 7: options.x.depreciation.written_off
  found:    a list of 1
  expected: no written_off with the method straight-line
  next:     delete it, or write  method: table
""",
        id="ages for the straight line",
    ),
    pytest.param(
        """\
name: a
options:
  x:
    own: rtx-4090
    count: 2
    price: 1599
    depreciation: {method: table}
""",
        """\
s.yaml, line 7: options.x.depreciation.written_off
  found:    nothing
  expected: what is written off by which age, where the method is a table
  next:     add for example  written_off: [{months: 12, share: 60%}, {months: 24, share: 100%}]
""",
        id="a table of the books without ages",
    ),
    pytest.param(
        """\
name: a
options:
  x:
    own: rtx-4090
    count: 2
    price: 1599
    depreciation: {method: table, written_off: [{months: 24, share: 60%},
        {months: 12, share: 100%}]}
""",
        """\
s.yaml, line 8: options.x.depreciation.written_off[1].months
  found:    12
  expected: a later month than the 24 before it
  next:     write the ages in ascending order of their months
""",
        id="ages of the books out of order",
    ),
    pytest.param(
        """\
name: a
options:
  x:
    own: rtx-4090
    count: 2
    price: 1599
    depreciation: {method: table, written_off: [{months: 0, share: 20%}, {months: 12, share: 100%}]}
""",
        """\
s.yaml, line 7: options.x.depreciation.written_off[0].months
  found:    0
  expected: an age of 1 month or more: nothing is written off before
  next:     begin with the end of the first months, for example  months: 12
""",
        id="something written off at no age",
    ),
    pytest.param(
        """\
name: a
options:
  x:
    own: rtx-4090
    count: 2
    price: 1599
    depreciation: {method: table, written_off: [{months: 12, share: 60%},
        {months: 24, share: 40%}, {months: 36, share: 100%}]}
""",
        """\
s.yaml, line 8: options.x.depreciation.written_off[1].share
  found:    40%
  expected: a share that is not below the 60% before it: shares add up by age
  next:     write what is written off in all by that age
""",
        id="less written off later",
    ),
    pytest.param(
        """\
name: a
options:
  x:
    own: rtx-4090
    count: 2
    price: 1599
    depreciation: {method: table, written_off: [{months: 12, share: 60%}, {months: 24, share: 90%}]}
""",
        """\
s.yaml, line 7: options.x.depreciation.written_off[1].share
  found:    90%
  expected: a last share of 100%
  next:     add the age at which all is written off; what is kept in the books is salvage
""",
        id="not all written off",
    ),
    pytest.param(
        """\
name: a
options:
  x:
    own: rtx-4090
    count: 2
    price: 1599
    depreciation: {method: table, written_off: [{months: 12, share: 110%}]}
""",
        """\
s.yaml, line 7: options.x.depreciation.written_off[0].share
  found:    110%
  expected: a fraction from 0 to 1, or a percentage from 0% to 100%
  next:     write for example  70%
""",
        id="more than all written off",
    ),
    pytest.param(
        """\
name: a
options:
  x:
    own: rtx-4090
    count: 2
    price: 1599
    depreciation: {start: next}
""",
        """\
s.yaml, line 7: options.x.depreciation.start
  found:    next
  expected: service-month or next-month
  next:     write one of these words
""",
        id="a start of depreciation that nobody knows",
    ),
    pytest.param(
        """\
name: a
options:
  x:
    own: rtx-4090
    count: 2
    price: 1599
    purchase: {discount: 110%}
""",
        """\
s.yaml, line 7: options.x.purchase.discount
  found:    110%
  expected: a fraction from 0 to 1, or a percentage from 0% to 100%
  next:     write for example  70%
""",
        id="a discount above the price",
    ),
    pytest.param(
        """\
name: a
options:
  x:
    own: rtx-4090
    count: 2
    price: 1599
    purchase: {host: -5}
""",
        """\
s.yaml, line 7: options.x.purchase.host
  found:    -5
  expected: an amount of money for each card, 0 or more
  next:     write for example  200
""",
        id="a negative host",
    ),
    pytest.param(
        """\
name: a
options:
  x:
    own: rtx-4090
    count: 2
    price: 1599
    purchase: {spares: 0.5}
""",
        """\
s.yaml, line 7: options.x.purchase.spares
  found:    0.5
  expected: a whole number, 0 or more
  next:     write for example  1
""",
        id="half a spare card",
    ),
    pytest.param(
        """\
name: a
options:
  x:
    own: rtx-4090
    count: 2
    price: 1599
    purchase: {hosts: 500}
""",
        """\
s.yaml, line 7: options.x.purchase.hosts
  found:    the key hosts
  expected: one of discount, host, installation, vat, network, rack_and_cooling, shipping, duty,
            spares
  next:     did you mean host?
""",
        id="a part that no purchase has",
    ),
    pytest.param(
        """\
name: a
options:
  x:
    own: rtx-4090
    count: 2
    price: 1599
    purchase: {vat: {rate: 13%, recoverable: no, refund_months: 2}}
""",
        """\
s.yaml, line 7: options.x.purchase.vat.refund_months
  found:    2
  expected: no refund_months for a tax that is not got back
  next:     delete it, or write  recoverable: yes
""",
        id="tax got back later that is never got back",
    ),
    pytest.param(
        """\
name: a
options:
  x:
    own: rtx-4090
    count: 2
    price: 1599
    salvage: 1700
    purchase: {discount: 50%, host: 800}
""",
        """\
s.yaml, line 7: options.x.salvage
  found:    1700
  expected: a salvage value that is not above the cost of a card with all that belongs to it, 1599.5
            (options.x.purchase, line 8)
  next:     lower the salvage value: it is that of one card at the end of its life
""",
        id="a salvage above the cost with all parts",
    ),
    pytest.param(
        """\
name: a
options:
  x:
    own: rtx-4090
    count: 2
    salvage: 5000
    quote: {items: [{name: servers, amount: 9000}]}
""",
        """\
s.yaml, line 6: options.x.salvage
  found:    5000
  expected: a salvage value that is not above the cost of a card by the quote (options.x.quote, line
            7)
  next:     lower the salvage value: it is that of one card at the end of its life
""",
        id="a salvage above the cost by the quote",
    ),
    pytest.param(
        """\
name: a
options:
  x:
    own: rtx-4090
    count: 2
    price: 1599
    salvage: 1600
""",
        """\
s.yaml, line 7: options.x.salvage
  found:    1600
  expected: a salvage value that is not above the price of 1599 (options.x.price, line 6)
  next:     lower the salvage value: it is that of one card at the end of its life
""",
        id="a salvage above the price",
    ),
    pytest.param(
        """\
name: a
options:
  x:
    own: rtx-4090
    count: 2
    price: 1599
    quote: {items: [{name: servers, amount: 9000}]}
""",
        """\
s.yaml, line 7: options.x.quote
  found:    price and quote
  expected: one of price, quote and already_owned
  next:     keep one of them: it says what the cards cost
""",
        id="a price and a quote",
    ),
    pytest.param(
        """\
name: a
options:
  x:
    own: rtx-4090
    count: 2
    price: 1599
    already_owned: {resale_value: 900}
""",
        """\
s.yaml, line 7: options.x.already_owned
  found:    price and already_owned
  expected: one of price, quote and already_owned
  next:     keep one of them: it says what the cards cost
""",
        id="a price and cards that are owned",
    ),
    pytest.param(
        """\
name: a
options:
  x:
    own: rtx-4090
    count: 2
    quote: {items: [{name: servers, amount: 9000}]}
    already_owned: {resale_value: 900}
""",
        """\
s.yaml, line 7: options.x.already_owned
  found:    quote and already_owned
  expected: one of price, quote and already_owned
  next:     keep one of them: it says what the cards cost
""",
        id="a quote and cards that are owned",
    ),
    pytest.param(
        """\
name: a
options:
  x:
    own: rtx-4090
    count: 2
    quote: {items: []}
""",
        """\
s.yaml, line 6: options.x.quote.items
  found:    a list of 0
  expected: a list of items
  next:     write for example  [{name: servers, amount: 120000}]
""",
        id="a quote of nothing",
    ),
    pytest.param(
        """\
name: a
options:
  x:
    own: rtx-4090
    count: 2
    quote: {valid_until: 2026-12-31}
""",
        """\
s.yaml, line 6: options.x.quote.items
  found:    nothing
  expected: the items of the quote
  next:     add for example  items: [{name: servers, amount: 120000}]
""",
        id="a quote without items",
    ),
    pytest.param(
        """\
name: a
options:
  x:
    own: rtx-4090
    count: 2
    quote: {items: [{name: servers}]}
""",
        """\
s.yaml, line 6: options.x.quote.items[0].amount
  found:    nothing
  expected: what the item costs
  next:     add for example  amount: 120000
""",
        id="an item without an amount",
    ),
    pytest.param(
        """\
name: a
options:
  x:
    own: rtx-4090
    count: 2
    quote: {items: [{amount: 9}]}
""",
        """\
s.yaml, line 6: options.x.quote.items[0].name
  found:    nothing
  expected: what the item is
  next:     add for example  name: servers
""",
        id="an item without a name",
    ),
    pytest.param(
        """\
name: a
options:
  x:
    own: rtx-4090
    count: 2
    quote: {items: [{name: help, amount: 9, kind: support, months: 12}]}
""",
        """\
s.yaml, line 6: options.x.quote.items
  found:    no hardware
  expected: at least one item of hardware, which is the price of the cards
  next:     add for example  {name: 8 cards, amount: 12800, kind: hardware}
""",
        id="a quote without hardware",
    ),
    pytest.param(
        """\
name: a
options:
  x:
    own: rtx-4090
    count: 2
    quote: {items: [{name: servers, amount: 9}, {name: help, amount: 9, kind: support}]}
""",
        """\
s.yaml, line 6: options.x.quote.items[1].months
  found:    nothing
  expected: the months that the support is for
  next:     add for example  months: 36
""",
        id="support for no time",
    ),
    pytest.param(
        """\
name: a
options:
  x:
    own: rtx-4090
    count: 2
    quote: {items: [{name: servers, amount: 9, months: 12}]}
""",
        """\
s.yaml, line 6: options.x.quote.items[0].months
  found:    12
  expected: no months for hardware, which is bought
  next:     delete it, or write  kind: support
""",
        id="hardware for a time",
    ),
    pytest.param(
        """\
name: a
options:
  x:
    own: rtx-4090
    count: 2
    quote: {items: [{name: servers, amount: 9, kind: server}]}
""",
        """\
s.yaml, line 6: options.x.quote.items[0].kind
  found:    server
  expected: one of hardware, network, support
  next:     write one of these words
""",
        id="an item of an unknown kind",
    ),
    pytest.param(
        """\
name: a
options:
  x:
    own: rtx-4090
    count: 2
    quote: {items: [{name: servers, amount: 9000}], valid_until: 2026-12}
""",
        """\
s.yaml, line 6: options.x.quote.valid_until
  found:    2026-12
  expected: a day as year, month and day
  next:     write for example  2026-11-30
""",
        id="a last day that is a month",
    ),
    pytest.param(
        """\
name: a
options:
  x:
    own: rtx-4090
    count: 2
    quote: {items: [{name: servers, amount: 9000}], payment: [{month: 0, share: 30%},
        {month: 2, share: 60%}]}
""",
        """\
s.yaml, line 6: options.x.quote.payment
  found:    90% in all
  expected: shares that sum to 100%
  next:     correct the shares
""",
        id="payments that are not all",
    ),
    pytest.param(
        """\
name: a
options:
  x:
    own: rtx-4090
    count: 2
    quote: {items: [{name: servers, amount: 9000}], payment: [{month: 2, share: 30%},
        {month: 2, share: 70%}]}
""",
        """\
s.yaml, line 7: options.x.quote.payment[1].month
  found:    2
  expected: a later month than the 2 before it
  next:     write the payments in ascending order of their months
""",
        id="payments out of order",
    ),
    pytest.param(
        """\
name: a
options:
  x:
    own: rtx-4090
    count: 2
    quote: {items: [{name: servers, amount: 9000}], payment: [{month: 0, share: 30%},
        {month: 37, share: 70%}]}
""",
        """\
s.yaml, line 7: options.x.quote.payment[1].month
  found:    37
  expected: a month up to 36, the last one that is looked at
  next:     pay it earlier, or look at more months
""",
        id="a payment after the last month",
    ),
    pytest.param(
        """\
name: a
options:
  x:
    own: rtx-4090
    count: 2
    quote: {items: [{name: servers, amount: 9000}], lead_time_months: 36}
""",
        """\
s.yaml, line 6: options.x.quote.lead_time_months
  found:    36
  expected: fewer months than the 36 that are looked at: the cards would never serve
  next:     shorten the lead time, or look at more months
""",
        id="a lead time of all months",
    ),
    pytest.param(
        """\
name: a
options:
  x:
    own: rtx-4090
    count: 2
    quote: {items: [{name: servers, amount: 9000}], lead_time_months: -1}
""",
        """\
s.yaml, line 6: options.x.quote.lead_time_months
  found:    -1
  expected: a whole number of months, 0 or more
  next:     write for example  12
""",
        id="a lead time that is negative",
    ),
    pytest.param(
        """\
name: a
options:
  x:
    own: rtx-4090
    count: 2
    quote: {items: [{name: servers, amount: 9000 CNY}]}
""",
        """\
s.yaml, line 6: options.x.quote.items[0].amount
  found:    9000 CNY
  expected: an amount in USD, or an exchange rate for CNY
  next:     add the line  exchange_rates: {CNY: ...}  with the number of CNY for one USD
""",
        id="an amount in a currency without a rate",
    ),
    pytest.param(
        """\
name: a
demand: {output_tokens: 5 M}
options:
  x:
    own: rtx-4090
    count: auto
    quote: {items: [{name: servers, amount: 9000}]}
""",
        """\
s.yaml, line 7: options.x.quote
  found:    count: auto
  expected: no quote where the count follows the demand: it is for a fixed number
  next:     write for example  count: 8, or delete quote
""",
        id="a quote for as many as needed",
    ),
    pytest.param(
        """\
name: a
demand: {output_tokens: 5 M}
options:
  x:
    own: rtx-4090
    count: auto
    already_owned: {resale_value: 9}
""",
        """\
s.yaml, line 7: options.x.already_owned
  found:    count: auto
  expected: no already_owned where the count follows the demand: it is for a fixed number
  next:     write for example  count: 8, or delete already_owned
""",
        id="cards owned, as many as needed",
    ),
    pytest.param(
        """\
name: a
demand: {output_tokens: 5 M}
options:
  x:
    own: rtx-4090
    count: auto
    price: 1599
    refresh: {after_months: 12, price: 9}
""",
        """\
s.yaml, line 8: options.x.refresh
  found:    count: auto
  expected: no refresh where the count follows the demand: it is for a fixed number
  next:     write for example  count: 8, or delete refresh
""",
        id="a refresh of as many as needed",
    ),
    pytest.param(
        """\
name: a
demand: {output_tokens: 5 M}
options:
  x:
    own: rtx-4090
    count: auto
    price: 1599
    financing: {lease: {payment: 9, months: 36, rate: 8%}}
""",
        """\
s.yaml, line 8: options.x.financing.lease
  found:    count: auto
  expected: no financing.lease where the count follows the demand: it is for a fixed number
  next:     write for example  count: 8, or delete financing.lease
""",
        id="a lease of as many as needed",
    ),
    pytest.param(
        """\
name: a
options:
  x:
    own: rtx-4090
    count: 2
    already_owned: {resale_value: 9}
    purchase: {host: 9}
""",
        """\
s.yaml, line 7: options.x.purchase
  found:    keys with values: host
  expected: no purchase of cards that are owned already: nothing is bought
  next:     delete it, or give a price in place of already_owned
""",
        id="parts of cards that are owned",
    ),
    pytest.param(
        """\
name: a
options:
  x:
    own: rtx-4090
    count: 2
    already_owned: {resale_value: 9}
    salvage: 9
""",
        """\
s.yaml, line 7: options.x.salvage
  found:    9
  expected: no salvage of cards that are owned already: nothing is bought
  next:     delete it, or give a price in place of already_owned
""",
        id="a salvage of cards that are owned",
    ),
    pytest.param(
        """\
name: a
options:
  x:
    own: rtx-4090
    count: 2
    already_owned: {resale_value: 9}
    financing: {loan: {rate: 8%, months: 12}}
""",
        """\
s.yaml, line 7: options.x.financing
  found:    keys with values: loan
  expected: no financing of cards that are owned already: nothing is bought
  next:     delete it, or give a price in place of already_owned
""",
        id="a loan for cards that are owned",
    ),
    pytest.param(
        """\
name: a
options:
  x:
    own: rtx-4090
    count: 2
    already_owned: {}
""",
        """\
s.yaml, line 6: options.x.already_owned.resale_value
  found:    nothing
  expected: what one card could be sold for now
  next:     add for example  resale_value: 900
""",
        id="cards owned that are worth nobody knows what",
    ),
    pytest.param(
        """\
name: a
options:
  x:
    own: rtx-4090
    count: 2
    price: 1599
    refresh: {after_months: 0, price: 9}
""",
        """\
s.yaml, line 7: options.x.refresh.after_months
  found:    0
  expected: a whole number of months, 1 or more
  next:     write for example  48
""",
        id="a refresh after no months",
    ),
    pytest.param(
        """\
name: a
options:
  x:
    own: rtx-4090
    count: 2
    price: 1599
    refresh: {after_months: 12}
""",
        """\
s.yaml, line 7: options.x.refresh.price
  found:    nothing
  expected: a price
  next:     add for example  price: 10
""",
        id="a refresh without a price",
    ),
    pytest.param(
        """\
name: a
options:
  x:
    own: rtx-4090
    count: 2
    price: 1599
    refresh: {after_months: 12, price: 9}
    residual_value: {amount: 100}
""",
        """\
s.yaml, line 8: options.x.residual_value.amount
  found:    100
  expected: a value by age where the cards are replaced again and again
  next:     write for example  loss_per_year: 30%  or  by_age: [{months: 36, share: 30%}]
""",
        id="an amount at the end of cards that are replaced",
    ),
    pytest.param(
        """\
name: a
hardware: {rtx-4090: {price: 1599, residual_value: {amount: 100}}}
options: {x: {own: rtx-4090, count: 2, refresh: {after_months: 12, price: 1500}}}
""",
        """\
s.yaml, line 2: hardware.rtx-4090.residual_value.amount
  found:    100
  expected: a value by age where the cards are replaced again and again
  next:     write for example  loss_per_year: 30%  or  by_age: [{months: 36, share: 30%}]
""",
        id="an amount of the card at the end of cards that are replaced",
    ),
    pytest.param(
        """\
name: a
options:
  x:
    own: rtx-4090
    count: 2
    price: 1599
    maintenance: {share_per_year: 5%}
    failures: {share_per_year: 4%}
""",
        """\
s.yaml, line 8: options.x.failures
  found:    both
  expected: maintenance or failures
  next:     keep one: a contract covers what fails
""",
        id="a contract and failures",
    ),
    pytest.param(
        """\
name: a
hardware: {rtx-4090: {price: 1599, maintenance: {share_per_year: 5%}}}
options:
  x: {own: rtx-4090, count: 2, failures: {share_per_year: 4%}}
""",
        """\
s.yaml, line 4: options.x.failures
  found:    failures beside maintenance
  expected: maintenance or failures: hardware.rtx-4090.maintenance holds for this supply too
  next:     keep one: a contract covers what fails
""",
        id="a contract of the card and failures of the supply",
    ),
    pytest.param(
        """\
name: a
options:
  x:
    own: rtx-4090
    count: 2
    price: 1599
    maintenance: {warranty_months: 12}
""",
        """\
s.yaml, line 7: options.x.maintenance.share_per_year
  found:    nothing
  expected: a share a year
  next:     add for example  share_per_year: 5%
""",
        id="a contract without a price",
    ),
    pytest.param(
        """\
name: a
options:
  x:
    own: rtx-4090
    count: 2
    price: 1599
    maintenance: {share_per_year: 120%}
""",
        """\
s.yaml, line 7: options.x.maintenance.share_per_year
  found:    120%
  expected: a fraction from 0 to 1 a year, or a percentage from 0% to 100%
  next:     write for example  5%
""",
        id="a contract dearer than the equipment each year",
    ),
    pytest.param(
        """\
name: a
options:
  x:
    own: rtx-4090
    count: 2
    price: 1599
    failures: {share_per_year: 4%, events: 3}
""",
        """\
s.yaml, line 7: options.x.failures
  found:    share_per_year and events
  expected: share_per_year, or events, gpus and days together
  next:     keep one of the two ways
""",
        id="failures in two ways",
    ),
    pytest.param(
        """\
name: a
options:
  x:
    own: rtx-4090
    count: 2
    price: 1599
    failures: {warranty_months: 12}
""",
        """\
s.yaml, line 7: options.x.failures
  found:    keys with values: warranty_months
  expected: share_per_year, or events, gpus and days together
  next:     write for example  {share_per_year: 4%}
""",
        id="failures in no way",
    ),
    pytest.param(
        """\
name: a
options:
  x:
    own: rtx-4090
    count: 2
    price: 1599
    failures: {events: 3, days: 54}
""",
        """\
s.yaml, line 7: options.x.failures
  found:    events and days alone
  expected: events, gpus and days together: how many failed among how many in how long
  next:     add gpus, or write  share_per_year: 4%  in their place
""",
        id="failures of nobody knows how many",
    ),
    pytest.param(
        """\
name: a
options:
  x:
    own: rtx-4090
    count: 2
    price: 1599
    failures: {events: 3, gpus: 100, days: 0}
""",
        """\
s.yaml, line 7: options.x.failures.days
  found:    0
  expected: days, more than 0
  next:     write for example  54
""",
        id="failures in no days",
    ),
    pytest.param(
        """\
name: a
options:
  x:
    own: rtx-4090
    count: 2
    price: 1599
    failures: {share_per_year: 101%}
""",
        """\
s.yaml, line 7: options.x.failures.share_per_year
  found:    101%
  expected: a fraction from 0 to 1 a year, or a percentage from 0% to 100%
  next:     write for example  5%
""",
        id="more failures than all",
    ),
    pytest.param(
        """\
name: a
options:
  x:
    own: rtx-4090
    count: 2
    price: 1599
    licences: {price_per_year: 9 USD/month}
""",
        """\
s.yaml, line 7: options.x.licences.price_per_year
  found:    9 USD/month
  expected: the price of one card for a year, 0 or more; /month belongs to tokens a month, this
            field takes money for a card and year
  next:     write for example  4500
""",
        id="licences by the month",
    ),
    pytest.param(
        """\
name: a
options:
  x:
    own: rtx-4090
    count: 2
    price: 1599
    insurance: {share_per_year: 100 USD}
""",
        """\
s.yaml, line 7: options.x.insurance.share_per_year
  found:    100 USD
  expected: a fraction from 0 to 1 a year, or a percentage from 0% to 100%
  next:     write it without a currency:  5%
""",
        id="a premium that is money",
    ),
    pytest.param(
        """\
name: a
options:
  x:
    own: rtx-4090
    count: 2
    price: 1599
    host_power: -100 W
""",
        """\
s.yaml, line 7: options.x.host_power
  found:    -100 W
  expected: watts for each card, 0 or more
  next:     write for example  100 W
""",
        id="a host of negative power",
    ),
    pytest.param(
        """\
name: a
options:
  x:
    own: rtx-4090
    count: 2
    price: 1599
    residual_value: {loss_per_year: 30%, amount: 100}
""",
        """\
s.yaml, line 7: options.x.residual_value
  found:    loss_per_year and amount
  expected: exactly one of by_age, loss_per_year and amount
  next:     keep one of them
""",
        id="two values at the end",
    ),
    pytest.param(
        """\
name: a
options:
  x:
    own: rtx-4090
    count: 2
    price: 1599
    residual_value: {sale_cost: 10%}
""",
        """\
s.yaml, line 7: options.x.residual_value
  found:    keys with values: sale_cost
  expected: exactly one of by_age, loss_per_year and amount
  next:     write for example  {loss_per_year: 30%, sale_cost: 10%}
""",
        id="no value at the end",
    ),
    pytest.param(
        """\
name: a
options:
  x:
    own: rtx-4090
    count: 2
    price: 1599
    residual_value: {by_age: [{months: 36, share: 30%}, {months: 12, share: 60%}]}
""",
        """\
s.yaml, line 7: options.x.residual_value.by_age[1].months
  found:    12
  expected: a later month than the 36 before it
  next:     write the ages in ascending order of their months
""",
        id="ages of a value out of order",
    ),
    pytest.param(
        """\
name: a
options:
  x:
    own: rtx-4090
    count: 2
    price: 1599
    residual_value: {by_age: [{months: 36, share: 130%}]}
""",
        """\
s.yaml, line 7: options.x.residual_value.by_age[0].share
  found:    130%
  expected: a fraction from 0 to 1, or a percentage from 0% to 100%
  next:     write for example  70%
""",
        id="more than the price at the end",
    ),
    pytest.param(
        """\
name: a
options:
  x:
    own: rtx-4090
    count: 2
    price: 1599
    residual_value: {loss_per_year: 130%}
""",
        """\
s.yaml, line 7: options.x.residual_value.loss_per_year
  found:    130%
  expected: a fraction from 0 to 1 a year, or a percentage from 0% to 100%
  next:     write for example  5%
""",
        id="a loss of more than all",
    ),
    pytest.param(
        """\
name: a
options:
  x:
    own: rtx-4090
    count: 2
    price: 1599
    residual_value: {amount: 9, sale_cost: 2}
""",
        """\
s.yaml, line 7: options.x.residual_value.sale_cost
  found:    2
  expected: a fraction from 0 to 1, or a percentage from 0% to 100%
  next:     write 0.02 or 2%
""",
        id="a cost of sale above the price",
    ),
    pytest.param(
        """\
name: a
options:
  x:
    own: rtx-4090
    count: 2
    price: 1599
    residual_value: {by_age: [{months: 36}]}
""",
        """\
s.yaml, line 7: options.x.residual_value.by_age[0].share
  found:    nothing
  expected: a share
  next:     add for example  share: 30%
""",
        id="a value at an age without a share",
    ),
    pytest.param(
        """\
name: a
options:
  x:
    own: rtx-4090
    count: 2
    price: 1599
    financing: {loan: {rate: 8%, months: 12}, lease: {payment: 9, months: 36, rate: 8%}}
""",
        """\
s.yaml, line 7: options.x.financing
  found:    loan and lease
  expected: exactly one of loan and lease
  next:     keep one of them
""",
        id="a loan and a lease",
    ),
    pytest.param(
        """\
name: a
options:
  x:
    own: rtx-4090
    count: 2
    price: 1599
    financing: {}
""",
        """\
s.yaml, line 7: options.x.financing
  found:    nothing
  expected: exactly one of loan and lease
  next:     write for example  {loan: {rate: 8%, months: 36}}
""",
        id="no financing",
    ),
    pytest.param(
        """\
name: a
options:
  x:
    own: rtx-4090
    count: 2
    price: 1599
    financing: {loan: {months: 12}}
""",
        """\
s.yaml, line 7: options.x.financing.loan.rate
  found:    nothing
  expected: the nominal rate of a year
  next:     add for example  rate: 8%
""",
        id="a loan without a rate",
    ),
    pytest.param(
        """\
name: a
options:
  x:
    own: rtx-4090
    count: 2
    price: 1599
    financing: {loan: {rate: 8%}}
""",
        """\
s.yaml, line 7: options.x.financing.loan.months
  found:    nothing
  expected: a number of months
  next:     add for example  months: 36
""",
        id="a loan without months",
    ),
    pytest.param(
        """\
name: a
options:
  x:
    own: rtx-4090
    count: 2
    price: 1599
    financing: {loan: {rate: 8, months: 12}}
""",
        """\
s.yaml, line 7: options.x.financing.loan.rate
  found:    8
  expected: a rate above -100% and up to 100% a year, nominal, compounded monthly
  next:     write 0.08 or 8%
""",
        id="a loan at a rate without its percent sign",
    ),
    pytest.param(
        """\
name: a
options:
  x:
    own: rtx-4090
    count: 2
    price: 1599
    financing: {loan: {rate: -100%, months: 12}}
""",
        """\
s.yaml, line 7: options.x.financing.loan.rate
  found:    -100%
  expected: a rate above -100% and up to 100% a year, nominal, compounded monthly
  next:     write for example  8%
""",
        id="a loan at minus all",
    ),
    pytest.param(
        """\
name: a
options:
  x:
    own: rtx-4090
    count: 2
    price: 1599
    financing: {loan: {rate: 120%, months: 12}}
""",
        """\
s.yaml, line 7: options.x.financing.loan.rate
  found:    120%
  expected: a rate above -100% and up to 100% a year, nominal, compounded monthly
  next:     write for example  8%
""",
        id="a loan at more than all",
    ),
    pytest.param(
        """\
name: a
options:
  x:
    own: rtx-4090
    count: 2
    price: 1599
    financing: {loan: {rate: 8%, months: 12, share: 120%}}
""",
        """\
s.yaml, line 7: options.x.financing.loan.share
  found:    120%
  expected: a fraction above 0 and up to 1, or a percentage up to 100%
  next:     write for example  80%
""",
        id="a loan of more than the purchases",
    ),
    pytest.param(
        """\
name: a
options:
  x:
    own: rtx-4090
    count: 2
    price: 1599
    financing: {loan: {rate: 8%, months: 12, share: 0}}
""",
        """\
s.yaml, line 7: options.x.financing.loan.share
  found:    0
  expected: a fraction above 0 and up to 1, or a percentage up to 100%
  next:     write for example  80%
""",
        id="a loan of nothing",
    ),
    pytest.param(
        """\
name: a
options:
  x:
    own: rtx-4090
    count: 2
    price: 1599
    financing: {loan: {rate: 8%, months: 12, balloon: 101%}}
""",
        """\
s.yaml, line 7: options.x.financing.loan.balloon
  found:    101%
  expected: a fraction from 0 to 1, or a percentage from 0% to 100%
  next:     write for example  70%
""",
        id="a balloon above the loan",
    ),
    pytest.param(
        """\
name: a
options:
  x:
    own: rtx-4090
    count: 2
    price: 1599
    financing: {loan: {rate: 8%, months: 12, fee: 2}}
""",
        """\
s.yaml, line 7: options.x.financing.loan.fee
  found:    2
  expected: a fraction from 0 to 1, or a percentage from 0% to 100%
  next:     write 0.02 or 2%
""",
        id="a fee above the loan",
    ),
    pytest.param(
        """\
name: a
options:
  x:
    own: rtx-4090
    count: 2
    price: 1599
    financing: {loan: {rate: 8%, months: 12, grace_months: 12}}
""",
        """\
s.yaml, line 7: options.x.financing.loan.grace_months
  found:    12
  expected: fewer months than the 12 of the loan
  next:     shorten the grace, or pay the loan back over more months
""",
        id="a grace as long as the loan",
    ),
    pytest.param(
        """\
name: a
options:
  x:
    own: rtx-4090
    count: 2
    price: 1599
    financing: {loan: {rate: 8%, months: 0}}
""",
        """\
s.yaml, line 7: options.x.financing.loan.months
  found:    0
  expected: a whole number of months, 1 or more
  next:     write for example  48
""",
        id="a loan over no months",
    ),
    pytest.param(
        """\
name: a
options:
  x:
    own: rtx-4090
    count: 2
    price: 1599
    financing: {lease: {payment: 9, months: 24, rate: 8%}}
""",
        """\
s.yaml, line 7: options.x.financing.lease.months
  found:    24
  expected: at least the 36 months that are looked at, as the cards go back after the lease
  next:     lease them for longer, or add for example  buyout: 1000
""",
        id="a lease that ends too early",
    ),
    pytest.param(
        """\
name: a
options:
  x:
    own: rtx-4090
    count: 2
    price: 1599
    financing: {lease: {payment: 9, months: 36}}
""",
        """\
s.yaml, line 7: options.x.financing.lease.rate
  found:    nothing
  expected: the nominal rate of a year at which money could be borrowed
  next:     add for example  rate: 8%
""",
        id="a lease without a rate",
    ),
    pytest.param(
        """\
name: a
options:
  x:
    own: rtx-4090
    count: 2
    price: 1599
    financing: {lease: {months: 36, rate: 8%}}
""",
        """\
s.yaml, line 7: options.x.financing.lease.payment
  found:    nothing
  expected: what is paid each month
  next:     add for example  payment: 900
""",
        id="a lease without a payment",
    ),
    pytest.param(
        """\
name: a
options:
  x:
    own: rtx-4090
    count: 2
    price: 1599
    financing: {lease: {payment: 9, months: 36, rate: 8%, paid: noon}}
""",
        """\
s.yaml, line 7: options.x.financing.lease.paid
  found:    noon
  expected: advance or arrears
  next:     write one of these words
""",
        id="a lease that is paid at noon",
    ),
    pytest.param(
        """\
name: a
options:
  x:
    own: rtx-4090
    count: 2
    price: 1599
    financing: {lease: {payment: 9, months: 36, rate: 8%}}
    refresh: {after_months: 12, price: 9}
""",
        """\
s.yaml, line 8: options.x.refresh
  found:    a lease and refresh
  expected: no refresh beside a lease, which pays for one delivery in month 0
  next:     delete it, or finance the purchase with a loan
""",
        id="a lease of cards that are replaced",
    ),
    pytest.param(
        """\
name: a
options:
  x:
    own: rtx-4090
    count: 2
    quote: {items: [{name: servers, amount: 9000}], payment: [{month: 0, share: 1}]}
    financing: {lease: {payment: 9, months: 36, rate: 8%}}
""",
        """\
s.yaml, line 6: options.x.quote.payment
  found:    a lease and quote.payment
  expected: no quote.payment beside a lease, which pays for one delivery in month 0
  next:     delete it, or finance the purchase with a loan
""",
        id="a lease of what is paid in parts",
    ),
    pytest.param(
        """\
name: a
options:
  x:
    own: rtx-4090
    count: 2
    quote: {items: [{name: servers, amount: 9000}], lead_time_months: 2}
    financing: {lease: {payment: 9, months: 36, rate: 8%}}
""",
        """\
s.yaml, line 6: options.x.quote.lead_time_months
  found:    a lease and quote.lead_time_months
  expected: no quote.lead_time_months beside a lease, which pays for one delivery in month 0
  next:     delete it, or finance the purchase with a loan
""",
        id="a lease of what is delivered later",
    ),
    pytest.param(
        """\
name: a
site: {colocation: {kind: all-in, price: 300}, electricity_price: 0.10}
options: {x: {own: rtx-4090, count: 2, price: 1599}}
""",
        """\
s.yaml, line 2: site.electricity_price
  found:    0.10
  expected: no electricity_price beside an all-in colocation, whose price covers it
  next:     delete it, or write  kind: metered
""",
        id="electricity_price beside an all-in colocation",
    ),
    pytest.param(
        """\
name: a
site: {colocation: {kind: all-in, price: 300}, electricity_price_path: {change_per_year: 3%}}
options: {x: {own: rtx-4090, count: 2, price: 1599}}
""",
        """\
s.yaml, line 2: site.electricity_price_path
  found:    keys with values: change_per_year
  expected: no electricity_price_path beside an all-in colocation, whose price covers it
  next:     delete it, or write  kind: metered
""",
        id="electricity_price_path beside an all-in colocation",
    ),
    pytest.param(
        """\
name: a
site: {colocation: {kind: all-in, price: 300}, pue: 1.2}
options: {x: {own: rtx-4090, count: 2, price: 1599}}
""",
        """\
s.yaml, line 2: site.pue
  found:    1.2
  expected: no pue beside an all-in colocation, whose price covers it
  next:     delete it, or write  kind: metered
""",
        id="pue beside an all-in colocation",
    ),
    pytest.param(
        """\
name: a
site: {colocation: {kind: all-in, price: 300}, demand_charge: {price: 15}}
options: {x: {own: rtx-4090, count: 2, price: 1599}}
""",
        """\
s.yaml, line 2: site.demand_charge
  found:    keys with values: price
  expected: no demand_charge beside an all-in colocation, whose price covers it
  next:     delete it, or write  kind: metered
""",
        id="demand_charge beside an all-in colocation",
    ),
    pytest.param(
        """\
name: a
options:
  x:
    own: rtx-4090
    count: 2
    price: 1599
    colocation: {kind: all-in, price: 300}
    electricity_price: 0.10
""",
        """\
s.yaml, line 8: options.x.electricity_price
  found:    0.10
  expected: no electricity_price beside an all-in colocation, whose price covers it
  next:     delete it, or write  kind: metered
""",
        id="electricity_price of a supply in an all-in colocation",
    ),
    pytest.param(
        """\
name: a
site: {colocation: {kind: all-in, price: 300}}
options:
  x:
    own: rtx-4090
    count: 2
    price: 1599
    electricity_price: 0.10
""",
        """\
s.yaml, line 8: options.x.electricity_price
  found:    0.10
  expected: no electricity_price beside the all-in colocation of the site, whose price covers it
  next:     delete it, or write  kind: metered  under site.colocation
""",
        id="electricity_price of a supply at a site that is all-in",
    ),
    pytest.param(
        """\
name: a
options:
  x:
    own: rtx-4090
    count: 2
    price: 1599
    colocation: {kind: all-in, price: 300}
    electricity_price_path: {change_per_year: 3%}
""",
        """\
s.yaml, line 8: options.x.electricity_price_path
  found:    keys with values: change_per_year
  expected: no electricity_price_path beside an all-in colocation, whose price covers it
  next:     delete it, or write  kind: metered
""",
        id="electricity_price_path of a supply in an all-in colocation",
    ),
    pytest.param(
        """\
name: a
site: {colocation: {kind: all-in, price: 300}}
options:
  x:
    own: rtx-4090
    count: 2
    price: 1599
    electricity_price_path: {change_per_year: 3%}
""",
        """\
s.yaml, line 8: options.x.electricity_price_path
  found:    electricity_price_path
  expected: no electricity_price_path beside the all-in colocation of the site, whose price covers
            it
  next:     delete it, or write  kind: metered  under site.colocation
""",
        id="electricity_price_path of a supply at a site that is all-in",
    ),
    pytest.param(
        """\
name: a
options:
  x:
    own: rtx-4090
    count: 2
    price: 1599
    colocation: {kind: all-in, price: 300}
    pue: 1.2
""",
        """\
s.yaml, line 8: options.x.pue
  found:    1.2
  expected: no pue beside an all-in colocation, whose price covers it
  next:     delete it, or write  kind: metered
""",
        id="pue of a supply in an all-in colocation",
    ),
    pytest.param(
        """\
name: a
site: {colocation: {kind: all-in, price: 300}}
options:
  x:
    own: rtx-4090
    count: 2
    price: 1599
    pue: 1.2
""",
        """\
s.yaml, line 8: options.x.pue
  found:    1.2
  expected: no pue beside the all-in colocation of the site, whose price covers it
  next:     delete it, or write  kind: metered  under site.colocation
""",
        id="pue of a supply at a site that is all-in",
    ),
    pytest.param(
        """\
name: a
site: {colocation: {kind: metered, price: 150}, room_cost: 100}
options: {x: {own: rtx-4090, count: 2, price: 1599}}
""",
        """\
s.yaml, line 2: site.room_cost
  found:    100
  expected: no room_cost beside colocation, which is the room of another
  next:     delete one of the two
""",
        id="a room beside a colocation",
    ),
    pytest.param(
        """\
name: a
site: {colocation: {price: 150}}
options: {x: {own: rtx-4090, count: 2, price: 1599}}
""",
        """\
s.yaml, line 2: site.colocation.kind
  found:    nothing
  expected: whether electricity is paid on top (metered) or not (all-in)
  next:     add for example  kind: metered
""",
        id="a colocation of no kind",
    ),
    pytest.param(
        """\
name: a
site: {colocation: {kind: metered, price: 0.15 USD/kWh}}
options: {x: {own: rtx-4090, count: 2, price: 1599}}
""",
        """\
s.yaml, line 2: site.colocation.price
  found:    0.15 USD/kWh
  expected: the price of one kW for a month, 0 or more; /kWh belongs to money for a kWh, this field
            takes money for a kW and month
  next:     write for example  150
""",
        id="a colocation by the kWh",
    ),
    pytest.param(
        """\
name: a
site: {colocation: {kind: metered, price: 150, contracted_kw: -1}}
options: {x: {own: rtx-4090, count: 2, price: 1599}}
""",
        """\
s.yaml, line 2: site.colocation.contracted_kw
  found:    -1
  expected: kilowatts, 0 or more
  next:     write for example  10 kW
""",
        id="a colocation of negative power",
    ),
    pytest.param(
        """\
name: a
site: {demand_charge: {price: 15, ratchet: 180%}}
options: {x: {own: rtx-4090, count: 2, price: 1599}}
""",
        """\
s.yaml, line 2: site.demand_charge.ratchet
  found:    180%
  expected: a fraction from 0 to 1, or a percentage from 0% to 100%
  next:     write for example  70%
""",
        id="a ratchet above all",
    ),
    pytest.param(
        """\
name: a
site: {demand_charge: {price: 15, peak_kw: [{month: 1, kw: 5}, {month: 7, kw: 6},
    {month: 7, kw: 7}]}}
options: {x: {own: rtx-4090, count: 2, price: 1599}}
""",
        """\
s.yaml, line 3: site.demand_charge.peak_kw[2].month
  found:    7
  expected: a later month than the 7 before it
  next:     write the peaks in ascending order of their months
""",
        id="peaks out of order",
    ),
    pytest.param(
        """\
name: a
site: {demand_charge: {price: 15, peak_kw: [{month: 2, kw: 5}]}}
options: {x: {own: rtx-4090, count: 2, price: 1599}}
""",
        """\
s.yaml, line 2: site.demand_charge.peak_kw[0].month
  found:    2
  expected: a first peak that holds from month 1
  next:     add a peak for month 1 before it, for example  {month: 1, kw: 10}
""",
        id="peaks that begin later",
    ),
    pytest.param(
        """\
name: a
site: {demand_charge: {price: 15, peak_kw: [{month: 0, kw: 5}]}}
options: {x: {own: rtx-4090, count: 2, price: 1599}}
""",
        """\
s.yaml, line 2: site.demand_charge.peak_kw[0].month
  found:    0
  expected: the number of a month, 1 or more
  next:     write for example  13
""",
        id="a peak of the decision",
    ),
    pytest.param(
        """\
name: a
site: {demand_charge: {price: 15, peak_kw: [{month: 1}]}}
options: {x: {own: rtx-4090, count: 2, price: 1599}}
""",
        """\
s.yaml, line 2: site.demand_charge.peak_kw[0].kw
  found:    nothing
  expected: kilowatts
  next:     add for example  kw: 10
""",
        id="a peak without its power",
    ),
    pytest.param(
        """\
name: a
options:
  x:
    own: rtx-4090
    count: 2
    price: 1599
    room_cost: 100
""",
        """\
s.yaml, line 7: options.x.room_cost
  found:    the key room_cost
  expected: one of own, count, price, price_change_per_year, electricity_price,
            electricity_price_path, pue, colocation, quote, already_owned, refresh, financing,
            decommissioning, tdp, idle_power, active_power, life_months, salvage, purchase,
            depreciation, tax_depreciation, maintenance, failures, licences, insurance,
            residual_value, host_power, output_rate, throughput, tasks_per_hour, hours_per_task,
            speed_up, utilisation, sizing, memory, tokeniser_factor, staff_hours_per_month, model,
            published
  next:     delete the line, or use one of the words above
""",
        id="a room of a supply",
    ),
    pytest.param(
        """\
name: a
options: {x: {rent: rtx-4090, count: 1, price: 1, price_path: {change_per_year: 3%, level: 0.5,
    reverting_per_month: 5%}}}
""",
        """\
s.yaml, line 2: options.x.price_path
  found:    change_per_year and level
  expected: exactly one of change_per_year, steps and level
  next:     keep one of them
""",
        id="two paths of a price",
    ),
    pytest.param(
        """\
name: a
options: {x: {rent: rtx-4090, count: 1, price: 1, price_path: {}}}
""",
        """\
s.yaml, line 2: options.x.price_path
  found:    nothing
  expected: exactly one of change_per_year, steps and level
  next:     write for example  {change_per_year: -20%}
""",
        id="no path of a price",
    ),
    pytest.param(
        """\
name: a
options: {x: {rent: rtx-4090, count: 1, price: 1, price_path: {by: year}}}
""",
        """\
s.yaml, line 2: options.x.price_path
  found:    keys with values: by
  expected: exactly one of change_per_year, steps and level
  next:     write for example  {change_per_year: -20%}
""",
        id="a path that is only by the year",
    ),
    pytest.param(
        """\
name: a
options: {x: {rent: rtx-4090, count: 1, price: 1, price_path: {steps: [{month: 13, factor: 0.8}],
    by: year}}}
""",
        """\
s.yaml, line 3: options.x.price_path.by
  found:    year
  expected: no by without a change_per_year
  next:     delete it: steps and a level say by themselves when the price changes
""",
        id="steps by the year",
    ),
    pytest.param(
        """\
name: a
options: {x: {rent: rtx-4090, count: 1, price: 1, price_path: {steps: [{month: 25, factor: 0.8},
    {month: 13, factor: 0.9}]}}}
""",
        """\
s.yaml, line 3: options.x.price_path.steps[1].month
  found:    13
  expected: a later month than the 25 before it
  next:     write the steps in ascending order of their months
""",
        id="steps of a price out of order",
    ),
    pytest.param(
        """\
name: a
options: {x: {rent: rtx-4090, count: 1, price: 1, price_path: {steps: [{month: 0, factor: 0.8}]}}}
""",
        """\
s.yaml, line 2: options.x.price_path.steps[0].month
  found:    0
  expected: the number of a month, 1 or more
  next:     write for example  13
""",
        id="a step in the month of the decision",
    ),
    pytest.param(
        """\
name: a
options: {x: {rent: rtx-4090, count: 1, price: 1, price_path: {steps: [{month: 13, factor: 0}]}}}
""",
        """\
s.yaml, line 2: options.x.price_path.steps[0].factor
  found:    0
  expected: a number above 0
  next:     write for example  1.15
""",
        id="a price that is free from a month on",
    ),
    pytest.param(
        """\
name: a
options: {x: {rent: rtx-4090, count: 1, price: 1, price_path: {steps: [{month: 13}]}}}
""",
        """\
s.yaml, line 2: options.x.price_path.steps[0].factor
  found:    nothing
  expected: how many times the first price
  next:     add for example  factor: 0.8
""",
        id="a step without a factor",
    ),
    pytest.param(
        """\
name: a
options: {x: {rent: rtx-4090, count: 1, price: 1, price_path: {level: 0.5}}}
""",
        """\
s.yaml, line 2: options.x.price_path.reverting_per_month
  found:    nothing
  expected: how fast the price reverts to that level
  next:     add for example  reverting_per_month: 5%
""",
        id="a level without a speed",
    ),
    pytest.param(
        """\
name: a
options: {x: {rent: rtx-4090, count: 1, price: 1, price_path: {change_per_year: 3%,
    reverting_per_month: 5%}}}
""",
        """\
s.yaml, line 3: options.x.price_path.reverting_per_month
  found:    5%
  expected: no reverting_per_month without the level to which it reverts
  next:     add for example  level: 0.5
""",
        id="a speed without a level",
    ),
    pytest.param(
        """\
name: a
options: {x: {rent: rtx-4090, count: 1, price: 1, price_path: {level: 0.5,
    reverting_per_month: 150%}}}
""",
        """\
s.yaml, line 3: options.x.price_path.reverting_per_month
  found:    150%
  expected: a fraction from 0 to 1 a month, or a percentage from 0% to 100%
  next:     write for example  5%
""",
        id="a speed above all",
    ),
    pytest.param(
        """\
name: a
options: {x: {rent: rtx-4090, count: 1, price: 1, price_path: {change_per_year: -100%}}}
""",
        """\
s.yaml, line 2: options.x.price_path.change_per_year
  found:    -100%
  expected: a change above -100% and up to 1000% a year
  next:     write for example  -20%
""",
        id="a price that falls by all",
    ),
    pytest.param(
        """\
name: a
options: {x: {rent: rtx-4090, count: 1, price: 1, price_path: {change_per_year: -20}}}
""",
        """\
s.yaml, line 2: options.x.price_path.change_per_year
  found:    -20
  expected: a change above -100% and up to 1000% a year
  next:     write for example  -20%
""",
        id="a change without its percent sign",
    ),
    pytest.param(
        """\
name: a
options: {x: {rent: rtx-4090, count: 1, price: 1, price_path: {change_per_year: 1}}}
""",
        """\
s.yaml, line 2: options.x.price_path.change_per_year
  found:    1
  expected: a change above -100% and up to 1000% a year
  next:     write 0.01 or 1%, or 100% if you mean it
""",
        id="a change at once of one",
    ),
    pytest.param(
        """\
name: a
options:
  x:
    rent: l40s
    count: 1
    reserved: {price: 1, term_months: 12}
    price_path: {change_per_year: -20%}
""",
        """\
s.yaml, line 3: options.x.price_path
  found:    both
  expected: reserved or price_path
  next:     a reservation is paid for all hours at its own price: keep one of the two
""",
        id="a path of a price that is reserved",
    ),
    pytest.param(
        """\
name: a
options: {x: {api: b, output_price: 1, price_path: {growth_per_year: 3%}}}
""",
        """\
s.yaml, line 2: options.x.price_path.growth_per_year
  found:    the key growth_per_year
  expected: one of change_per_year, by, steps, level, reverting_per_month
  next:     did you mean change_per_year?
""",
        id="a path of an API with a wrong word",
    ),
    pytest.param(
        """\
name: a
accounts: [6420]
options: {x: {own: rtx-4090, count: 2, price: 1599}}
""",
        """\
s.yaml, line 2: accounts
  found:    a list of 1
  expected: keys with values, such as  {electricity_cost: "6420 Energy"}
  next:     write  {electricity_cost: "6420 Energy"}
""",
        id="accounts that are a list",
    ),
    pytest.param(
        """\
name: a
accounts: {electricity_cost: {a: b}}
options: {x: {own: rtx-4090, count: 2, price: 1599}}
""",
        """\
s.yaml, line 2: accounts.electricity_cost
  found:    keys with values: a
  expected: a text of at most 80 characters
  next:     write one value, for example  a short text
""",
        id="an account of two parts",
    ),
    pytest.param(
        """\
name: a
accounts: {electricity_cost: }
options: {x: {own: rtx-4090, count: 2, price: 1599}}
""",
        """\
s.yaml, line 2: accounts.electricity_cost
  found:    nothing after the colon
  expected: a text of at most 80 characters
  next:     write a value, for example  a short text, or delete the line
""",
        id="an account without a name",
    ),
]


@pytest.mark.parametrize(("text", "message"), MISTAKES)
def test_the_whole_message(text: str, message: str) -> None:
    with pytest.raises(ScenarioErrors) as caught:
        read(text.encode("utf-8"), "s.yaml")
    assert f"{caught.value}\n" == message


NAMES = ["capex", "electricity_cost", "rent_cost"]


@pytest.mark.parametrize(
    ("line", "next_step"),
    [
        ("electricty_cost", "did you mean electricity_cost?"),
        ("sunshine", "delete the line, or use one of these names"),
    ],
)
def test_an_account_of_no_line(line: str, next_step: str) -> None:
    text = f"""\
name: a
options: {{x: {{api: b, output_price: 1}}}}
accounts:
  capex: 1600 Equipment
  {line}: 6420 Energy
"""
    faults = faults_of_accounts(read(text.encode(), "s.yaml"), NAMES)
    assert [str(fault) for fault in faults] == [
        f"s.yaml, line 5: accounts.{line}\n"
        f"  found:    the key {line}\n"
        "  expected: the name of a line of money, one of capex, electricity_cost, rent_cost\n"
        f"  next:     {next_step}"
    ]


def test_accounts_of_lines_that_are_there() -> None:
    text = "name: a\noptions: {x: {api: b}}\naccounts: {capex: 1600, rent_cost: 6430 Cloud}\n"
    scenario = read(text.encode(), "s.yaml")
    assert scenario.accounts == {"capex": "1600", "rent_cost": "6430 Cloud"}
    assert faults_of_accounts(scenario, NAMES) == []
