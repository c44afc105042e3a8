"""The graph: wiring by name, what it refuses and in which words, loops, draws."""

import re
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import Any, Union, get_args, get_origin

import numpy as np
import pytest
from pydantic import BaseModel

from tco import model
from tco.engine.graph import Graph, GraphError, InputSpecification, NotFinite, Scope, examine
from tco.engine.loops import strongly_connected
from tco.engine.operations import cumulative, lookup, total
from tco.engine.tracing import MONTHS, SCALAR, TABLE, formula
from tco.results import run
from tco.scenario import demand, fields, finance, schema, supplies
from tco.scenario.inputs import FIELDS
from tco.units import Factor, Flag, Hours, Money, MoneyPerKilowattHour, Month, unit_of

SCENARIOS = sorted((Path(__file__).parents[2] / "scenarios").glob("*.yaml"))
TWELVE = 12

INPUTS = {
    "price": InputSpecification(unit_of(Money)),
    "rate": InputSpecification(unit_of(Factor)),
    "hours": InputSpecification(unit_of(Hours)),
}


def build(*functions: Callable[..., Any], aliases: dict[str, Any] | None = None) -> Graph:
    """A graph of one scope with the months, the functions and the inputs that they read."""

    def named(name: str) -> bool:
        return any(name in code_of(function) for function in functions)

    inputs = {name: given for name, given in INPUTS.items() if named(name)}
    scope = Scope(
        "",
        inputs={name: name for name in inputs},
        aliases=aliases or {},
        functions={
            function.__name__: function for function in (*functions, period, month, operating)
        },
    )
    return Graph([scope], inputs)


def code_of(function: Callable[..., Any]) -> tuple[str, ...]:
    names = function.__code__.co_varnames  # type: ignore[attr-defined]
    return tuple(name.removeprefix("previous_") for name in names)


def evaluate(graph: Graph, months: int = 3, **inputs: Any) -> dict[str, Any]:
    arrays = {name: np.array(value, float).reshape(1, -1) for name, value in inputs.items()}
    return graph.evaluate(arrays, months)


def period(previous_period) -> Month:
    """Position, counted from 1."""
    return previous_period + 1


def month(period) -> Month:
    """Month, counted from 0."""
    return period - 1


def operating(month) -> Flag:
    """1 in a month of operation."""
    return np.where(month > 0, 1, 0)


def cost(price, operating) -> Money:
    """Cost of the month."""
    return price * operating


# Wiring


def test_a_line_reads_lines_and_inputs_by_the_names_of_its_parameters() -> None:
    graph = build(cost)
    assert graph.reads("cost") == ["price", "operating"]
    assert evaluate(graph, price=5)["cost"][:, 0].tolist() == [0, 5, 5, 5]
    assert graph.lines["cost"].label == "Cost of the month"
    assert graph.unit("cost") == unit_of(Money)


def test_an_inner_scope_reads_what_it_does_not_define_from_the_one_around() -> None:
    def twice(cost, extra) -> Money:
        """Cost and more."""
        return cost + extra

    outer = Scope("", inputs={"price": "price"}, functions={"cost": cost})
    outer.functions.update(period=period, month=month, operating=operating)
    inner = Scope("o1/s2", around=outer, aliases={"extra": "cost"}, functions={"twice": twice})
    graph = Graph([outer, inner], {"price": INPUTS["price"]})
    assert graph.lines["o1/s2/twice"].short_name == "twice"
    assert graph.lines["o1/s2/twice"].scope == "o1/s2"
    assert evaluate(graph, price=5)["o1/s2/twice"][:, 0].tolist() == [0, 10, 10, 10]


def test_a_fold_starts_from_a_literal() -> None:
    def through(before, cost) -> Money:
        """Cost up to here."""
        return before + cost

    graph = build(cost, through, aliases={"before": 0})
    assert evaluate(graph, price=5)["through"][:, 0].tolist() == [0, 5, 5, 5]
    assert formula(graph.expressions["through"], lambda reference, _: reference.line) == "cost"


def test_shapes() -> None:
    def sum_of_cost(cost) -> Money:
        """Cost over all months."""
        return total(cost)

    graph = build(cost, sum_of_cost)
    assert graph.shapes["cost"] == graph.shapes["period"] == MONTHS
    assert graph.shapes["sum_of_cost"] == graph.shapes["price"] == SCALAR
    arrays = evaluate(graph, price=[1, 2])
    assert arrays["cost"].shape == (4, 2)
    assert arrays["operating"].shape == (4, 1)
    assert arrays["sum_of_cost"].tolist() == [[3, 6]]


def test_a_name_that_is_nothing_is_refused_with_a_suggestion() -> None:
    def bill(prise) -> Money:
        """A slip of the pen."""
        return prise

    scope = Scope("o1", inputs={"price": "price"}, functions={"bill": bill})
    with pytest.raises(GraphError) as fault:
        Graph([scope], {"price": INPUTS["price"]})
    line = bill.__code__.co_firstlineno
    assert str(fault.value) == (
        f"{__name__} line {line}: o1/bill reads prise, which is no line or input here; "
        "did you mean price?"
    )


def test_an_input_that_nothing_reads_is_refused() -> None:
    with pytest.raises(GraphError, match="no function reads the input rate: use it in the model"):
        Graph([Scope("", inputs={"rate": "rate"})], {"rate": INPUTS["rate"]})


def test_a_circle_within_a_month_is_refused_with_its_path() -> None:
    def chicken(egg) -> Money:
        """First."""
        return egg * 1

    def egg(chicken) -> Money:
        """First too."""
        return chicken * 1

    with pytest.raises(GraphError, match=r"(chicken -> egg|egg -> chicken) -> (egg|chicken) is a"):
        build(chicken, egg)


def test_a_line_that_reads_itself_is_a_circle() -> None:
    def chicken(chicken) -> Money:
        """First."""
        return chicken * 1

    with pytest.raises(GraphError, match="chicken -> chicken is a circle within one month"):
        build(chicken)


# Last month


def test_a_corkscrew_runs_month_by_month() -> None:
    def interest(previous_balance, rate) -> Money:
        """Interest on last month's balance."""
        return previous_balance * rate

    def opening(price, operating) -> Money:
        """Paid in at month 0."""
        return price * (1 - operating)

    def balance(previous_balance, interest, opening) -> Money:
        """Balance at the end of the month."""
        return previous_balance + interest + opening

    graph = build(interest, opening, balance)
    assert ["interest", "balance"] in graph.order
    found = evaluate(graph, months=3, price=[100, 200], rate=[0.1, 0])
    expected = [[100, 200], [100 * 1.1, 200], [100 * 1.1**2, 200], [100 * 1.1**3, 200]]
    np.testing.assert_allclose(found["balance"], expected, rtol=1e-12)


def test_last_month_of_a_line_outside_a_loop_is_0_before_month_0() -> None:
    def balance(price, month) -> Money:
        """Never 0."""
        return price * (1 + month)

    def change(balance, previous_balance) -> Money:
        """Change since last month."""
        return balance - previous_balance

    found = evaluate(build(balance, change), price=5)
    assert found["balance"][:, 0].tolist() == [5, 10, 15, 20]
    assert found["change"][:, 0].tolist() == [5 - 0, 10 - 5, 15 - 10, 20 - 15]


def test_last_month_of_something_without_months_is_refused() -> None:
    def change(price, previous_price, operating) -> Money:
        """A price has no last month."""
        return (price - previous_price) * operating

    with pytest.raises(
        GraphError, match="change: price is the same in every month; it has no last"
    ):
        build(change)


def test_a_word_over_the_row_cannot_stand_in_a_loop() -> None:
    def balance(previous_balance, cost) -> Money:
        """A row that is not yet there."""
        return previous_balance + cumulative(cost)

    with pytest.raises(
        GraphError, match="balance: cumulative needs the whole row; it cannot stand"
    ):
        build(cost, balance)


# Units


def test_units_that_do_not_fit_are_named() -> None:
    def bill(price, hours) -> Money:
        """Money and hours."""
        return price + hours

    with pytest.raises(GraphError, match=r"line \d+: bill: money meets hour"):
        build(bill)


def test_a_line_has_the_unit_it_says() -> None:
    def bill(price, hours) -> MoneyPerKilowattHour:
        """Money per hour."""
        return price / hours

    expected = "it gives money/hour, but its unit is money/hour/kilowatt"
    with pytest.raises(GraphError, match=f"bill: {expected}"):
        build(bill)


def test_a_line_without_a_unit_is_refused() -> None:
    def bill(price):  # type: ignore[no-untyped-def]
        """No unit."""
        return price

    def count(price) -> int:
        """A type that is no unit."""
        return price  # type: ignore[no-any-return]

    for wrong in (bill, count):
        with pytest.raises(
            GraphError, match=f"{wrong.__name__} names no unit: annotate its return"
        ):
            build(wrong)


# What a formula would freeze


def refused(function: Callable[..., Any]) -> str:
    """What is said against a function that stands alone in a graph."""
    with pytest.raises(GraphError) as fault:
        build(function)
    message = str(fault.value)
    assert message.startswith(f"{__name__} line {function.__code__.co_firstlineno}: ")  # type: ignore[attr-defined]
    return message.partition(": ")[2]


def test_literals_other_than_0_and_1_are_refused() -> None:
    def twelve(price) -> Money:
        return price * 12

    def half(price) -> Money:
        return price * 0.5

    def true(price) -> Money:
        return price * True

    def square(rate) -> Factor:
        return rate**2

    def folded(price) -> Money:
        return price * (1 + 1)

    def one_as_float(price) -> Money:
        return price * 1.0

    literals = {twelve: 12, half: 0.5, true: True, square: 2, folded: 2, one_as_float: 1.0}
    for function, literal in literals.items():
        message = f"{literal!r} may not stand in a model function; name an input"
        assert refused(function) == message


def test_a_number_computed_in_python_is_refused() -> None:
    def two(price) -> Money:
        number = 1
        number = number + number
        return price * number

    assert refused(two) == "two: 2 may not stand in a model function; make it a named input"


def test_a_constant_of_numpy_is_refused() -> None:
    def pi(price) -> Money:
        return price * np.pi

    assert "3.14159" in refused(pi)


def test_globals_are_refused() -> None:
    def yearly(price) -> Money:
        return price * TWELVE

    def larger(price, cost) -> Money:
        return max(price, cost)

    def rounded(price) -> Money:
        return round(price)

    def number(price) -> Money:
        return float(price)

    for function, name in (
        (yearly, "TWELVE"),
        (larger, "max"),
        (rounded, "round"),
        (number, "float"),
    ):
        assert refused(function).startswith(
            f"{name} is a global; only np and the vocabulary may be used: make it a parameter"
        )


def test_closures_and_defaults_are_refused() -> None:
    outside = 1

    def closing(price) -> Money:
        return price * outside

    def with_default(price=1) -> Money:
        return price

    def with_keyword_default(*, price=1) -> Money:
        return price

    for function in (closing, with_default, with_keyword_default):
        assert refused(function) == (
            "a model function has no default values and closes over nothing"
        )


def test_nested_code_is_walked() -> None:
    def in_lambda(price) -> Money:
        return (lambda amount: amount * 12)(price)

    def in_comprehension(price) -> Money:
        first, *_ = [amount * 12 for amount in (price,)]
        return first

    def in_function(price) -> Money:
        def inner(amount):  # type: ignore[no-untyped-def]
            return amount * TWELVE

        return inner(price)

    assert refused(in_lambda) == "12 may not stand in a model function; name an input"
    assert refused(in_comprehension) == "12 may not stand in a model function; name an input"
    assert refused(in_function).startswith("TWELVE is a global")


def test_a_line_is_never_true_or_false() -> None:
    def dear(price, cost) -> Flag:
        return price > cost

    with pytest.raises(GraphError, match=r"dear: a line may not be TRUE or FALSE: write np\.where"):
        build(dear, cost)


def test_a_line_gives_an_expression() -> None:
    def text(price) -> Money:
        return "free"

    def nothing(price) -> Money:
        price + 0

    assert refused(text) == "'free' may not stand in a model function; name an input"
    assert refused(nothing) == "nothing: it returns None, which has no form in a spreadsheet"


def test_a_word_over_a_row_needs_a_line_that_has_one() -> None:
    def of_a_sum(cost) -> Money:
        return total(cost + cost)

    def of_one_cell(price) -> Money:
        return total(price)

    with pytest.raises(GraphError, match="of_a_sum: total needs a row of its own"):
        build(cost, of_a_sum)
    assert refused(of_one_cell) == "of_one_cell: price is the same in every month; it has no row"


def test_other_words_of_numpy_are_refused_with_the_vocabulary() -> None:
    def clip(price) -> Money:
        return np.clip(price, 0, 1)

    def rounded(price) -> Money:
        return np.round(price)

    def interpolated(price) -> Money:
        return np.interp(price, price, price)

    def exponential(rate) -> Factor:
        return np.exp(rate)

    def summed(price) -> Money:
        return np.sum(price)

    def ceiling(rate) -> Factor:
        return np.ceil(rate)

    names = ("clip", "round", "interp", "exp", "sum", "ceil")
    functions = (clip, rounded, interpolated, exponential, summed, ceiling)
    for function, name in zip(functions, names, strict=True):
        message = refused(function)
        assert f"np.{name} is not in the vocabulary: " in message
        assert "maximum" in message

    def reduced(price) -> Money:
        return np.add.reduce(price)

    def half_a_choice(price) -> Money:
        return np.where(price > 0)

    def filled(price) -> Money:
        return np.array([price])

    assert "np.add is not in the vocabulary" in refused(reduced)
    assert "np.where is not in the vocabulary" in refused(half_a_choice)
    assert "an expression cannot become an array" in refused(filled)


def test_python_cannot_branch_loop_or_index_on_a_value() -> None:
    def branch(price) -> Money:
        if price > 0:
            return price
        return -price

    def either(price, hours) -> Money:
        return price or hours

    def chained(price) -> Money:
        return np.where(0 < price < 1, price, 0)

    def indexed(price) -> Money:
        return price[0]

    def loop(price) -> Money:
        for amount in price:
            return amount
        return price

    def unpacked(price) -> Money:
        amount, _ = price
        return amount

    def contained(price, hours) -> Money:
        return hours in price

    for function in (branch, either, chained, indexed, loop, unpacked, contained):
        assert "a model function cannot branch, loop, count or index on a value" in refused(
            function
        )


def test_a_model_function_may_use_words_zero_and_one() -> None:
    def bill(price, operating) -> Money:
        """Everything that is allowed."""
        return np.where(operating > 0, -1 * np.maximum(price, 0), 1 * price) + 0

    assert evaluate(build(bill), months=1, price=5)["bill"][:, 0].tolist() == [5, -5]


# The schema and the model


# where the model has another word than the block of the file, which alone says whose it is
FIELD_OF: dict[str, str] = {
    "Purchase.price": "own.price",
    "RentalPrice.median": "rent.price",
    "RentalPrice.minimum": "rent.minimum",
    "Published.per_month": "published_per_month",
    "Scenario.exchange_rates": "exchange_rate",
    "Architecture.parameters": "parameters_billion",
    "Batch.share": "batch_share",
    "Batch.discount": "batch_discount",
    "Commitment.amount": "commitment",
    "Vat.rate": "vat_rate",
    "LongContext.input_price": "long_input_price",
    "LongContext.output_price": "long_output_price",
    "Tier.price": "tier_price",
    "Tier.up_to": "tier_to",
    "Sessions.per_month": "sessions_per_month",
    "Storage.gb": "storage_gb",
    "Storage.price": "storage_price",
    "Egress.gb_per_month": "egress_gb",
    "Egress.price": "egress_price",
    "Throughput.output_rate": "point_output_rate",
    "Throughput.gpus": "point_gpus",
    "PurchaseParts.discount": "discount_of_list",
    "PurchaseParts.duty": "duty_rate",
    "PurchaseVat.rate": "purchase_vat_rate",
    "QuoteItem.amount": "item_amount",
    "QuoteItem.months": "support_months",
    "Payment.share": "payment_share",
    "Refresh.after_months": "refresh_months",
    "Refresh.price": "refresh_price",
    "BookDepreciation.factor": "declining_factor",
    "WrittenOff.share": "written_off_share",
    "Maintenance.share_per_year": "maintenance_share_per_year",
    "Maintenance.warranty_months": "maintenance_warranty_months",
    "Failures.share_per_year": "failure_share_per_year",
    "Failures.events": "failure_events",
    "Failures.gpus": "failure_gpus",
    "Failures.days": "failure_days",
    "Failures.warranty_months": "failure_warranty_months",
    "Licences.price_per_year": "licence_price_per_year",
    "Insurance.share_per_year": "insurance_share_per_year",
    "AgeShare.share": "residual_share",
    "ResidualValue.loss_per_year": "residual_loss_per_year",
    "ResidualValue.amount": "residual_amount",
    "Tax.rate": "tax_rate",
    "TaxDepreciation.life_months": "tax_life_months",
    "TaxDepreciation.residual": "tax_residual",
    "TaxDepreciation.factor": "tax_declining_factor",
    "TaxDepreciation.shares": "tax_share",
    "Loan.share": "loan_share",
    "Loan.rate": "loan_rate",
    "Loan.months": "loan_months",
    "Loan.fee": "loan_fee",
    "Lease.payment": "lease_payment",
    "Lease.months": "lease_months",
    "Lease.rate": "lease_rate",
    "Colocation.price": "colocation_price",
    "DemandCharge.price": "demand_charge",
    "PeakPower.kw": "peak_kw",
    "PricePath.change_per_year": "path_change_per_year",
    "PricePath.level": "path_level",
    "PathStep.factor": "path_factor",
}
# an inherited quantity that is not what it is in the class above
ANOTHER_BELOW = {"PurchaseVat.rate"}
# the word of the model for fields that say the same of different things
PARAMETER_OF = {
    "tasks": "work_per_month",
    "gpu_hours": "work_per_month",
    "task_price": "output_price",
    "maintenance_warranty_months": "warranty_months",
    "failure_warranty_months": "warranty_months",
    "tax_life_months": "life_months",
    "tax_residual": "salvage_share",
    "tax_declining_factor": "declining_factor",
}
# quantiles of an offer, to be read beside the median; nothing is planned with them
UNREAD_ON_PURPOSE = {"RentalPrice.p25", "RentalPrice.p75"}
# what becomes a table or a solved number, or is checked, before the model runs
READ_BEFORE = {
    "Demand.peak_to_mean",
    "GrowthStep.factor",
    "GrowthStep.month",
    "RequestSize.prompt_tokens",
    "RequestSize.share",
    "LongContext.above",
    "Throughput.input_length",
    "Throughput.output_length",
    "Throughput.concurrency",
    "Throughput.tensor_parallel",
    "Architecture.active_parameters",
    "Hardware.memory_bandwidth",
    "AgeShare.months",
    "PathStep.month",
    "Payment.month",
    "PeakPower.month",
    "WrittenOff.months",
}
# what a card or a model is known for, and what the words of a scenario stand for
KNOWN = {"latent", "window", "bytes_per_parameter", "kv_bytes", "vat_borne"}


def holds_quantity(annotation: Any) -> bool:
    if annotation is schema.Quantity:
        return True
    return get_origin(annotation) is not None and any(map(holds_quantity, get_args(annotation)))


def quantities_of_the_schema() -> set[str]:
    """Every field that holds a quantity, by the class that gives it and not by those below it."""
    parts = {
        part
        for module in (demand, fields, finance, schema, supplies)
        for part in vars(module).values()
        if isinstance(part, type) and issubclass(part, BaseModel) and part is not schema.Quantity
    }
    return {
        f"{part.__name__}.{name}"
        for part in parts
        for name, given in part.model_fields.items()
        if name in vars(part).get("__annotations__", {})
        and holds_quantity(Union[(given.annotation, None)])  # noqa: UP007  None | X fails for a string
    } | ANOTHER_BELOW


def field_of(quantity: str) -> str:
    return FIELD_OF.get(quantity, quantity.partition(".")[2])


def parameters_of_the_model() -> set[str]:
    modules = [import_module(f"tco.model.{found.name}") for found in iter_modules(model.__path__)]
    return {
        parameter
        for module in modules
        for function in vars(module).values()
        if getattr(function, "__module__", None) == module.__name__
        for parameter in examine(function)[0]
    }


def test_every_quantity_of_the_schema_is_read_by_some_function() -> None:
    quantities = quantities_of_the_schema()
    assert len(quantities) > 150
    parameters = parameters_of_the_model()
    assert len(parameters) > 300
    for quantity in quantities - UNREAD_ON_PURPOSE - READ_BEFORE:
        field = field_of(quantity)
        assert field in FIELDS, f"{quantity} has no unit in tco.scenario.inputs.FIELDS"
        parameter = PARAMETER_OF.get(field, field.rpartition(".")[2])
        assert parameter in parameters, f"no model function reads {quantity}"
    assert quantities >= UNREAD_ON_PURPOSE | READ_BEFORE


def test_what_the_model_does_not_read_is_read_before_it() -> None:
    """Nothing of the file is read in, said nothing about, and forgotten."""
    package = Path(model.__path__[0]).parent
    rooms = [*(package / "engine").glob("*.py"), *(package / "analysis").glob("*.py")]
    sources = [*rooms, package / "scenario" / "throughput.py"]
    text = "".join(source.read_text(encoding="utf-8") for source in sources)
    for quantity in READ_BEFORE:
        name = quantity.partition(".")[2]
        assert re.search(rf"\.{name}\b", text), f"nothing reads {quantity}"


def test_every_field_belongs_to_a_quantity_of_the_schema() -> None:
    assert set(FIELDS) - KNOWN <= {field_of(quantity) for quantity in quantities_of_the_schema()}


# Numbers


@pytest.mark.parametrize("path", SCENARIOS, ids=lambda path: path.stem)
def test_no_scenario_divides_by_0_or_overflows(path: Path) -> None:
    result = run(path)
    values = {
        name: np.array(given.values, float).reshape(-1, 1)
        for name, given in result.model.inputs.items()
    }
    with np.errstate(all="raise"):
        result.model.graph.evaluate(values, result.scenario.months)


@pytest.mark.parametrize("path", SCENARIOS, ids=lambda path: path.stem)
def test_draws_together_give_what_each_gives_alone(path: Path) -> None:
    """7 months and 11 draws, so that a mixed-up axis cannot go unseen; three of them alone."""
    result = run(path, settings=["months=7"])
    graph = result.model.graph
    generator = np.random.default_rng(11)
    together: dict[str, Any] = {}
    for name, given in result.model.inputs.items():
        values = np.array(given.values, float).reshape(-1, 1)
        drawn = given.kind == "live" and not given.whole
        factors = 1 + 0.2 * (generator.random((1, 11)) if drawn else np.zeros((1, 11)))
        together[name] = values * factors if drawn else values
    vectorised = graph.evaluate(together, 7)
    for draw in (0, 6, 10):
        one = {name: given[:, draw % given.shape[1]][:, None] for name, given in together.items()}
        for name, alone in graph.evaluate(one, 7).items():
            both = np.broadcast_to(vectorised[name], (alone.shape[0], 11))[:, draw]
            np.testing.assert_allclose(both, alone[:, 0], rtol=1e-12, atol=1e-9, err_msg=name)
    assert any(array.shape == (8, 11) for array in vectorised.values())


def test_a_number_that_is_not_finite_names_its_line_and_inputs() -> None:
    def bill(price, rate) -> Money:
        """Too large."""
        return price * rate

    with np.errstate(over="ignore"), pytest.raises(NotFinite) as fault:
        evaluate(build(bill), price=1e200, rate=1e200)
    assert str(fault.value) == "bill is not a finite number; it is computed from price, rate"
    assert (fault.value.line, fault.value.inputs) == ("bill", ["price", "rate"])


def test_only_wanted_lines_are_kept() -> None:
    graph = build(cost)
    kept = graph.evaluate({"price": np.array([[5.0]])}, 3, keep=["cost"])
    assert list(kept) == ["cost"]
    np.testing.assert_array_equal(kept["cost"], evaluate(graph, price=5)["cost"])


def test_tables_are_looked_up_by_month() -> None:
    def price_of_month(month, knots, prices) -> Money:
        """Price in force."""
        return lookup(month, knots, prices)

    functions = {"price_of_month": price_of_month, "period": period, "month": month}
    scope = Scope("", inputs={"knots": "knots", "prices": "prices"}, functions=functions)
    inputs = {
        "knots": InputSpecification(unit_of(Month), TABLE),
        "prices": InputSpecification(unit_of(Money), TABLE),
    }
    graph = Graph([scope], inputs)
    arrays = {"knots": np.array([[0.0], [2.0]]), "prices": np.array([[9.0], [7.0]])}
    assert graph.evaluate(arrays, 3)["price_of_month"][:, 0].tolist() == [9, 9, 7, 7]


def test_groups_of_a_graph_come_after_what_they_read() -> None:
    reads = {"a": ["b"], "b": ["c"], "c": ["b"], "d": []}
    groups = strongly_connected(reads, reads.__getitem__)
    assert [sorted(group) for group in groups] == [["b", "c"], ["a"], ["d"]]
