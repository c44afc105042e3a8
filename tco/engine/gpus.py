"""Binds what a supply of GPUs can do, bought or rented: throughput, sizing, memory."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tco.engine.graph import Scope
from tco.engine.missing import points_of, replacement_of, work_rate_of
from tco.engine.structure import functions_of
from tco.engine.taking import Place, Taker
from tco.engine.work import BoundDemand
from tco.model import capacity, fit, gpu_hours, levels, sizing
from tco.prices import cards, models
from tco.scenario.defaults import BYTES_PER_PARAMETER, KV_BYTES
from tco.scenario.schema import Own, Quantity, Rent
from tco.scenario.supplies import AUTO, Memory, Sizing, Throughput
from tco.scenario.throughput import rates_of
from tco.units import Fraction, Ratio, TokensPerSecondPerGpu

SIZES = {
    "gpus_per_replica": 1,
    "gpus_per_node": 1,
    "busy_ceiling": 1,
    "spare_replicas": 0,
    "availability": 1,
}


@dataclass(frozen=True)
class Gpus:
    """What binding one supply of GPUs needs to know."""

    taker: Taker
    demand: BoundDemand | None
    scope: Scope
    given: Own | Rent
    card: str
    owner: str

    @property
    def prefix(self) -> str:
        """How the names of its cells begin."""
        return self.scope.name.replace("/", "_")

    @property
    def measured(self) -> bool:
        """Whether its throughput is known, so that the busy share is a result."""
        return self.demand is not None and work_rate_of(self.taker.scenario, self.given) is not None

    @property
    def is_auto(self) -> bool:
        """Whether the number of cards follows the demand."""
        return self.given.count == AUTO

    @property
    def is_sized(self) -> bool:
        """Whether replicas and nodes are told apart from cards."""
        needed = isinstance(self.given, Rent) and self.given.billed == "needed"
        told = self.is_auto or needed or self.given.sizing is not None
        return self.measured and (told or self.measured_together is not None)

    @property
    def measured_together(self) -> Quantity | None:
        """How many cards held one copy of the model where the throughput was measured."""
        if self.demand is None or self.demand.kind != "tokens":
            return None
        if work_rate_of(self.taker.scenario, self.given) != "throughput":
            return None
        found = [p.tensor_parallel for p in points_of(self.taker.scenario, self.given)]
        together = {quantity.value for quantity in found if quantity is not None}
        return found[0] if len(together) == 1 and together != {1.0} else None

    @property
    def by_work(self) -> list[str]:
        """How the cost of one more unit of work is found: where the mix decides, by the hours."""
        apart = self.scope.functions.get("output_rate") is capacity.output_rate__apart
        return ["by_hours" if apart else "by_volume"]

    def take(self, field: str, quantity: Any, path: str = "", **more: Any) -> None:
        """An input that only the supply itself may give."""
        parameter = field.rpartition(".")[2]
        path = path or f"{self.given.path}.{parameter}"
        name = f"{self.prefix}_{parameter}"
        self.taker.take(self.scope, field, Place(quantity, name, path, self.owner), **more)

    def inherit(self, field: str, **more: Any) -> None:
        """An input that the supply may give, or its card, or the site."""
        parameter = field.rpartition(".")[2]
        places = []
        if parameter in type(self.given).model_fields:
            path = f"{self.given.path}.{parameter}"
            own_value = getattr(self.given, parameter)
            places.append(Place(own_value, f"{self.prefix}_{parameter}", path, self.owner))
        if parameter not in ("pue", "electricity_price"):
            places.append(self.taker.of_card(self.card, parameter))
        if parameter in ("pue", "electricity_price", "utilisation"):
            places.append(self.taker.of_site(parameter))
        self.taker.take(self.scope, field, *places, **more)

    def bind(self, functions: dict[str, Any]) -> None:
        """Add lines to the supply."""
        self.scope.functions.update(functions)


def bind_gpus(gpus: Gpus) -> None:
    """The lines of a supply of GPUs that do not depend on how they are paid."""
    if not gpus.is_auto:
        gpus.take("count", gpus.given.count)
    variants = _capacity(gpus)
    gpus.bind(functions_of(gpu_hours, "measured" if gpus.measured else "assumed", *variants))
    _fit(gpus)


def _capacity(gpus: Gpus) -> list[str]:
    """What the cards can serve; returns how their hours are counted."""
    scope, given = gpus.scope, gpus.given
    needed = isinstance(given, Rent) and given.billed == "needed"
    # without a demand nothing says when they are needed: they are held
    hours = ["needed" if needed and gpus.measured else "held"]
    if gpus.demand is None:
        gpus.inherit("utilisation")
        scope.aliases["gpus"] = scope.inputs["count"]
        return hours
    shape = "profile" if gpus.demand.curve else "flat"
    tokens = ["tokens"] if gpus.demand.kind == "tokens" else []
    if not gpus.measured:
        gpus.inherit("utilisation")
        scope.aliases["gpus"] = scope.inputs["count"]
        peak = ["required_peak"] if gpus.demand.curve and tokens else []
        required = ["required", *peak] if tokens else []
        found = functions_of(capacity, "unlimited", *required, shape, *tokens)
        # nothing is known of their work in an hour
        found.pop("work_per_gpu_hour", None)
        gpus.bind(found)
        return hours
    rates = _work_rate(gpus)
    found = functions_of(capacity, "measured", *rates, shape)
    if tokens:
        found["served_input_tokens"] = capacity.served_input_tokens__tokens
    gpus.bind(found)
    if not gpus.is_sized:
        scope.aliases["gpus"] = scope.inputs["count"]
        return hours
    _sizes(gpus)
    if needed:
        _levels(gpus)
    return hours


def _work_rate(gpus: Gpus) -> list[str]:
    """What a card does in an hour; returns the variants that compute it."""
    scope, given = gpus.scope, gpus.given
    assert gpus.demand is not None
    if isinstance(given, Rent) and given.spot is not None:
        for field in ("hours_between_interruptions", "checkpoint_hours", "restart_hours"):
            path = f"{given.spot.path}.{field}"
            default = (0.0, "not given, so not counted")
            gpus.take(field, getattr(given.spot, field), path, default=default)
    else:
        scope.aliases["useful_share_of_hours"] = 1
    rate = work_rate_of(gpus.taker.scenario, given)
    assert rate is not None
    if gpus.demand.kind == "tasks":
        gpus.inherit(rate)
        return ["tasks"] if rate == "tasks_per_hour" else ["task_hours"]
    if gpus.demand.kind == "gpu_hours":
        why = "the card that the hours were measured on"
        gpus.inherit("speed_up", default=(1.0, why))
        return ["jobs"]
    if given.tokeniser_factor is not None:
        gpus.take("tokeniser_factor", given.tokeniser_factor)
    else:
        scope.aliases["tokeniser_factor"] = 1
    if rate == "output_rate":
        gpus.inherit("output_rate")
        return ["tokens"]
    points = points_of(gpus.taker.scenario, given)
    if len(points) == 1:
        point = points[0]
        holder = gpus.prefix if given.throughput else f"h{gpus.taker.inputs.card_number(gpus.card)}"
        for field, name, quantity, default in (
            ("point_output_rate", "output_rate", point.output_rate, (0.0, "")),
            ("point_gpus", "gpus", point.gpus, _measured_gpus(point)),
        ):
            place = Place(quantity, f"{holder}_{field}", f"{point.path}.{name}", gpus.card)
            gpus.taker.take(scope, field, place, default=default)
        return ["tokens", "point"]
    rates = rates_of(points)
    holder = gpus.prefix if given.throughput else f"h{gpus.taker.inputs.card_number(gpus.card)}"
    path = points[0].path.rpartition("[")[0] or points[0].path
    for name, label, value in (
        ("decode_rate", "Decoding alone, output tokens a second of a GPU", rates.decode),
        ("prefill_rate", "Prefill alone, input tokens a second of a GPU", rates.prefill),
    ):
        scope.inputs[name] = gpus.taker.inputs.solved(
            f"{holder}_{name}", f"{label}, {gpus.card}", TokensPerSecondPerGpu, value, path,
            f"solved from {len(points)} measured points: {rates.how}",
        )  # fmt: skip
    return ["tokens", "apart"]


def _measured_gpus(point: Throughput) -> tuple[float, str]:
    """How many cards were measured where a point does not say so."""
    if point.tensor_parallel is not None:
        return point.tensor_parallel.value, "not given: those that held one copy of the model"
    return 1.0, "not given: one GPU was measured"


def _sizes(gpus: Gpus) -> None:
    given, scope = gpus.given, gpus.scope
    sizes = given.sizing or Sizing()
    for field, neutral in SIZES.items():
        quantity = getattr(sizes, field)
        if field == "gpus_per_replica" and quantity is None and gpus.measured_together:
            # as many as were measured together; fewer would not hold the model
            measured = gpus.measured_together
            gpus.take(field, measured, measured.path)
            continue
        if quantity is None:
            scope.aliases[field] = neutral
        else:
            gpus.take(field, quantity, f"{sizes.path}.{field}")
    variants = ["auto" if gpus.is_auto else "fixed"]
    if gpus.is_auto:
        variants.append("kept" if isinstance(given, Own) else "released")
    if isinstance(given, Rent) and given.billed == "needed":
        variants.append("needed")
    if isinstance(given, Own) and given.price_change_per_year is not None and gpus.is_auto:
        variants.append("changing")
    found = functions_of(sizing, *variants)
    if not isinstance(given, Own):
        found.pop("gpus_bought", None)
    gpus.bind(found)


def _levels(gpus: Gpus) -> None:
    """The hours of a supply that is held while needed, level by level of the load."""
    assert gpus.demand is not None
    curve = gpus.demand.curve or ((1.0,), (1.0,))
    before: str | int = 0
    for number, (level, share) in enumerate(zip(*curve, strict=True), start=1):
        if level == 0:
            continue
        scope = Scope(f"{gpus.scope.name}/l{number}", around=gpus.scope)
        for name, label, unit, value in (
            ("level", "Load over the mean", Ratio, level),
            ("share", "Share of the hours", Fraction, share),
        ):
            scope.inputs[name] = gpus.taker.inputs.table_row(
                f"load_{name}_{number}", f"{label}, level {number}", unit, value, "demand.load"
            )
        scope.aliases["needed_gpu_hours_before"] = before
        scope.functions.update(functions_of(levels))
        gpus.taker.scopes.append(scope)
        before = scope.line("needed_gpu_hours_through")
    gpus.scope.aliases["needed_gpu_hours"] = before


def _fit(gpus: Gpus) -> None:
    """Whether the model fits the card's memory, where both are known."""
    scenario, given, scope = gpus.taker.scenario, gpus.given, gpus.scope
    name = given.model or replacement_of(scenario)
    described = scenario.models.get(name) if name else None
    known = models.model(name) if name and described is None else None
    card = cards.card(gpus.card)
    hardware = scenario.hardware.get(gpus.card)
    memory_gb = hardware.memory_gb if hardware else None
    if gpus.demand is None or (described is None and known is None):
        return
    if card is None and memory_gb is None:
        return
    memory = given.memory or Memory()
    number = gpus.taker.inputs.model_number(str(name))
    path = f"models.{name}"

    def of_model(field: str, quantity: Any, value: float | None) -> None:
        source = known.source if known else ""
        default = (value, f"known of {name}: {source}") if value is not None else None
        place = Place(quantity, f"m{number}_{field}", f"{path}.{field}", str(name))
        gpus.taker.take(scope, field, place, default=default, known=True)

    def shape_of_model(field: str) -> None:
        of_model(
            field,
            getattr(described, field) if described else None,
            float(getattr(known, field)) if known else None,
        )

    of_model(
        "parameters_billion",
        described.parameters if described else None,
        known.parameters_billion if known else None,
    )
    width = BYTES_PER_PARAMETER[memory.precision]
    why = f"memory.precision {memory.precision}{'' if given.memory else ', not given'}"
    precision = f"{memory.path or f'{given.path}.memory'}.precision"
    gpus.take("bytes_per_parameter", None, precision, default=(width, why))
    found = functions_of(fit)
    names = ["weights_gb", "weights_gb_per_gpu", "needed_gb_per_gpu", "usable_gb", "shortfall_gb"]
    names.append("does_not_fit")
    has_cache = memory.context is not None and (described or (known and known.writes_text))
    if has_cache:
        names += ["kv_bytes_per_token", "kv_gb_per_sequence", "kv_gb", "kv_gb_per_gpu"]
        names += ["kv_room_gb", "sequences_that_fit"]
        for field in ("layers", "kv_heads", "head_dim"):
            if field == "head_dim" and known is not None and known.latent:
                of_model("latent", None, float(known.latent))
                found["kv_bytes_per_token"] = fit.kv_bytes_per_token__latent
                continue
            shape_of_model(field)
        if known is not None and known.window:
            of_model("window", None, float(known.window))
            found["kv_gb_per_sequence"] = fit.kv_gb_per_sequence__window
        gpus.take("context", memory.context, f"{memory.path}.context")
        one = (1.0, "not given: one sequence at least")
        gpus.take("sequences", memory.sequences, f"{memory.path}.sequences", default=one)
        gpus.take("kv_bytes", None, precision, default=(KV_BYTES, "a cache in 16 bits"))
    else:
        scope.aliases["kv_gb_per_gpu"] = 0
    where = memory.path or f"{given.path}.memory"
    gpus.take("overhead_gb", memory.overhead_gb, f"{where}.overhead_gb")
    gpus.take("usable_share", memory.usable_share, f"{where}.usable_share")
    default = (card.memory_gb, f"memory of the card: {card.source}") if card else None
    gpus.taker.take(
        scope, "memory_gb", gpus.taker.of_card(gpus.card, "memory_gb"), default=default, known=True
    )
    sizing_given = given.sizing
    if "gpus_per_replica" not in scope.inputs and sizing_given and sizing_given.gpus_per_replica:
        path = f"{sizing_given.path}.gpus_per_replica"
        gpus.take("gpus_per_replica", sizing_given.gpus_per_replica, path)
    scope.aliases["tensor_parallel"] = scope.inputs.get("gpus_per_replica", 1)
    if scope.aliases["tensor_parallel"] != 1 and (described or (known and known.writes_text)):
        for field in ("heads", "kv_heads"):
            shape_of_model(field)
        names.append("tensor_parallel_not_allowed")
    else:
        scope.aliases["tensor_parallel_not_allowed"] = 0
    gpus.bind({name: found[name] for name in names})
