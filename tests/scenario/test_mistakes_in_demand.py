"""Every mistake in a demand, with the whole message that answers it."""

from __future__ import annotations

import pytest

from tco.errors import ScenarioErrors
from tco.scenario.loading import read

# What is wrong, the file, and the message, to the letter.
MISTAKES = [
    pytest.param(
        """\
name: a
demand: {output_tokens: 5 M, input_tokens: 10 M, cache_read_tokens: 11 M}
options: {api: {api: gpt-4o, output_price: 15, input_price: 5}}
""",
        """\
s.yaml, line 2: demand.cache_read_tokens
  found:    11 M
  expected: cache reads and writes that are at most the 10 M input tokens, which include them
  next:     write under input_tokens all that is read, from a cache or not
""",
        id="cache reads above input",
    ),
    pytest.param(
        """\
name: a
demand: {output_tokens: 5 M, input_tokens: 10 M, cache_read_tokens: 6 M, cache_write_tokens: 3 M,
  cache_write_1h_tokens: 2 M}
options: {api: {api: gpt-4o, output_price: 15, input_price: 5}}
""",
        """\
s.yaml, line 2: demand.cache_read_tokens
  found:    6 M + 3 M + 2 M
  expected: cache reads and writes that are at most the 10 M input tokens, which include them
  next:     write under input_tokens all that is read, from a cache or not
""",
        id="caches above input together",
    ),
    pytest.param(
        """\
name: a
demand: {output_tokens: 5 M, cache_read_tokens: 1 M}
options: {api: {api: gpt-4o, output_price: 15, input_price: 5}}
""",
        """\
s.yaml, line 2: demand.cache_read_tokens
  found:    1 M
  expected: cache reads and writes that are at most the missing input tokens, which include them
  next:     write under input_tokens all that is read, from a cache or not
""",
        id="cache reads without input",
    ),
    pytest.param(
        """\
name: a
demand: {reasoning_tokens: 5 M}
options: {api: {api: gpt-4o, output_price: 15, input_price: 5}}
""",
        """\
s.yaml, line 2: demand
  found:    keys with values: reasoning_tokens
  expected: output_tokens, input_tokens or both (or tasks, or gpu_hours)
  next:     add the tokens of a month, for example  output_tokens: 50 M; without the whole block
            demand, costs alone are calculated
""",
        id="reasoning alone",
    ),
    pytest.param(
        """\
name: a
demand: {output_tokens: 5 M, reasoning_tokens: -1 M}
options: {api: {api: gpt-4o, output_price: 15, input_price: 5}}
""",
        """\
s.yaml, line 2: demand.reasoning_tokens
  found:    -1 M
  expected: tokens a month, 0 or more
  next:     write for example  50 M
""",
        id="negative reasoning",
    ),
    pytest.param(
        """\
name: a
demand: {output_tokens: 5 M, input_tokens: 9 M, cache_write_tokens: .nan}
options: {api: {api: gpt-4o, output_price: 15, input_price: 5}}
""",
        """\
s.yaml, line 2: demand.cache_write_tokens
  found:    .nan
  expected: tokens a month, 0 or more
  next:     leave the line out if the number is not known
""",
        id="NaN of a cache",
    ),
    pytest.param(
        """\
name: a
demand: {tasks: 20000, output_tokens: 5 M}
options: {api: {api: gpt-4o, output_price: 15, input_price: 5}}
""",
        """\
s.yaml, line 2: demand
  found:    output_tokens and tasks
  expected: one kind of work: tokens, tasks or gpu_hours
  next:     keep one; the others can be scenarios of their own
""",
        id="tasks with tokens",
    ),
    pytest.param(
        """\
name: a
demand: {tasks: 20000, reasoning_tokens: 5 M}
options: {api: {api: gpt-4o, output_price: 15, input_price: 5}}
""",
        """\
s.yaml, line 2: demand
  found:    reasoning_tokens and tasks
  expected: one kind of work: tokens, tasks or gpu_hours
  next:     keep one; the others can be scenarios of their own
""",
        id="tasks with reasoning",
    ),
    pytest.param(
        """\
name: a
demand: {tasks: 20000, gpu_hours: 5, card: rtx-4090, input_tokens: 5 M}
options: {api: {api: gpt-4o, output_price: 15, input_price: 5}}
""",
        """\
s.yaml, line 2: demand
  found:    input_tokens and tasks and gpu_hours
  expected: one kind of work: tokens, tasks or gpu_hours
  next:     keep one; the others can be scenarios of their own
""",
        id="three kinds of work",
    ),
    pytest.param(
        """\
name: a
demand: {tasks: 20000 tokens}
options: {api: {api: gpt-4o, output_price: 15, input_price: 5}}
""",
        """\
s.yaml, line 2: demand.tasks
  found:    20000 tokens
  expected: tasks a month, 0 or more; tokens belongs to tokens a month, this field takes tasks a
            month
  next:     write for example  20000
""",
        id="tasks of a strange unit",
    ),
    pytest.param(
        """\
name: a
demand: {tasks: -1}
options: {api: {api: gpt-4o, output_price: 15, input_price: 5}}
""",
        """\
s.yaml, line 2: demand.tasks
  found:    -1
  expected: tasks a month, 0 or more
  next:     write for example  20000
""",
        id="negative tasks",
    ),
    pytest.param(
        """\
name: a
demand: {gpu_hours: 500}
options: {api: {api: gpt-4o, output_price: 15, input_price: 5}}
""",
        """\
s.yaml, line 2: demand.card
  found:    nothing
  expected: the card that the hours were measured on
  next:     add for example  card: rtx-4090
""",
        id="gpu_hours without card",
    ),
    pytest.param(
        """\
name: a
demand: {gpu_hours: 500, card: rtx-409O}
options: {api: {api: gpt-4o, output_price: 15, input_price: 5}}
""",
        """\
s.yaml, line 2: demand.card
  found:    rtx-409O
  expected: a card that is known: rtx-4090, rtx-5090, rtx-pro-6000, l40s, a100-40gb, a100-80gb,
            a100-40gb-pcie, a100-80gb-pcie, h100-pcie, h100-sxm, h200-sxm, b200-sxm, mi300x
  next:     did you mean rtx-4090? Otherwise describe your own card with  hardware: {rtx-409O: {tdp:
            450 W}}
""",
        id="gpu_hours of an unknown card",
    ),
    pytest.param(
        """\
name: a
demand: {gpu_hours: -500, card: rtx-4090}
options: {api: {api: gpt-4o, output_price: 15, input_price: 5}}
""",
        """\
s.yaml, line 2: demand.gpu_hours
  found:    -500
  expected: GPU-hours of work a month, 0 or more
  next:     write for example  500
""",
        id="negative gpu_hours",
    ),
    pytest.param(
        """\
name: a
demand: {output_tokens: 5 M, growth_per_year: 30%, growth_per_month: 2%}
options: {api: {api: gpt-4o, output_price: 15, input_price: 5}}
""",
        """\
s.yaml, line 2: demand
  found:    growth_per_year and growth_per_month
  expected: one kind of growth
  next:     keep one of them
""",
        id="two kinds of growth",
    ),
    pytest.param(
        """\
name: a
demand: {output_tokens: 5 M, growth_per_year: 30%,
  growth: [{month: 1, factor: 1}, {month: 13, factor: 2}]}
options: {api: {api: gpt-4o, output_price: 15, input_price: 5}}
""",
        """\
s.yaml, line 2: demand
  found:    growth_per_year and growth
  expected: one kind of growth
  next:     keep one of them
""",
        id="growth as a number and as steps",
    ),
    pytest.param(
        """\
name: a
demand: {output_tokens: 5 M, growth_per_year: 30}
options: {api: {api: gpt-4o, output_price: 15, input_price: 5}}
""",
        """\
s.yaml, line 2: demand.growth_per_year
  found:    30
  expected: a growth above -100% and up to 1000% a year
  next:     write 0.3 or 30%
""",
        id="growth without its per cent",
    ),
    pytest.param(
        """\
name: a
demand: {output_tokens: 5 M, growth_per_month: 1}
options: {api: {api: gpt-4o, output_price: 15, input_price: 5}}
""",
        """\
s.yaml, line 2: demand.growth_per_month
  found:    1
  expected: a growth above -100% and up to 50% a month
  next:     write 0.01 or 1%, or 100% if you mean it
""",
        id="growth of one",
    ),
    pytest.param(
        """\
name: a
demand: {output_tokens: 5 M, growth_per_year: -100%}
options: {api: {api: gpt-4o, output_price: 15, input_price: 5}}
""",
        """\
s.yaml, line 2: demand.growth_per_year
  found:    -100%
  expected: a growth above -100% and up to 1000% a year
  next:     write for example  30%
""",
        id="growth to nothing",
    ),
    pytest.param(
        """\
name: a
demand: {output_tokens: 5 M, growth_per_month: .nan}
options: {api: {api: gpt-4o, output_price: 15, input_price: 5}}
""",
        """\
s.yaml, line 2: demand.growth_per_month
  found:    .nan
  expected: a growth above -100% and up to 50% a month
  next:     leave the line out if the number is not known
""",
        id="NaN growth",
    ),
    pytest.param(
        """\
name: a
demand: {output_tokens: 5 M, growth: [{month: 1, factor: 1}, {month: 25, factor: 2},
    {month: 13, factor: 3}]}
options: {api: {api: gpt-4o, output_price: 15, input_price: 5}}
""",
        """\
s.yaml, line 3: demand.growth[2].month
  found:    13
  expected: a month after the 25 of the step before it
  next:     write the steps in ascending order of their months
""",
        id="steps out of order",
    ),
    pytest.param(
        """\
name: a
demand: {output_tokens: 5 M, growth: [{month: 1, factor: 1}, {month: 1, factor: 3}]}
options: {api: {api: gpt-4o, output_price: 15, input_price: 5}}
""",
        """\
s.yaml, line 2: demand.growth[1].month
  found:    1
  expected: a month after the 1 of the step before it
  next:     write the steps in ascending order of their months
""",
        id="two steps in one month",
    ),
    pytest.param(
        """\
name: a
demand: {output_tokens: 5 M, growth: [{month: 13, factor: 2}]}
options: {api: {api: gpt-4o, output_price: 15, input_price: 5}}
""",
        """\
s.yaml, line 2: demand.growth[0].month
  found:    13
  expected: a first step that holds from month 1
  next:     add  {month: 1, factor: 1}  before it
""",
        id="steps not from month 1",
    ),
    pytest.param(
        """\
name: a
demand: {output_tokens: 5 M, growth: [{month: 0, factor: 2}]}
options: {api: {api: gpt-4o, output_price: 15, input_price: 5}}
""",
        """\
s.yaml, line 2: demand.growth[0].month
  found:    0
  expected: a first step that holds from month 1
  next:     write  month: 1
""",
        id="steps from month 0",
    ),
    pytest.param(
        """\
name: a
demand: {output_tokens: 5 M, growth: [{month: 1, factor: 0}]}
options: {api: {api: gpt-4o, output_price: 15, input_price: 5}}
""",
        """\
s.yaml, line 2: demand.growth[0].factor
  found:    0
  expected: a number above 0
  next:     write for example  1.15
""",
        id="a step of factor 0",
    ),
    pytest.param(
        """\
name: a
demand: {output_tokens: 5 M, growth: [{month: 1.5, factor: 1}]}
options: {api: {api: gpt-4o, output_price: 15, input_price: 5}}
""",
        """\
s.yaml, line 2: demand.growth[0].month
  found:    1.5
  expected: a whole number, 0 or more
  next:     write for example  1
""",
        id="a step in half a month",
    ),
    pytest.param(
        """\
name: a
demand: {output_tokens: 5 M, growth: [{month: 1}]}
options: {api: {api: gpt-4o, output_price: 15, input_price: 5}}
""",
        """\
s.yaml, line 2: demand.growth[0].factor
  found:    nothing
  expected: how many times the work of month 1
  next:     add for example  factor: 1.5
""",
        id="a step without a factor",
    ),
    pytest.param(
        """\
name: a
demand: {output_tokens: 5 M, growth: 30%}
options: {api: {api: gpt-4o, output_price: 15, input_price: 5}}
""",
        """\
s.yaml, line 2: demand.growth
  found:    30%
  expected: a list of steps
  next:     write for example  [{month: 1, factor: 1}, {month: 13, factor: 1.5}]
""",
        id="growth as a number",
    ),
    pytest.param(
        """\
name: a
demand: {output_tokens: 5 M, growth: [1, 2]}
options: {api: {api: gpt-4o, output_price: 15, input_price: 5}}
""",
        """\
s.yaml, line 2: demand.growth[0]
  found:    1
  expected: keys with values, such as  {month: 13, factor: 1.5}
  next:     write  {month: 13, factor: 1.5}

s.yaml, line 2: demand.growth[1]
  found:    2
  expected: keys with values, such as  {month: 13, factor: 1.5}
  next:     write  {month: 13, factor: 1.5}
""",
        id="steps as numbers",
    ),
    pytest.param(
        """\
name: a
demand: {output_tokens: 5 M, growth: []}
options: {api: {api: gpt-4o, output_price: 15, input_price: 5}}
""",
        """\
s.yaml, line 2: demand.growth
  found:    a list of 0
  expected: a list of steps
  next:     write for example  [{month: 1, factor: 1}, {month: 13, factor: 1.5}]
""",
        id="no steps",
    ),
    pytest.param(
        """\
name: a
demand: {output_tokens: 5 M, season: [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1.5, 2]}
options: {api: {api: gpt-4o, output_price: 15, input_price: 5}}
""",
        """\
s.yaml, line 2: demand.season
  found:    a season and no start
  expected: a start when the months of the year differ
  next:     add the first month, for example  start: 2026-12
""",
        id="season without start",
    ),
    pytest.param(
        """\
name: a
start: 2026-12
demand: {output_tokens: 5 M, season: [1, 1, 2]}
options: {api: {api: gpt-4o, output_price: 15, input_price: 5}}
""",
        """\
s.yaml, line 3: demand.season
  found:    3 numbers
  expected: 12 weights, January to December
  next:     write for example  [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1.5, 2]
""",
        id="season of a quarter",
    ),
    pytest.param(
        """\
name: a
start: 2026-12
demand: {output_tokens: 5 M, season: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]}
options: {api: {api: gpt-4o, output_price: 15, input_price: 5}}
""",
        """\
s.yaml, line 3: demand.season
  found:    12 times 0
  expected: weights that are not all 0
  next:     write 1 for an ordinary month
""",
        id="season of nothing",
    ),
    pytest.param(
        """\
name: a
start: 2026-12
demand: {output_tokens: 5 M, season: 2}
options: {api: {api: gpt-4o, output_price: 15, input_price: 5}}
""",
        """\
s.yaml, line 3: demand.season
  found:    2
  expected: 12 weights, January to December
  next:     write for example  [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1.5, 2]
""",
        id="season as a number",
    ),
    pytest.param(
        """\
name: a
start: 2026-12
demand: {output_tokens: 5 M, season: [1, 1, -1, 1, 1, 1, 1, 1, 1, 1, 1, 1]}
options: {api: {api: gpt-4o, output_price: 15, input_price: 5}}
""",
        """\
s.yaml, line 3: demand.season[2]
  found:    -1
  expected: a load of 0 or more: only its size beside the others counts
  next:     write for example  2
""",
        id="season with a negative month",
    ),
    pytest.param(
        """\
name: a
demand: {output_tokens: 5 M, retries: 150%}
options: {api: {api: gpt-4o, output_price: 15, input_price: 5}}
""",
        """\
s.yaml, line 2: demand.retries
  found:    150%
  expected: a fraction from 0 to 1, or a percentage from 0% to 100%
  next:     write for example  70%
""",
        id="retries above 1",
    ),
    pytest.param(
        """\
name: a
demand: {output_tokens: 5 M, retries: -1%}
options: {api: {api: gpt-4o, output_price: 15, input_price: 5}}
""",
        """\
s.yaml, line 2: demand.retries
  found:    -1%
  expected: a fraction from 0 to 1, or a percentage from 0% to 100%
  next:     write for example  70%
""",
        id="negative retries",
    ),
    pytest.param(
        """\
name: a
demand: {output_tokens: 5 M, addressable: 1.2, present: api}
options: {api: {api: gpt-4o, output_price: 15, input_price: 5}}
""",
        """\
s.yaml, line 2: demand.addressable
  found:    1.2
  expected: a fraction from 0 to 1, or a percentage from 0% to 100%
  next:     write 0.012 or 1.2%
""",
        id="addressable above 1",
    ),
    pytest.param(
        """\
name: a
demand: {output_tokens: 5 M, addressable: 60, present: api}
options: {api: {api: gpt-4o, output_price: 15, input_price: 5}}
""",
        """\
s.yaml, line 2: demand.addressable
  found:    60
  expected: a fraction from 0 to 1, or a percentage from 0% to 100%
  next:     write 0.6 or 60%
""",
        id="addressable as a whole number",
    ),
    pytest.param(
        """\
name: a
demand: {output_tokens: 5 M, addressable: 60%}
options: {api: {api: gpt-4o, output_price: 15, input_price: 5}}
""",
        """\
s.yaml, line 2: demand.addressable
  found:    60%
  expected: the option that the rest stays on
  next:     add  present: NAME  under demand, an option that is an API
""",
        id="addressable below 1 without present",
    ),
    pytest.param(
        """\
name: a
demand: {output_tokens: 5 M, addressable: 60%, present: apu}
options: {api: {api: gpt-4o, output_price: 15, input_price: 5}}
""",
        """\
s.yaml, line 2: demand.present
  found:    apu
  expected: the name of an option: api
  next:     did you mean api?
""",
        id="present of no option",
    ),
    pytest.param(
        """\
name: a
demand: {output_tokens: 5 M, present: x}
options: {x: {own: rtx-4090, count: 1, price: 1599}}
""",
        """\
s.yaml, line 2: demand.present
  found:    x
  expected: the name of an option that is one API without tiers, commitment or balance
  next:     write its prices as an option of their own and name that
""",
        id="present that is owned",
    ),
    pytest.param(
        """\
name: a
demand: {output_tokens: 5 M, present: x}
options: {x: [{api: b, output_price: 1, rate_limit: 5}, {api: c, output_price: 2}]}
""",
        """\
s.yaml, line 2: demand.present
  found:    x
  expected: the name of an option that is one API without tiers, commitment or balance
  next:     write its prices as an option of their own and name that
""",
        id="present that is a chain",
    ),
    pytest.param(
        """\
name: a
demand: {output_tokens: 5 M, present: x}
options: {x: {api: b, output_tiers: [{price: 3}]}}
""",
        """\
s.yaml, line 2: demand.present
  found:    x
  expected: the name of an option that is one API without tiers, commitment or balance
  next:     write its prices as an option of their own and name that
""",
        id="present with tiers",
    ),
    pytest.param(
        """\
name: a
demand: {output_tokens: 5 M, present: x}
options: {x: {api: b, output_price: 3, commitment: {amount: 100}}}
""",
        """\
s.yaml, line 2: demand.present
  found:    x
  expected: the name of an option that is one API without tiers, commitment or balance
  next:     write its prices as an option of their own and name that
""",
        id="present with a commitment",
    ),
    pytest.param(
        """\
name: a
demand: {output_tokens: 5 M, present: x}
options: {x: {api: b, output_price: 3, prepaid: {balance: 100}}}
""",
        """\
s.yaml, line 2: demand.present
  found:    x
  expected: the name of an option that is one API without tiers, commitment or balance
  next:     write its prices as an option of their own and name that
""",
        id="present with a balance",
    ),
    pytest.param(
        """\
name: a
demand: {output_tokens: 5 M, present: x}
options: {x: {api: present}}
""",
        """\
s.yaml, line 2: demand.present
  found:    x
  expected: the name of an option that is one API without tiers, commitment or balance
  next:     write its prices as an option of their own and name that
""",
        id="present that is the present",
    ),
    pytest.param(
        """\
name: a
demand: {output_tokens: 5 M, load: nights}
options: {api: {api: gpt-4o, output_price: 15, input_price: 5}}
""",
        """\
s.yaml, line 2: demand.load
  found:    nights
  expected: flat, office-hours or a list of loads of equal hours
  next:     write for example  load: [1, 1, 2, 4, 4, 2]
""",
        id="an unknown load",
    ),
    pytest.param(
        """\
name: a
demand: {output_tokens: 5 M, load: office_hours}
options: {api: {api: gpt-4o, output_price: 15, input_price: 5}}
""",
        """\
s.yaml, line 2: demand.load
  found:    office_hours
  expected: flat, office-hours or a list of loads of equal hours
  next:     did you mean office-hours?
""",
        id="a load that is nearly right",
    ),
    pytest.param(
        """\
name: a
demand: {output_tokens: 5 M, load: {peak: 2}}
options: {api: {api: gpt-4o, output_price: 15, input_price: 5}}
""",
        """\
s.yaml, line 2: demand.load.peak
  found:    the key peak
  expected: one of loads, shares, source, as_of, basis, files, note
  next:     delete the line, or use one of the words above
""",
        id="a load as keys",
    ),
    pytest.param(
        """\
name: a
demand: {output_tokens: 5 M, load: {loads: [3, 1], shares: [10%, 80%]}}
options: {api: {api: gpt-4o, output_price: 15, input_price: 5}}
""",
        """\
s.yaml, line 2: demand.load.shares
  found:    0.9 in all
  expected: shares of the hours that sum to 100%
  next:     correct the shares, or write  load:  as a list of loads of equal hours
""",
        id="shares of the hours that leave some out",
    ),
    pytest.param(
        """\
name: a
demand: {output_tokens: 5 M, load: {loads: [3, 2, 1], shares: [10%, 90%]}}
options: {api: {api: gpt-4o, output_price: 15, input_price: 5}}
""",
        """\
s.yaml, line 2: demand.load.shares
  found:    a list of 2
  expected: a list of 3 shares of the hours, one for each load
  next:     write one for each load:  load: {loads: [4, 2, 1], shares: [10%, 40%, 50%]}
""",
        id="fewer shares of the hours than loads",
    ),
    pytest.param(
        """\
name: a
demand: {output_tokens: 5 M, load: {loads: flat, shares: [10%, 90%]}}
options: {api: {api: gpt-4o, output_price: 15, input_price: 5}}
""",
        """\
s.yaml, line 2: demand.load.shares
  found:    a list of 2
  expected: no shares beside  loads: flat, which has its own
  next:     delete the key shares, or list a load for each:  loads: [1, 1, 2, 4, 4, 2]
""",
        id="shares of the hours of a word",
    ),
    pytest.param(
        """\
name: a
demand:
  output_tokens: 5 M
  load:
options: {api: {api: gpt-4o, output_price: 15, input_price: 5}}
""",
        """\
s.yaml, line 4: demand.load
  found:    nothing after the colon
  expected: flat, office-hours or a list of loads of equal hours
  next:     write a value, for example  flat, or delete the line
""",
        id="a load of nothing",
    ),
    pytest.param(
        """\
name: a
demand: {output_tokens: 5 M, load: [0, 0, 0]}
options: {api: {api: gpt-4o, output_price: 15, input_price: 5}}
""",
        """\
s.yaml, line 2: demand.load
  found:    loads that are all 0
  expected: 2 to 8784 loads of equal hours, not all of them 0
  next:     24 for a day, 168 for a week, or a measured series:  load: [1, 1, 2, 4, 4, 2]
""",
        id="loads that are all 0",
    ),
    pytest.param(
        """\
name: a
demand: {output_tokens: 5 M, load: [3]}
options: {api: {api: gpt-4o, output_price: 15, input_price: 5}}
""",
        """\
s.yaml, line 2: demand.load
  found:    a list of 1
  expected: 2 to 8784 loads of equal hours, not all of them 0
  next:     24 for a day, 168 for a week, or a measured series:  load: [1, 1, 2, 4, 4, 2]
""",
        id="one load",
    ),
    pytest.param(
        """\
name: a
demand: {output_tokens: 5 M, load: []}
options: {api: {api: gpt-4o, output_price: 15, input_price: 5}}
""",
        """\
s.yaml, line 2: demand.load
  found:    a list of 0
  expected: 2 to 8784 loads of equal hours, not all of them 0
  next:     24 for a day, 168 for a week, or a measured series:  load: [1, 1, 2, 4, 4, 2]
""",
        id="no loads",
    ),
    pytest.param(
        """\
name: a
demand: {output_tokens: 5 M, load: [1, -2, 3]}
options: {api: {api: gpt-4o, output_price: 15, input_price: 5}}
""",
        """\
s.yaml, line 2: demand.load[1]
  found:    -2
  expected: a load of 0 or more: only its size beside the others counts
  next:     write for example  2
""",
        id="a negative load",
    ),
    pytest.param(
        """\
name: a
demand: {output_tokens: 5 M, load: [1, .nan, 3]}
options: {api: {api: gpt-4o, output_price: 15, input_price: 5}}
""",
        """\
s.yaml, line 2: demand.load[1]
  found:    .nan
  expected: a load of 0 or more: only its size beside the others counts
  next:     leave the line out if the number is not known
""",
        id="a load that is no number",
    ),
    pytest.param(
        """\
name: a
demand: {output_tokens: 5 M, load: [1, [2, 3]]}
options: {api: {api: gpt-4o, output_price: 15, input_price: 5}}
""",
        """\
s.yaml, line 2: demand.load[1]
  found:    a list of 2
  expected: a load of 0 or more: only its size beside the others counts
  next:     write one value, for example  2
""",
        id="a load in a load",
    ),
    pytest.param(
        """\
name: a
demand: {output_tokens: 5 M, load: office-hours, peak_to_mean: 3}
options: {api: {api: gpt-4o, output_price: 15, input_price: 5}}
""",
        """\
s.yaml, line 2: demand.peak_to_mean
  found:    3
  expected: no second peak on top of a load that has its own
  next:     delete peak_to_mean, or write  load: flat
""",
        id="peak on top of a load",
    ),
    pytest.param(
        """\
name: a
demand: {output_tokens: 5 M, load: [1, 2], peak_to_mean: 3}
options: {api: {api: gpt-4o, output_price: 15, input_price: 5}}
""",
        """\
s.yaml, line 2: demand.peak_to_mean
  found:    3
  expected: no second peak on top of a load that has its own
  next:     delete peak_to_mean, or write  load: flat
""",
        id="peak on top of loads",
    ),
    pytest.param(
        """\
name: a
demand: {output_tokens: 5 M, peak_to_mean: 0.5}
options: {api: {api: gpt-4o, output_price: 15, input_price: 5}}
""",
        """\
s.yaml, line 2: demand.peak_to_mean
  found:    0.5
  expected: the load of the busiest hundredth of the hours over the mean, from 1 to 100
  next:     write for example  3
""",
        id="peak below the mean",
    ),
    pytest.param(
        """\
name: a
demand: {output_tokens: 5 M, peak_to_mean: 101}
options: {api: {api: gpt-4o, output_price: 15, input_price: 5}}
""",
        """\
s.yaml, line 2: demand.peak_to_mean
  found:    101
  expected: the load of the busiest hundredth of the hours over the mean, from 1 to 100
  next:     write for example  3
""",
        id="peak above all the work",
    ),
    pytest.param(
        """\
name: a
demand: {output_tokens: 5 M, input_tokens: 5 M,
  request_sizes: [{prompt_tokens: 2k, share: 80%}, {prompt_tokens: 300k, share: 10%}]}
options: {api: {api: gpt-4o, output_price: 15, input_price: 5}}
""",
        """\
s.yaml, line 2: demand.request_sizes
  found:    0.9 in all
  expected: shares of the requests that sum to 100%
  next:     correct the shares
""",
        id="sizes that do not sum to 1",
    ),
    pytest.param(
        """\
name: a
demand: {output_tokens: 5 M, request_sizes: [{prompt_tokens: 2k, share: 90%},
    {prompt_tokens: 9k, share: 20%}]}
options: {api: {api: gpt-4o, output_price: 15, input_price: 5}}
""",
        """\
s.yaml, line 2: demand.request_sizes
  found:    1.1 in all
  expected: shares of the requests that sum to 100%
  next:     correct the shares
""",
        id="sizes that sum to more",
    ),
    pytest.param(
        """\
name: a
demand: {output_tokens: 5 M, request_sizes: [{prompt_tokens: 2k}]}
options: {api: {api: gpt-4o, output_price: 15, input_price: 5}}
""",
        """\
s.yaml, line 2: demand.request_sizes[0].share
  found:    nothing
  expected: a share
  next:     add for example  share: 30%
""",
        id="a size without a share",
    ),
    pytest.param(
        """\
name: a
demand: {output_tokens: 5 M, request_sizes: [{prompt_tokens: -1, share: 100%}]}
options: {api: {api: gpt-4o, output_price: 15, input_price: 5}}
""",
        """\
s.yaml, line 2: demand.request_sizes[0].prompt_tokens
  found:    -1
  expected: tokens of one request, 0 or more
  next:     write for example  2048
""",
        id="a negative size",
    ),
    pytest.param(
        """\
name: a
demand: {output_tokens: 5 M, request_sizes: 2k}
options: {api: {api: gpt-4o, output_price: 15, input_price: 5}}
""",
        """\
s.yaml, line 2: demand.request_sizes
  found:    2k
  expected: a list of sizes
  next:     write for example  [{prompt_tokens: 2k, share: 95%}, {prompt_tokens: 300k, share: 5%}]
""",
        id="sizes as a number",
    ),
    pytest.param(
        """\
name: a
demand: {output_tokens: 5 M, workloads: {chat: {output_tokens: 3 M}}}
options: {api: {api: gpt-4o, output_price: 15, input_price: 5}}
""",
        """\
s.yaml, line 2: demand
  found:    workloads beside output_tokens
  expected: the work under each workload, or one work for all
  next:     move output_tokens under the workloads
""",
        id="workloads beside tokens",
    ),
    pytest.param(
        """\
name: a
demand: {growth_per_year: 3%, retries: 1%, workloads: {chat: {output_tokens: 3 M}}}
options: {api: {api: gpt-4o, output_price: 15, input_price: 5}}
""",
        """\
s.yaml, line 2: demand
  found:    workloads beside growth_per_year
  expected: the work under each workload, or one work for all
  next:     move growth_per_year, retries under the workloads
""",
        id="workloads beside growth",
    ),
    pytest.param(
        """\
name: a
demand: {workloads: {chat: {output_tokens: 3 M}, images: {tasks: 200}}}
options: {api: {api: gpt-4o, output_price: 15, input_price: 5}}
""",
        """\
s.yaml, line 2: demand.workloads
  found:    tasks and tokens
  expected: workloads of one kind: tokens, tasks or gpu_hours
  next:     make a scenario of each kind
""",
        id="workloads of different kinds",
    ),
    pytest.param(
        """\
name: a
demand: {workloads: {a: {gpu_hours: 3, card: rtx-4090}, b: {gpu_hours: 3, card: h100-sxm}}}
options: {api: {api: gpt-4o, output_price: 15, input_price: 5}}
""",
        """\
s.yaml, line 2: demand.workloads
  found:    hours of h100-sxm and rtx-4090
  expected: gpu_hours that were measured on one card
  next:     state the hours of all workloads on the same card: a speed-up is over that card
""",
        id="gpu_hours of different cards",
    ),
    pytest.param(
        """\
name: a
demand: {workloads: [{output_tokens: 3 M}]}
options: {api: {api: gpt-4o, output_price: 15, input_price: 5}}
""",
        """\
s.yaml, line 2: demand.workloads
  found:    a list of 1
  expected: keys with values, such as  {chat: {output_tokens: 50 M}}
  next:     write  {chat: {output_tokens: 50 M}}
""",
        id="workloads as a list",
    ),
    pytest.param(
        """\
name: a
demand: {workloads: {}}
options: {api: {api: gpt-4o, output_price: 15, input_price: 5}}
""",
        """\
s.yaml, line 2: demand.workloads
  found:    no workload
  expected: at least one workload
  next:     add one:  {chat: {output_tokens: 50 M}}
""",
        id="no workloads",
    ),
    pytest.param(
        """\
name: a
demand: {workloads: {chat: {retries: 1%}}}
options: {api: {api: gpt-4o, output_price: 15, input_price: 5}}
""",
        """\
s.yaml, line 2: demand.workloads.chat
  found:    keys with values: retries
  expected: output_tokens, input_tokens or both (or tasks, or gpu_hours)
  next:     add the tokens of a month, for example  output_tokens: 50 M; without the whole block
            demand, costs alone are calculated
""",
        id="a workload without work",
    ),
    pytest.param(
        """\
name: a
demand: {workloads: {chat: 5 M}}
options: {api: {api: gpt-4o, output_price: 15, input_price: 5}}
""",
        """\
s.yaml, line 2: demand.workloads.chat
  found:    5 M
  expected: keys with values, such as  {output_tokens: 50 M}
  next:     write  {output_tokens: 50 M}
""",
        id="a workload as a number",
    ),
    pytest.param(
        """\
name: a
demand: {workloads: {chat: {output_tokens: 5 M, load: flat}}}
options: {api: {api: gpt-4o, output_price: 15, input_price: 5}}
""",
        """\
s.yaml, line 2: demand.workloads.chat.load
  found:    the key load
  expected: one of output_tokens, reasoning_tokens, input_tokens, cache_read_tokens,
            cache_write_tokens, cache_write_1h_tokens, tasks, task, gpu_hours, card,
            growth_per_year, growth_per_month, growth, season, retries, present, replacement,
            addressable
  next:     delete the line, or use one of the words above
""",
        id="a workload with a load",
    ),
    pytest.param(
        """\
name: a
demand: {workloads: {' chat': {output_tokens: 5 M}}}
options: {api: {api: gpt-4o, output_price: 15, input_price: 5}}
""",
        """\
s.yaml, line 2: demand.workloads." chat"
  found:    the name " chat"
  expected: a name of a workload that does not begin or end with a space
  next:     delete the spaces at its ends, or write a name
""",
        id="a workload named by a space",
    ),
    pytest.param(
        """\
name: a
demand: {workloads: {chat: {output_tokens: 5 M, addressable: 0.5}}}
options: {api: {api: gpt-4o, output_price: 15, input_price: 5}}
""",
        """\
s.yaml, line 2: demand.workloads.chat.addressable
  found:    0.5
  expected: the option that the rest stays on
  next:     add  present: NAME  under demand.workloads.chat, an option that is an API
""",
        id="addressable of a workload without present",
    ),
]


@pytest.mark.parametrize(("text", "message"), MISTAKES)
def test_the_whole_message(text: str, message: str) -> None:
    with pytest.raises(ScenarioErrors) as caught:
        read(text.encode("utf-8"), "s.yaml")
    assert f"{caught.value}\n" == message
