"""Every mistake in a card, a rental or an API, with the whole message that answers it."""

from __future__ import annotations

import pytest

from tco.errors import ScenarioErrors
from tco.scenario.loading import read

# What is wrong, the file, and the message, to the letter.
MISTAKES = [
    pytest.param(
        """\
name: a
options: {x: {rent: rtx-4090, count: many, price: 1}}
""",
        """\
s.yaml, line 2: options.x.count
  found:    many
  expected: a whole number of 1 or more, or the word auto
  next:     write a number, for example  2
""",
        id="a count that is a word",
    ),
    pytest.param(
        """\
name: a
options: {x: {rent: rtx-4090, count: 0, price: 1}}
""",
        """\
s.yaml, line 2: options.x.count
  found:    0
  expected: a whole number of 1 or more, or the word auto
  next:     write for example  2
""",
        id="no cards",
    ),
    pytest.param(
        """\
name: a
options:
  x: {rent: rtx-4090, count: 1, price: 1, sizing: {spare_replicas: 1, availability: 99%}}
""",
        """\
s.yaml, line 3: options.x.sizing.availability
  found:    both
  expected: spare_replicas or availability
  next:     keep one: a spare stands in for what is down
""",
        id="availability and a spare",
    ),
    pytest.param(
        """\
name: a
options:
  x: {rent: rtx-4090, count: 1, price: 1, sizing: {spare_replicas: 0.5}}
""",
        """\
s.yaml, line 3: options.x.sizing.spare_replicas
  found:    0.5
  expected: a whole number, 0 or more
  next:     write for example  1
""",
        id="half a spare",
    ),
    pytest.param(
        """\
name: a
options:
  x: {rent: rtx-4090, count: 1, price: 1, sizing: {spare_replicas: -1}}
""",
        """\
s.yaml, line 3: options.x.sizing.spare_replicas
  found:    -1
  expected: a whole number, 0 or more
  next:     write for example  1
""",
        id="negative spares",
    ),
    pytest.param(
        """\
name: a
options:
  x: {rent: rtx-4090, count: 1, price: 1, sizing: {gpus_per_replica: 0}}
""",
        """\
s.yaml, line 3: options.x.sizing.gpus_per_replica
  found:    0
  expected: a whole number of 1 or more
  next:     write for example  2
""",
        id="replicas of no cards",
    ),
    pytest.param(
        """\
name: a
options:
  x: {rent: rtx-4090, count: 1, price: 1, sizing: {gpus_per_node: 1.5}}
""",
        """\
s.yaml, line 3: options.x.sizing.gpus_per_node
  found:    1.5
  expected: a whole number of 1 or more
  next:     write for example  2
""",
        id="nodes of half a card",
    ),
    pytest.param(
        """\
name: a
options:
  x: {rent: rtx-4090, count: 1, price: 1, sizing: {busy_ceiling: 0}}
""",
        """\
s.yaml, line 3: options.x.sizing.busy_ceiling
  found:    0
  expected: a fraction above 0 and up to 1, or a percentage up to 100%
  next:     write for example  80%
""",
        id="a ceiling of 0",
    ),
    pytest.param(
        """\
name: a
options:
  x: {rent: rtx-4090, count: 1, price: 1, sizing: {busy_ceiling: 110%}}
""",
        """\
s.yaml, line 3: options.x.sizing.busy_ceiling
  found:    110%
  expected: a fraction above 0 and up to 1, or a percentage up to 100%
  next:     write for example  80%
""",
        id="a ceiling above 1",
    ),
    pytest.param(
        """\
name: a
options:
  x: {rent: rtx-4090, count: 1, price: 1, sizing: {busy_ceiling: 70}}
""",
        """\
s.yaml, line 3: options.x.sizing.busy_ceiling
  found:    70
  expected: a fraction above 0 and up to 1, or a percentage up to 100%
  next:     write 0.7 or 70%
""",
        id="a ceiling as a whole number",
    ),
    pytest.param(
        """\
name: a
options:
  x: {rent: rtx-4090, count: 1, price: 1, sizing: {availability: 0%}}
""",
        """\
s.yaml, line 3: options.x.sizing.availability
  found:    0%
  expected: a fraction above 0 and up to 1, or a percentage up to 100%
  next:     write for example  80%
""",
        id="never available",
    ),
    pytest.param(
        """\
name: a
options:
  x: {rent: rtx-4090, count: 1, price: 1, sizing: {availability: .nan}}
""",
        """\
s.yaml, line 3: options.x.sizing.availability
  found:    .nan
  expected: a fraction above 0 and up to 1, or a percentage up to 100%
  next:     leave the line out if the number is not known
""",
        id="NaN availability",
    ),
    pytest.param(
        """\
name: a
options:
  x: {rent: rtx-4090, count: 1, price: 1, sizing: 4}
""",
        """\
s.yaml, line 3: options.x.sizing
  found:    4
  expected: keys with values, such as  {gpus_per_replica: 4, busy_ceiling: 70%, spare_replicas: 1}
  next:     write  {gpus_per_replica: 4, busy_ceiling: 70%, spare_replicas: 1}
""",
        id="sizing as a number",
    ),
    pytest.param(
        """\
name: a
options:
  x: {rent: rtx-4090, count: 1, price: 1, memory: {precision: fp4}}
""",
        """\
s.yaml, line 3: options.x.memory.precision
  found:    fp4
  expected: one of fp16, bf16, fp8, int8, int4
  next:     did you mean fp8?
""",
        id="an unknown precision",
    ),
    pytest.param(
        """\
name: a
options:
  x: {rent: rtx-4090, count: 1, price: 1, memory: {context: -1}}
""",
        """\
s.yaml, line 3: options.x.memory.context
  found:    -1
  expected: tokens of one request, 0 or more
  next:     write for example  2048
""",
        id="a negative context",
    ),
    pytest.param(
        """\
name: a
options:
  x: {rent: rtx-4090, count: 1, price: 1, memory: {sequences: 2.5}}
""",
        """\
s.yaml, line 3: options.x.memory.sequences
  found:    2.5
  expected: a whole number, 0 or more
  next:     write for example  1
""",
        id="half a sequence",
    ),
    pytest.param(
        """\
name: a
options:
  x: {rent: rtx-4090, count: 1, price: 1, memory: {overhead_gb: -1 GB}}
""",
        """\
s.yaml, line 3: options.x.memory.overhead_gb
  found:    -1 GB
  expected: gigabytes (1 GB is 10^9 bytes), 0 or more
  next:     write for example  24
""",
        id="a negative overhead",
    ),
    pytest.param(
        """\
name: a
options:
  x: {rent: rtx-4090, count: 1, price: 1, memory: {usable_share: 1.1}}
""",
        """\
s.yaml, line 3: options.x.memory.usable_share
  found:    1.1
  expected: a fraction from 0 to 1, or a percentage from 0% to 100%
  next:     write 0.011 or 1.1%
""",
        id="memory used above 1",
    ),
    pytest.param(
        """\
name: a
options:
  x: {rent: rtx-4090, count: 1, price: 1, tokeniser_factor: 0}
""",
        """\
s.yaml, line 3: options.x.tokeniser_factor
  found:    0
  expected: a number above 0
  next:     write for example  1.15
""",
        id="a tokeniser factor of 0",
    ),
    pytest.param(
        """\
name: a
options:
  x: {rent: rtx-4090, count: 1, price: 1, speed_up: -4}
""",
        """\
s.yaml, line 3: options.x.speed_up
  found:    -4
  expected: how many hours of work of the card that was measured one hour of this card does, above 0
  next:     write for example  4
""",
        id="a negative speed-up",
    ),
    pytest.param(
        """\
name: a
options:
  x: {rent: rtx-4090, count: 1, price: 1, speed_up: 0x}
""",
        """\
s.yaml, line 3: options.x.speed_up
  found:    0x
  expected: how many hours of work of the card that was measured one hour of this card does, above 0
  next:     write for example  4
""",
        id="a speed-up of 0",
    ),
    pytest.param(
        """\
name: a
options:
  x: {rent: rtx-4090, count: 1, price: 1, tasks_per_hour: 0}
""",
        """\
s.yaml, line 3: options.x.tasks_per_hour
  found:    0
  expected: tasks an hour of one card, more than 0
  next:     write for example  240
""",
        id="no tasks an hour",
    ),
    pytest.param(
        """\
name: a
options:
  x: {rent: rtx-4090, count: 1, price: 1, hours_per_task: 0 min}
""",
        """\
s.yaml, line 3: options.x.hours_per_task
  found:    0 min
  expected: hours of one card for one task, more than 0
  next:     write for example  12
""",
        id="a task of no time",
    ),
    pytest.param(
        """\
name: a
options:
  x: {rent: rtx-4090, count: 1, price: 1, output_rate: 800, throughput: {output_rate: 900}}
""",
        """\
s.yaml, line 3: options.x.throughput
  found:    both
  expected: output_rate or throughput
  next:     keep one of the two
""",
        id="a speed given twice",
    ),
    pytest.param(
        """\
name: a
options:
  x: {rent: rtx-4090, count: 1, price: 1, tasks_per_hour: 2, hours_per_task: 0.5}
""",
        """\
s.yaml, line 3: options.x.hours_per_task
  found:    both
  expected: tasks_per_hour or hours_per_task
  next:     keep one of the two
""",
        id="a task's time given twice",
    ),
    pytest.param(
        """\
name: a
hardware: {rtx-4090: {output_rate: 800, throughput: {output_rate: 900}}}
options:
  x: {rent: rtx-4090, count: 1, price: 1}
""",
        """\
s.yaml, line 2: hardware.rtx-4090.throughput
  found:    both
  expected: output_rate or throughput
  next:     keep one of the two
""",
        id="a card's speed given twice",
    ),
    pytest.param(
        """\
name: a
hardware: {rtx-4090: {memory_bandwidth: 0}}
options:
  x: {rent: rtx-4090, count: 1, price: 1}
""",
        """\
s.yaml, line 2: hardware.rtx-4090.memory_bandwidth
  found:    0
  expected: gigabytes a second, more than 0
  next:     write for example  1008
""",
        id="a bandwidth of 0",
    ),
    pytest.param(
        """\
name: a
hardware: {rtx-4090: {memory_gb: -24}}
options:
  x: {rent: rtx-4090, count: 1, price: 1}
""",
        """\
s.yaml, line 2: hardware.rtx-4090.memory_gb
  found:    -24
  expected: gigabytes (1 GB is 10^9 bytes), 0 or more
  next:     write for example  24
""",
        id="a negative memory",
    ),
    pytest.param(
        """\
name: a
options:
  x: {own: rtx-4090, count: 1, price: 1599, price_change_per_year: -100%}
""",
        """\
s.yaml, line 3: options.x.price_change_per_year
  found:    -100%
  expected: a rate above -1 and below 1 a year, or a percentage
  next:     write for example  10%
""",
        id="a price that falls by all of it",
    ),
    pytest.param(
        """\
name: a
options:
  x: {own: rtx-4090, count: 1, price: 1599, price_change_per_year: 20}
""",
        """\
s.yaml, line 3: options.x.price_change_per_year
  found:    20
  expected: a rate above -1 and below 1 a year, or a percentage
  next:     write 0.2 or 20%
""",
        id="a price change without its per cent",
    ),
    pytest.param(
        """\
name: a
options:
  x: {rent: rtx-4090, count: 1, price: 1, throughput: 800}
""",
        """\
s.yaml, line 3: options.x.throughput
  found:    800
  expected: a list of measured points
  next:     write for example  {output_rate: 2400, input_length: 1024, output_length: 256,
            concurrency: 64}
""",
        id="throughput as a number",
    ),
    pytest.param(
        """\
name: a
options:
  x: {rent: rtx-4090, count: 1, price: 1, throughput: []}
""",
        """\
s.yaml, line 3: options.x.throughput
  found:    a list of 0
  expected: a list of measured points
  next:     write for example  {output_rate: 2400, input_length: 1024, output_length: 256,
            concurrency: 64}
""",
        id="no points",
    ),
    pytest.param(
        """\
name: a
options:
  x: {rent: rtx-4090, count: 1, price: 1, throughput: {input_length: 5}}
""",
        """\
s.yaml, line 3: options.x.throughput.output_rate
  found:    nothing
  expected: the output tokens a second that were measured
  next:     add for example  output_rate: 2400
""",
        id="a point without a rate",
    ),
    pytest.param(
        """\
name: a
options:
  x: {rent: rtx-4090, count: 1, price: 1, throughput: {output_rate: 0}}
""",
        """\
s.yaml, line 3: options.x.throughput.output_rate
  found:    0
  expected: output tokens a second, more than 0
  next:     write for example  2400
""",
        id="a point of rate 0",
    ),
    pytest.param(
        """\
name: a
options:
  x: {rent: rtx-4090, count: 1, price: 1, throughput: {output_rate: 10, gpus: 0.5}}
""",
        """\
s.yaml, line 3: options.x.throughput.gpus
  found:    0.5
  expected: a whole number of 1 or more
  next:     write for example  2
""",
        id="a point of half a card",
    ),
    pytest.param(
        """\
name: a
options:
  x: {rent: rtx-4090, count: 1, price: 1, throughput: {output_rate: 10, concurrency: 0}}
""",
        """\
s.yaml, line 3: options.x.throughput.concurrency
  found:    0
  expected: requests in flight at the same time, more than 0
  next:     write for example  64
""",
        id="a point of no requests",
    ),
    pytest.param(
        """\
name: a
options:
  x: {rent: rtx-4090, count: 1, price: 1, throughput: {output_rate: 10, input_length: -5}}
""",
        """\
s.yaml, line 3: options.x.throughput.input_length
  found:    -5
  expected: tokens of one request, 0 or more
  next:     write for example  2048
""",
        id="a point of negative length",
    ),
    pytest.param(
        """\
name: a
options:
  x: {rent: rtx-4090, count: 1, price: 1, throughput: [
    {output_rate: 900, input_length: 1024, output_length: 256},
    {output_rate: 950, input_length: 512, output_length: 128}]}
""",
        """\
s.yaml, line 4: options.x.throughput
  found:    2 points with 4 input tokens for each output token
  expected: points that differ in input for each output token: they tell prefill and decode apart
  next:     keep the point that is nearest to the demand, or measure another mix
""",
        id="two points of one mix",
    ),
    pytest.param(
        """\
name: a
options:
  x: {rent: rtx-4090, count: 1, price: 1, throughput: [{output_rate: 900}, {output_rate: 950,
    input_length: 512, output_length: 128}]}
""",
        """\
s.yaml, line 3: options.x.throughput[0]
  found:    no input_length and no output_length
  expected: the lengths of every point, where there are two or more: they tell prefill and decode
            apart
  next:     add the tokens of a request,  input_length: 1024  and  output_length: 256, or keep one
            point
""",
        id="two points without lengths",
    ),
    pytest.param(
        """\
name: a
options:
  x: {rent: rtx-4090, count: 1, price: 1, throughput: [{output_rate: 900, input_length: 5},
    {output_rate: 950, input_length: 512, output_length: 128}]}
""",
        """\
s.yaml, line 3: options.x.throughput[0]
  found:    no output_length
  expected: the lengths of every point, where there are two or more: they tell prefill and decode
            apart
  next:     add the tokens of a request,  input_length: 1024  and  output_length: 256, or keep one
            point
""",
        id="two points without an output length",
    ),
    pytest.param(
        """\
name: a
options:
  x: {rent: rtx-4090, count: 1, price: 1, throughput: [{output_rate: 900, input_length: 5,
    output_length: 0},
    {output_rate: 950, input_length: 512, output_length: 128}]}
""",
        """\
s.yaml, line 3: options.x.throughput[0]
  found:    an output_length of 0
  expected: the lengths of every point, where there are two or more: they tell prefill and decode
            apart
  next:     add the tokens of a request,  input_length: 1024  and  output_length: 256, or keep one
            point
""",
        id="a point that writes nothing",
    ),
    pytest.param(
        """\
name: a
options:
  x: {rent: rtx-4090, count: 1, price: 1, throughput: [{output_rate: 900, input_length: 0,
    output_length: 128},
    {output_rate: 950, input_length: 512, output_length: 128}]}
""",
        """\
s.yaml, line 3: options.x.throughput
  found:    points that no positive rates of prefill and decode explain
  expected: points of which those with more input for each output token write fewer a second
  next:     check the rates, the lengths and the number of cards of each point
""",
        id="points that no rates explain",
    ),
    pytest.param(
        """\
name: a
hardware:
  rtx-4090:
    throughput:
      - {output_rate: 900, input_length: 128, output_length: 128}
      - {output_rate: 90, input_length: 256, output_length: 128}
options:
  x: {rent: rtx-4090, count: 1, price: 1}
""",
        """\
s.yaml, line 5: hardware.rtx-4090.throughput
  found:    points that no positive rates of prefill and decode explain
  expected: points of which those with more input for each output token write fewer a second
  next:     check the rates, the lengths and the number of cards of each point
""",
        id="points of a card that no rates explain",
    ),
    pytest.param(
        """\
name: a
models: {mine: {parameters: 8 B, heads: 32, kv_heads: 8, head_dim: 128}}
options:
  x: {rent: rtx-4090, count: 1, price: 1}
""",
        """\
s.yaml, line 2: models.mine.layers
  found:    nothing
  expected: the layers of the model
  next:     add for example  layers: 32
""",
        id="a model without layers",
    ),
    pytest.param(
        """\
name: a
models: {mine: {parameters: 0, layers: 32, heads: 32, kv_heads: 8, head_dim: 128}}
options:
  x: {rent: rtx-4090, count: 1, price: 1}
""",
        """\
s.yaml, line 2: models.mine.parameters
  found:    0
  expected: billions of parameters, more than 0
  next:     write for example  8 B
""",
        id="a model of 0 parameters",
    ),
    pytest.param(
        """\
name: a
models: {mine: {parameters: 8 B, layers: 32, heads: 32, kv_heads: 0, head_dim: 128}}
options:
  x: {rent: rtx-4090, count: 1, price: 1}
""",
        """\
s.yaml, line 2: models.mine.kv_heads
  found:    0
  expected: a whole number of 1 or more
  next:     write for example  8
""",
        id="a model without key-value heads",
    ),
    pytest.param(
        """\
name: a
models: {mine: {parameters: 8 B, layers: 0.5, heads: 32, kv_heads: 8, head_dim: 128}}
options:
  x: {rent: rtx-4090, count: 1, price: 1}
""",
        """\
s.yaml, line 2: models.mine.layers
  found:    0.5
  expected: a whole number of 1 or more
  next:     write for example  8
""",
        id="half a layer",
    ),
    pytest.param(
        """\
name: a
models: [mine]
options:
  x: {rent: rtx-4090, count: 1, price: 1}
""",
        """\
s.yaml, line 2: models
  found:    a list of 1
  expected: keys with values, such as  {my-model: {parameters: 8 B, layers: 32, heads: 32, kv_heads:
            8, head_dim: 128}}
  next:     write  {my-model: {parameters: 8 B, layers: 32, heads: 32, kv_heads: 8, head_dim: 128}}
""",
        id="models as a list",
    ),
    pytest.param(
        """\
name: a
options:
  x: {rent: rtx-4090, count: 1, price: 1, sessions: {per_month: 20}}
""",
        """\
s.yaml, line 3: options.x.sessions
  found:    sessions
  expected: no sessions where all hours are paid
  next:     write  billed: busy  or  billed: needed, or delete the sessions
""",
        id="sessions where held",
    ),
    pytest.param(
        """\
name: a
options:
  x: {rent: rtx-4090, count: 1, price: 1, billed: busy, sessions: 20}
""",
        """\
s.yaml, line 3: options.x.sessions
  found:    20
  expected: keys with values, such as  {per_month: 60, minimum_hours: 1, increment_hours: 1,
            startup_hours: 0.1}
  next:     write  {per_month: 60, minimum_hours: 1, increment_hours: 1, startup_hours: 0.1}
""",
        id="sessions as a number",
    ),
    pytest.param(
        """\
name: a
options:
  x: {rent: rtx-4090, count: 1, price: 1, billed: busy, sessions: {minimum_hours: 1}}
""",
        """\
s.yaml, line 3: options.x.sessions.per_month
  found:    nothing
  expected: a number a month
  next:     add for example  per_month: 20
""",
        id="sessions without a number",
    ),
    pytest.param(
        """\
name: a
options:
  x: {rent: rtx-4090, count: 1, price: 1, billed: busy, sessions: {per_month: 0}}
""",
        """\
s.yaml, line 3: options.x.sessions.per_month
  found:    0
  expected: how often a month, more than 0
  next:     write for example  20
""",
        id="no sessions",
    ),
    pytest.param(
        """\
name: a
options:
  x: {rent: rtx-4090, count: 1, price: 1, billed: busy, sessions: {per_month: 20,
    increment_hours: 0}}
""",
        """\
s.yaml, line 4: options.x.sessions.increment_hours
  found:    0
  expected: hours, more than 0
  next:     write for example  1
""",
        id="a step of no hours",
    ),
    pytest.param(
        """\
name: a
options:
  x: {rent: rtx-4090, count: 1, price: 1, billed: busy, sessions: {per_month: 20,
    minimum_hours: -1}}
""",
        """\
s.yaml, line 4: options.x.sessions.minimum_hours
  found:    -1
  expected: hours, 0 or more
  next:     write for example  0.5
""",
        id="a negative minimum",
    ),
    pytest.param(
        """\
name: a
options:
  x: {rent: rtx-4090, count: 1, price: 1, billed: busy, sessions: {per_month: 20,
    startup_hours: .nan}}
""",
        """\
s.yaml, line 4: options.x.sessions.startup_hours
  found:    .nan
  expected: hours, 0 or more
  next:     leave the line out if the number is not known
""",
        id="a start that takes no number",
    ),
    pytest.param(
        """\
name: a
options:
  x: {rent: rtx-4090, count: 1, price: 1, reserved: {price: 0.8, term_months: 12}}
""",
        """\
s.yaml, line 3: options.x.price
  found:    both
  expected: reserved or price
  next:     a reservation is paid for all hours at its own price: keep one of the two
""",
        id="reserved with price",
    ),
    pytest.param(
        """\
name: a
options:
  x: {rent: rtx-4090, count: 1, billed: busy, reserved: {price: 0.8, term_months: 12}}
""",
        """\
s.yaml, line 3: options.x.billed
  found:    both
  expected: reserved or billed
  next:     a reservation is paid for all hours at its own price: keep one of the two
""",
        id="reserved with busy",
    ),
    pytest.param(
        """\
name: a
options:
  x: {rent: rtx-4090, count: 1, spot: {hours_between_interruptions: 8}, reserved: {price: 0.8,
    term_months: 12}}
""",
        """\
s.yaml, line 3: options.x.spot
  found:    both
  expected: reserved or spot
  next:     a reservation is paid for all hours at its own price: keep one of the two
""",
        id="reserved with spot",
    ),
    pytest.param(
        """\
name: a
options:
  x: {rent: rtx-4090, count: 1, reserved: {price: 0.8}}
""",
        """\
s.yaml, line 3: options.x.reserved.term_months
  found:    nothing
  expected: the months of a term
  next:     add for example  term_months: 12
""",
        id="reserved without term",
    ),
    pytest.param(
        """\
name: a
options:
  x: {rent: rtx-4090, count: 1, reserved: {term_months: 12}}
""",
        """\
s.yaml, line 3: options.x.reserved.price
  found:    nothing
  expected: a price
  next:     add for example  price: 10
""",
        id="reserved without price",
    ),
    pytest.param(
        """\
name: a
options:
  x: {rent: rtx-4090, count: 1, reserved: {price: 0.8, term_months: 0}}
""",
        """\
s.yaml, line 3: options.x.reserved.term_months
  found:    0
  expected: a whole number of months, 1 or more
  next:     write for example  48
""",
        id="reserved for no months",
    ),
    pytest.param(
        """\
name: a
options:
  x: {rent: rtx-4090, count: 1, reserved: 0.8}
""",
        """\
s.yaml, line 3: options.x.reserved
  found:    0.8
  expected: keys with values, such as  {price: 1.70, upfront: 1752, term_months: 12}
  next:     write  {price: 1.70, upfront: 1752, term_months: 12}
""",
        id="reserved as a number",
    ),
    pytest.param(
        """\
name: a
options:
  x: {rent: rtx-4090, count: 1, reserved: {price: 0.8, upfront: -5, term_months: 12}}
""",
        """\
s.yaml, line 3: options.x.reserved.upfront
  found:    -5
  expected: the price of one card, 0 or more
  next:     write for example  1599
""",
        id="a negative upfront",
    ),
    pytest.param(
        """\
name: a
options:
  x: {rent: rtx-4090, count: 1, price: 1, spot: {hours_between_interruptions: 1,
    checkpoint_hours: 1.5, restart_hours: 0.25}}
""",
        """\
s.yaml, line 3: options.x.spot.hours_between_interruptions
  found:    1
  expected: more hours than an interruption costs: 1.5/2 + 0.25
  next:     checkpoint more often, or do not use spot cards
""",
        id="spot that costs more than it gives",
    ),
    pytest.param(
        """\
name: a
options:
  x: {rent: rtx-4090, count: 1, price: 1, spot: {checkpoint_hours: 1}}
""",
        """\
s.yaml, line 3: options.x.spot.hours_between_interruptions
  found:    nothing
  expected: the mean hours between interruptions
  next:     add for example  hours_between_interruptions: 8
""",
        id="spot without hours",
    ),
    pytest.param(
        """\
name: a
options:
  x: {rent: rtx-4090, count: 1, price: 1, spot: {hours_between_interruptions: 0}}
""",
        """\
s.yaml, line 3: options.x.spot.hours_between_interruptions
  found:    0
  expected: more hours than an interruption costs: 0/2 + 0
  next:     checkpoint more often, or do not use spot cards
""",
        id="spot of 0 hours",
    ),
    pytest.param(
        """\
name: a
options:
  x: {rent: rtx-4090, count: 1, price: 1, spot: {hours_between_interruptions: 8,
    checkpoint_hours: -1}}
""",
        """\
s.yaml, line 4: options.x.spot.checkpoint_hours
  found:    -1
  expected: hours, 0 or more
  next:     write for example  0.5
""",
        id="negative checkpoints",
    ),
    pytest.param(
        """\
name: a
options:
  x: {rent: rtx-4090, count: 1, price: 1, storage: {gb: 500}}
""",
        """\
s.yaml, line 3: options.x.storage.price
  found:    nothing
  expected: a price
  next:     add for example  price: 10
""",
        id="storage without price",
    ),
    pytest.param(
        """\
name: a
options:
  x: {rent: rtx-4090, count: 1, price: 1, storage: {gb: -500, price: 0.1}}
""",
        """\
s.yaml, line 3: options.x.storage.gb
  found:    -500
  expected: gigabytes (1 GB is 10^9 bytes), 0 or more
  next:     write for example  24
""",
        id="negative storage",
    ),
    pytest.param(
        """\
name: a
options:
  x: {rent: rtx-4090, count: 1, price: 1, egress: {gb_per_month: .nan, price: 0.1}}
""",
        """\
s.yaml, line 3: options.x.egress.gb_per_month
  found:    .nan
  expected: gigabytes (1 GB is 10^9 bytes), 0 or more
  next:     leave the line out if the number is not known
""",
        id="NaN egress",
    ),
    pytest.param(
        """\
name: a
options:
  x: {rent: rtx-4090, count: 1, price: 1, egress: {price: 0.1}}
""",
        """\
s.yaml, line 3: options.x.egress.gb_per_month
  found:    nothing
  expected: the gigabytes a month
  next:     add for example  gb_per_month: 200
""",
        id="egress without gigabytes",
    ),
    pytest.param(
        """\
name: a
options:
  x: {rent: rtx-4090, count: 1, price: 1, storage: {gb: 500 tokens, price: 0.1}}
""",
        """\
s.yaml, line 3: options.x.storage.gb
  found:    500 tokens
  expected: gigabytes (1 GB is 10^9 bytes), 0 or more; tokens belongs to tokens a month, this field
            takes gigabytes
  next:     write for example  24
""",
        id="storage of another unit",
    ),
    pytest.param(
        """\
name: a
options:
  x: {rent: rtx-4090, count: 1, price: 1, prepaid: {balance: -200}}
""",
        """\
s.yaml, line 3: options.x.prepaid.balance
  found:    -200
  expected: an amount of money, 0 or more
  next:     write for example  50
""",
        id="a negative balance",
    ),
    pytest.param(
        """\
name: a
options:
  x: {rent: rtx-4090, count: 1, price: 1, prepaid: {balance: 200, lost_in_month: 2.5}}
""",
        """\
s.yaml, line 3: options.x.prepaid.lost_in_month
  found:    2.5
  expected: a whole number, 0 or more
  next:     write for example  1
""",
        id="a balance lost in half a month",
    ),
    pytest.param(
        """\
name: a
options:
  x: {rent: rtx-4090, count: 1, price: 1, prepaid: {balance: 200, lost_in_month: -1}}
""",
        """\
s.yaml, line 3: options.x.prepaid.lost_in_month
  found:    -1
  expected: a whole number, 0 or more
  next:     write for example  1
""",
        id="a balance lost before it is paid",
    ),
    pytest.param(
        """\
name: a
options:
  x: {rent: rtx-4090, count: 1, price: 1, prepaid: {lost_in_month: 3}}
""",
        """\
s.yaml, line 3: options.x.prepaid.balance
  found:    nothing
  expected: the balance
  next:     add for example  balance: 200
""",
        id="prepaid without a balance",
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
        id="a lowest offer alone",
    ),
    pytest.param(
        """\
name: a
options:
  x: {rent: rtx-4090, count: 1, price: {p25: 0.3, p75: 0.6}}
""",
        """\
s.yaml, line 3: options.x.price.median
  found:    p25 and p75 alone
  expected: the median, which renting is planned with: the p25 and the p75 only stand beside it
  next:     add  median: 0.49  with your own number
""",
        id="quantiles alone",
    ),
    pytest.param(
        """\
name: a
options:
  x: {rent: rtx-4090, count: 1, reserved: {price: {minimum: 0.14}, term_months: 12}}
""",
        """\
s.yaml, line 3: options.x.reserved.price.median
  found:    minimum alone
  expected: the median, which renting is planned with: the minimum only stands beside it
  next:     add  median: 0.49  with your own number
""",
        id="a reserved lowest offer alone",
    ),
    pytest.param(
        """\
name: a
options:
  x: {rent: rtx-4090, count: 1, price: {median: 0.49, p25: 0.6}}
""",
        """\
s.yaml, line 3: options.x.price.p25
  found:    0.6
  expected: a p25 that is not above the median of 0.49
  next:     exchange the two, or correct one of them
""",
        id="a median below its p25",
    ),
    pytest.param(
        """\
name: a
options:
  x: {rent: rtx-4090, count: 1, price: {median: 0.49, p75: 0.4}}
""",
        """\
s.yaml, line 3: options.x.price.median
  found:    0.49
  expected: a median that is not above the p75 of 0.4
  next:     exchange the two, or correct one of them
""",
        id="a median above its p75",
    ),
    pytest.param(
        """\
name: a
options:
  x: {rent: rtx-4090, count: 1, price: {median: 0.49, minimum: 0.3, p25: 0.2}}
""",
        """\
s.yaml, line 3: options.x.price.minimum
  found:    0.3
  expected: a minimum that is not above the p25 of 0.2
  next:     exchange the two, or correct one of them
""",
        id="a p25 below the lowest offer",
    ),
    pytest.param(
        """\
name: a
options:
  x: {rent: rtx-4090, count: 1, price: 1, throughput: {output_rate: 800 tokens/s/GPU, gpus: 2}}
""",
        """\
s.yaml, line 3: options.x.throughput.output_rate
  found:    800 tokens/s/GPU
  expected: output tokens a second, more than 0; tokens/s/GPU belongs to tokens a second of one
            card, this field takes tokens a second of all cards together
  next:     write for example  2400
""",
        id="a point by the card",
    ),
    pytest.param(
        """\
name: a
options:
  x: {api: b, output_tiers: [{up_to: 100 M, price: 10}, {up_to: 50 M, price: 9}, {price: 8}]}
""",
        """\
s.yaml, line 3: options.x.output_tiers[1].up_to
  found:    50 M
  expected: more than the 100 M of the tier before it
  next:     write the tiers in ascending order
""",
        id="tiers out of order",
    ),
    pytest.param(
        """\
name: a
options:
  x: {api: b, output_tiers: [{up_to: 100 M, price: 10}, {up_to: 100 M, price: 9}, {price: 8}]}
""",
        """\
s.yaml, line 3: options.x.output_tiers[1].up_to
  found:    100 M
  expected: more than the 100 M of the tier before it
  next:     write the tiers in ascending order
""",
        id="two tiers to one volume",
    ),
    pytest.param(
        """\
name: a
options:
  x: {api: b, input_tiers: [{up_to: 100 M, price: 10}, {up_to: 200 M, price: 8}]}
""",
        """\
s.yaml, line 3: options.x.input_tiers[1].up_to
  found:    up_to
  expected: no up_to in the last tier
  next:     delete up_to: the last tier holds for all that is above the others
""",
        id="last tier with up_to",
    ),
    pytest.param(
        """\
name: a
options:
  x: {api: b, output_tiers: [{price: 10}, {price: 8}]}
""",
        """\
s.yaml, line 3: options.x.output_tiers[0].up_to
  found:    nothing
  expected: the volume at which the tier ends
  next:     add for example  up_to: 100 M
""",
        id="a tier without up_to",
    ),
    pytest.param(
        """\
name: a
options:
  x: {api: b, output_tiers: [{up_to: 100 M}, {price: 8}]}
""",
        """\
s.yaml, line 3: options.x.output_tiers[0].price
  found:    nothing
  expected: a price
  next:     add for example  price: 10
""",
        id="a tier without price",
    ),
    pytest.param(
        """\
name: a
options:
  x: {api: b, output_tiers: [{up_to: 100 M, price: -1}, {price: 8}]}
""",
        """\
s.yaml, line 3: options.x.output_tiers[0].price
  found:    -1
  expected: the price of a million tokens, 0 or more
  next:     write for example  15
""",
        id="a tier with a negative price",
    ),
    pytest.param(
        """\
name: a
options:
  x: {api: b, output_tiers: 10}
""",
        """\
s.yaml, line 3: options.x.output_tiers
  found:    10
  expected: a list of tiers
  next:     write for example  [{up_to: 100 M, price: 10}, {price: 8}]
""",
        id="tiers as a price",
    ),
    pytest.param(
        """\
name: a
options:
  x: {api: b, output_tiers: []}
""",
        """\
s.yaml, line 3: options.x.output_tiers
  found:    a list of 0
  expected: a list of tiers
  next:     write for example  [{up_to: 100 M, price: 10}, {price: 8}]
""",
        id="no tiers",
    ),
    pytest.param(
        """\
name: a
options:
  x: {api: b, output_tiers: [10, 8]}
""",
        """\
s.yaml, line 3: options.x.output_tiers[0]
  found:    10
  expected: keys with values, such as  {up_to: 100 M, price: 10}
  next:     write  {up_to: 100 M, price: 10}

s.yaml, line 3: options.x.output_tiers[1]
  found:    8
  expected: keys with values, such as  {up_to: 100 M, price: 10}
  next:     write  {up_to: 100 M, price: 10}
""",
        id="tiers as numbers",
    ),
    pytest.param(
        """\
name: a
options:
  x: {api: b, output_price: 15, output_tiers: [{price: 10}]}
""",
        """\
s.yaml, line 3: options.x.output_tiers
  found:    both
  expected: output_price or output_tiers
  next:     keep one of the two
""",
        id="tiers beside a price",
    ),
    pytest.param(
        """\
name: a
options:
  x: {api: b, output_tiers: [{price: 10}], long_context: {above: 200k, output_price: 22}}
""",
        """\
s.yaml, line 3: options.x.long_context
  found:    both
  expected: output_tiers or long_context
  next:     keep one: two prices that change by different volumes have no one bill
""",
        id="tiers beside a long context",
    ),
    pytest.param(
        """\
name: a
options:
  x: {api: b, output_tiers: [{price: 10}], tiering: all_units}
""",
        """\
s.yaml, line 3: options.x.tiering
  found:    all_units
  expected: graduated or all-units
  next:     did you mean all-units?
""",
        id="unknown tiering",
    ),
    pytest.param(
        """\
name: a
demand: {output_tokens: 5 M, input_tokens: 9 M, cache_read_tokens: 4 M}
options:
  x: {api: b, output_price: 15, input_tiers: [{price: 10}]}
""",
        """\
s.yaml, line 4: options.x.cache_read_price
  found:    nothing
  expected: a price of cache_read tokens: input_tiers are those of fresh input
  next:     add for example  cache_read_price: 1.5
""",
        id="tiers of input and no price of cache reads",
    ),
    pytest.param(
        """\
name: a
demand: {output_tokens: 5 M, input_tokens: 9 M, cache_write_1h_tokens: 4 M}
options:
  x: {api: b, output_price: 15, input_tiers: [{price: 10}], cache_read_price: 1}
""",
        """\
s.yaml, line 4: options.x.cache_write_1h_price
  found:    nothing
  expected: a price of cache_write_1h tokens: input_tiers are those of fresh input
  next:     add for example  cache_write_1h_price: 1.5
""",
        id="tiers of input and no price of cache writes",
    ),
    pytest.param(
        """\
name: a
options:
  x: {api: b, output_price: 15, long_context: {input_price: 6}}
""",
        """\
s.yaml, line 3: options.x.long_context.above
  found:    nothing
  expected: the tokens of a prompt above which it is dearer
  next:     add for example  above: 200k
""",
        id="a long context without above",
    ),
    pytest.param(
        """\
name: a
options:
  x: {api: b, output_price: 15, long_context: {above: 200k, input_price: -6}}
""",
        """\
s.yaml, line 3: options.x.long_context.input_price
  found:    -6
  expected: the price of a million tokens, 0 or more
  next:     write for example  15
""",
        id="a negative long price",
    ),
    pytest.param(
        """\
name: a
options:
  x: {api: b, output_price: 15, cache_read_price: -1}
""",
        """\
s.yaml, line 3: options.x.cache_read_price
  found:    -1
  expected: the price of a million tokens, 0 or more
  next:     write for example  15
""",
        id="a negative cache price",
    ),
    pytest.param(
        """\
name: a
options:
  x: {api: b, task_price: .nan}
""",
        """\
s.yaml, line 3: options.x.task_price
  found:    .nan
  expected: the price of one task, 0 or more
  next:     leave the line out if the number is not known
""",
        id="NaN for a task",
    ),
    pytest.param(
        """\
name: a
options:
  x: {api: b, task_price: 5 W}
""",
        """\
s.yaml, line 3: options.x.task_price
  found:    5 W
  expected: the price of one task, 0 or more; W belongs to a power, this field takes money for a
            task
  next:     write for example  0.02
""",
        id="watts for a task",
    ),
    pytest.param(
        """\
name: a
options:
  x: {api: b, output_price: 15, batch: {share: 30%}}
""",
        """\
s.yaml, line 3: options.x.batch.discount
  found:    nothing
  expected: what is taken off the price
  next:     add for example  discount: 50%
""",
        id="batch without discount",
    ),
    pytest.param(
        """\
name: a
options:
  x: {api: b, output_price: 15, batch: {share: 130%, discount: 50%}}
""",
        """\
s.yaml, line 3: options.x.batch.share
  found:    130%
  expected: a fraction from 0 to 1, or a percentage from 0% to 100%
  next:     write for example  70%
""",
        id="batch of more than all",
    ),
    pytest.param(
        """\
name: a
options:
  x: {api: b, output_price: 15, batch: {share: 30%, discount: 50}}
""",
        """\
s.yaml, line 3: options.x.batch.discount
  found:    50
  expected: a fraction from 0 to 1, or a percentage from 0% to 100%
  next:     write 0.5 or 50%
""",
        id="batch discount as a number",
    ),
    pytest.param(
        """\
name: a
options:
  x: {api: b, output_price: 15, commitment: {overage_discount: 10%}}
""",
        """\
s.yaml, line 3: options.x.commitment.amount
  found:    nothing
  expected: the amount of the cost
  next:     add for example  amount: 50
""",
        id="commitment without amount",
    ),
    pytest.param(
        """\
name: a
options:
  x: {api: b, output_price: 15, commitment: {amount: -5}}
""",
        """\
s.yaml, line 3: options.x.commitment.amount
  found:    -5
  expected: an amount of money a month, 0 or more
  next:     write for example  168
""",
        id="a negative commitment",
    ),
    pytest.param(
        """\
name: a
options:
  x: {api: b, output_price: 15, commitment: 5000}
""",
        """\
s.yaml, line 3: options.x.commitment
  found:    5000
  expected: keys with values, such as  {amount: 5000, overage_discount: 10%}
  next:     write  {amount: 5000, overage_discount: 10%}
""",
        id="commitment as a number",
    ),
    pytest.param(
        """\
name: a
options:
  x: {api: b, output_price: 15, commitment: {amount: 5, overage_discount: 110%}}
""",
        """\
s.yaml, line 3: options.x.commitment.overage_discount
  found:    110%
  expected: a fraction from 0 to 1, or a percentage from 0% to 100%
  next:     write for example  70%
""",
        id="an overage above 100%",
    ),
    pytest.param(
        """\
name: a
options:
  x: {api: b, output_price: 15, fx_fee: -1%}
""",
        """\
s.yaml, line 3: options.x.fx_fee
  found:    -1%
  expected: a fraction from 0 to 1, or a percentage from 0% to 100%
  next:     write for example  70%
""",
        id="a negative fee",
    ),
    pytest.param(
        """\
name: a
options:
  x: {api: b, output_price: 15, fx_fee: 1.5}
""",
        """\
s.yaml, line 3: options.x.fx_fee
  found:    1.5
  expected: a fraction from 0 to 1, or a percentage from 0% to 100%
  next:     write 0.015 or 1.5%
""",
        id="a fee above 1",
    ),
    pytest.param(
        """\
name: a
options:
  x: {api: b, output_price: 15, vat: {recoverable: no}}
""",
        """\
s.yaml, line 3: options.x.vat.rate
  found:    nothing
  expected: a rate
  next:     add for example  rate: 6%
""",
        id="tax without rate",
    ),
    pytest.param(
        """\
name: a
options:
  x: {api: b, output_price: 15, vat: {rate: 6%, recoverable: maybe}}
""",
        """\
s.yaml, line 3: options.x.vat.recoverable
  found:    maybe
  expected: yes or no
  next:     write one of these words
""",
        id="tax that is perhaps got back",
    ),
    pytest.param(
        """\
name: a
options:
  x: {api: b, output_price: 15, vat: 6%}
""",
        """\
s.yaml, line 3: options.x.vat
  found:    6%
  expected: keys with values, such as  {rate: 6%, recoverable: no}
  next:     write  {rate: 6%, recoverable: no}
""",
        id="tax as a number",
    ),
    pytest.param(
        """\
name: a
options:
  x: {api: b, output_price: 15, retries_billed: sometimes}
""",
        """\
s.yaml, line 3: options.x.retries_billed
  found:    sometimes
  expected: yes or no
  next:     write one of these words
""",
        id="retries billed sometimes",
    ),
    pytest.param(
        """\
name: a
options:
  x: {api: b, output_price: 15, rate_limit: 0}
""",
        """\
s.yaml, line 3: options.x.rate_limit
  found:    0
  expected: output tokens a second, more than 0
  next:     write for example  2400
""",
        id="a rate limit of 0",
    ),
    pytest.param(
        """\
name: a
options:
  x: {api: b, output_price: 15, billing_rate: 7.1}
""",
        """\
s.yaml, line 3: options.x.billing_rate
  found:    7.1
  expected: what is billed for one unit of the list price, with both currencies
  next:     write for example  1 CNY/USD
""",
        id="a billing rate without currencies",
    ),
    pytest.param(
        """\
name: a
options:
  x: {api: b, output_price: 15, billing_rate: 7.1 CNY}
""",
        """\
s.yaml, line 3: options.x.billing_rate
  found:    7.1 CNY
  expected: what is billed for one unit of the list price, with both currencies
  next:     write for example  1 CNY/USD
""",
        id="a billing rate with one currency",
    ),
    pytest.param(
        """\
name: a
options:
  x: {api: b, output_price: 15, billing_rate: 7.1 CNX/USD}
""",
        """\
s.yaml, line 3: options.x.billing_rate
  found:    7.1 CNX/USD
  expected: what is billed for one unit of the list price, with both currencies
  next:     write for example  1 CNY/USD
""",
        id="a billing rate of no currency",
    ),
    pytest.param(
        """\
name: a
exchange_rates: {CNY: 7.1}
options:
  x: {api: b, output_price: 15, billing_rate: 0 CNY/USD}
""",
        """\
s.yaml, line 4: options.x.billing_rate
  found:    0 CNY/USD
  expected: a number above 0
  next:     write for example  1 CNY/USD
""",
        id="a billing rate of 0",
    ),
    pytest.param(
        """\
name: a
exchange_rates: {CNY: 7.1}
options:
  x: {api: b, output_price: 15, billing_rate: -1 CNY/USD}
""",
        """\
s.yaml, line 4: options.x.billing_rate
  found:    -1 CNY/USD
  expected: what is billed for one unit of the list price, with both currencies
  next:     write for example  1 CNY/USD
""",
        id="a negative billing rate",
    ),
    pytest.param(
        """\
name: a
exchange_rates: {CNY: 7.1}
options:
  x: {api: b, output_price: 15, billing_rate: 1.2.3 CNY/USD}
""",
        """\
s.yaml, line 4: options.x.billing_rate
  found:    1.2.3 CNY/USD
  expected: a number above 0, with a point before the decimals
  next:     write the number without separators, for example  1234.5
""",
        id="a billing rate with two points",
    ),
    pytest.param(
        """\
name: a
options:
  x: {api: b, output_price: 15, billing_rate: 1 CNY/USD}
""",
        """\
s.yaml, line 3: options.x.billing_rate
  found:    1 CNY/USD
  expected: an amount in USD, or an exchange rate for CNY
  next:     add the line  exchange_rates: {CNY: ...}  with the number of CNY for one USD
""",
        id="a billing rate without an exchange rate",
    ),
    pytest.param(
        """\
name: a
exchange_rates: {CNY: 7.1, EUR: 0.9}
options:
  x: {api: b, output_price: 15, billing_rate: 1 CNY/EUR}
""",
        """\
s.yaml, line 4: options.x.billing_rate
  found:    1 CNY/EUR
  expected: a rate for one USD, in which options.x.output_price is listed
  next:     write the price in EUR, or the rate as  1 CNY/USD
""",
        id="a billing rate for another list",
    ),
    pytest.param(
        """\
name: a
exchange_rates: {CNY: 7.1}
options:
  x: {api: b, output_price: 15, billing_rate: {source: reseller}}
""",
        """\
s.yaml, line 4: options.x.billing_rate.value
  found:    nothing
  expected: what is billed for one unit of the list price, with both currencies
  next:     add  value: 1 CNY/USD  with your own number
""",
        id="a billing rate of no value",
    ),
    pytest.param(
        """\
name: a
options:
  x: {api: b, output_price: 15, billing_rate: [1, CNY]}
""",
        """\
s.yaml, line 3: options.x.billing_rate
  found:    a list of 2
  expected: what is billed for one unit of the list price, with both currencies
  next:     write one value, for example  1 CNY/USD
""",
        id="a billing rate as a list",
    ),
    pytest.param(
        """\
name: a
options:
  x: {api: b, output_price: {value: 8, currency: ambiguous}}
""",
        """\
s.yaml, line 3: options.x.output_price.currency
  found:    ambiguous
  expected: an exchange rate, so that there are two readings
  next:     add the line  exchange_rates: {CNY: 7.10}  with your own number
""",
        id="ambiguous without exchange rates",
    ),
    pytest.param(
        """\
name: a
exchange_rates: {CNY: 7.1}
options:
  x: {rent: rtx-4090, count: 1, price: {median: 8, currency: ambiguous}}
""",
        """\
s.yaml, line 4: options.x.price.currency
  found:    ambiguous
  expected: one currency: both readings are made of an API's prices only
  next:     write the currency, or make the two readings two options
""",
        id="ambiguous where it cannot be",
    ),
    pytest.param(
        """\
name: a
options:
  x: {api: b, output_price: 15, rate_limit: 50 tokens/s/GPU}
""",
        """\
s.yaml, line 3: options.x.rate_limit
  found:    50 tokens/s/GPU
  expected: output tokens a second, more than 0; tokens/s/GPU belongs to tokens a second of one
            card, this field takes tokens a second of all cards together
  next:     write for example  2400
""",
        id="a rate limit of a card",
    ),
]


@pytest.mark.parametrize(("text", "message"), MISTAKES)
def test_the_whole_message(text: str, message: str) -> None:
    with pytest.raises(ScenarioErrors) as caught:
        read(text.encode("utf-8"), "s.yaml")
    assert f"{caught.value}\n" == message
