"""Binds depreciation: one method for the books, another for tax, in scopes of their own."""

from __future__ import annotations

from typing import Any

from tco.engine.graph import Scope
from tco.engine.owned import Owned
from tco.engine.points import bind_points
from tco.engine.settling import settle
from tco.engine.structure import functions_of
from tco.engine.taking import Place
from tco.model import checks, depreciation, tax_depreciation
from tco.prices.tax_tables import HALF_YEAR, MID_QUARTER
from tco.scenario.finance import CHINESE_LIVES, BookDepreciation, TaxDepreciation
from tco.units import Fraction, Period

LINES = ("depreciation", "opening_book_value", "book_value")
TWICE = (2.0, "not given: twice the straight line")
PRACTICE = (0.05, "not given: 5 %, the practice; the enterprise sets it (Art. 59)")
LAW = "the law"
BY_YEARS = ("table", "macrs", "macrs-mid-quarter", "china-one-off")


def bind_books(owned: Owned) -> None:
    """Depreciation of a supply in the books, and for tax where there is tax."""
    scope, gpus = owned.scope, owned.gpus
    if owned.buys_nothing:
        nothing = ("depreciation", "disposed_value", "tax_depreciation", "tax_disposed_value")
        scope.aliases.update(dict.fromkeys(nothing, 0))
        return
    given, holder, owner = owned.part("depreciation")
    is_cohorts = owned.is_cohorts
    if owned.lease is None:
        if given is None or given.method != "table":
            gpus.inherit("life_months")
            gpus.inherit("salvage")
        scope.aliases["cost_added"] = owned.found("additions")
        if not gpus.is_auto:
            scope.aliases["depreciable_cost"] = scope.line("hardware_cost")
        kept = "kept_first" if owned.is_changing else "kept"
        if owned.is_owned_already or (given is not None and given.method == "table"):
            scope.aliases["salvage_share"] = 0
        else:
            owned.add(functions_of_only(depreciation, ("salvage_share",), kept))
    else:
        # the right of use is written off over the lease, or over the life of what is kept
        if owned.lease.buyout is not None:
            gpus.inherit("life_months")
        else:
            scope.aliases["life_months"] = owned.found("lease_months")
        scope.aliases.update(
            cost_added=scope.line("right_of_use_added"),
            depreciable_cost=scope.line("right_of_use"),
            salvage_share=0,
        )
        is_cohorts = False
        given = None
    found = _methods(owned, scope, given, holder, owner, is_cohorts=is_cohorts)
    owned.add({**found, **functions_of_only(checks, ("largest_book_value", "left_in_books",
                                                     "book_value_left"), "supply")})  # fmt: skip
    if gpus.taker.scenario.tax is None:
        scope.aliases.update(tax_depreciation=0, tax_disposed_value=0)
    else:
        _bind_tax(owned)


def functions_of_only(module: Any, names: tuple[str, ...], *variants: str) -> dict[str, Any]:
    """Some of the functions of a module."""
    return {name: f for name, f in functions_of(module, *variants).items() if name in names}


def _methods(
    owned: Owned,
    scope: Scope,
    given: BookDepreciation | None,
    holder: str,
    owner: str,
    *,
    is_cohorts: bool,
) -> dict[str, Any]:
    """The functions of a method of the books."""
    method = given.method if given else "straight-line"
    scope.aliases["depreciation_delay"] = int(given is not None and given.start == "next-month")
    variants = [_profile(method, given is None or given.switch == "yes")]
    if method == "declining":
        assert given is not None
        taker = owned.gpus.taker
        place = Place(given.factor, f"{holder}_declining_factor", f"{given.path}.factor", owner)
        taker.take(scope, "declining_factor", place, default=TWICE)
    if method == "table":
        assert given is not None
        points = [(point.months, point.share) for point in given.written_off or ()]
        delay = int(given.start == "next-month")
        scope.aliases["written_off_share"] = bind_points(
            owned.gpus.taker, scope, "d", points, 0, "written_off_share", holder, owner, delay
        )
    return _aggregate(owned, scope, variants, is_cohorts=is_cohorts)


def _profile(method: str, switches: bool) -> str:
    return {
        "straight-line": "straight",
        "declining": "switching" if switches else "unswitched",
        "table": "points",
    }[method]


def _aggregate(
    owned: Owned, scope: Scope, variants: list[str], *, is_cohorts: bool
) -> dict[str, Any]:
    """A row of shares by age, and what it makes of the purchases."""
    if set(variants) & {"switching", "unswitched", "last_years"}:
        variants = [*variants, "declining"]
    if set(variants) & {"switching", "last_years"}:
        variants = [*variants, "to_straight"]
    if is_cohorts:
        variants = [*variants, "cohorts"]
        if owned.given.refresh is None:
            scope.aliases["share_in_service"] = scope.line("depreciation_share")
    else:
        variants = [*variants, "once"]
    if owned.given.refresh is not None:
        variants = [*variants, "refresh"]
    found = functions_of(depreciation, *variants)
    if "points" in variants:
        found.pop("depreciating")
    return found


def _bind_tax(owned: Owned) -> None:
    """Depreciation for tax: a method of its own in a scope of its own, or that of the books."""
    scope, taker = owned.scope, owned.gpus.taker
    given, holder, owner = owned.part("tax_depreciation")
    tax = taker.scenario.tax
    assert tax is not None
    if given is None:
        given, holder, owner = tax.depreciation, "tax", ""
    method = given.method if given else "book"
    if method == "book" and owned.lease is None:
        scope.aliases.update(
            tax_depreciation=scope.line("depreciation"),
            tax_disposed_value=scope.line("disposed_value"),
        )
        return
    inner = Scope(f"{scope.name}/t", around=scope)
    inner.aliases["cost_added"] = owned.found("additions")
    if not owned.gpus.is_auto:
        inner.aliases["depreciable_cost"] = scope.line("hardware_cost")
    if method in BY_YEARS:
        assert given is not None
        found = _by_years(owned, inner, given, holder, owner)
    elif method == "book":
        book, of_book, whose = owned.part("depreciation")
        owned.gpus.inherit("salvage")
        _book_life(owned, inner)
        inner.functions.update(functions_of_only(depreciation, ("salvage_share",), "kept"))
        found = _methods(owned, inner, book, of_book, whose, is_cohorts=owned.is_cohorts)
    else:
        assert given is not None
        found = _by_months(owned, inner, given, holder, owner)
    found.update(functions_of_only(checks, ("largest_book_value", "left_in_books",
                                            "book_value_left"), "supply"))  # fmt: skip
    settle(inner, found, (*LINES, "disposed_value"))
    taker.scopes.append(inner)
    scope.aliases.update(
        tax_depreciation=inner.line("depreciation"),
        tax_disposed_value=inner.line("disposed_value"),
    )


def _book_life(owned: Owned, inner: Scope) -> None:
    """The life of the books, where a lease has another."""
    if owned.lease is not None and owned.lease.buyout is None:
        owned.gpus.inherit("life_months")
        inner.inputs["life_months"] = owned.scope.inputs.pop("life_months")


def _by_months(
    owned: Owned, inner: Scope, given: TaxDepreciation, holder: str, owner: str
) -> dict[str, Any]:
    """A method of months for tax: straight or declining, of a country or of one's own."""
    chinese = given.method in CHINESE_LIVES
    declining = given.method.endswith("declining")
    taker = owned.gpus.taker
    life: tuple[float, str] | None = None
    if chinese:
        least, article = CHINESE_LIVES[given.method]
        life = (float(least), f"not given: {least} months, the least of {article}")
    if life is None and given.life_months is None:
        _book_life(owned, inner)
        if owned.scope.find("life_months") is None:
            owned.gpus.inherit("life_months")
    inner.aliases["depreciation_delay"] = int(chinese)
    for parameter, field, word, default in (
        ("life_months", "tax_life_months", "life_months", life),
        ("salvage_share", "tax_residual", "residual", PRACTICE if chinese else None),
        ("declining_factor", "tax_declining_factor", "factor", TWICE),
    ):
        quantity = getattr(given, word)
        if parameter == "declining_factor" and not declining:
            continue
        if parameter == "life_months" and quantity is None and life is None:
            continue
        if quantity is None and default is None:
            inner.aliases[parameter] = 0
            continue
        place = Place(quantity, f"{holder}_{field}", f"{given.path}.{word}", owner)
        taker.take(inner, field, place, default=default)
        inner.inputs[parameter] = inner.inputs.pop(field)
    variants = ["straight"]
    if declining:
        variants = ["last_years" if chinese else "switching"]
    return _aggregate(owned, inner, variants, is_cohorts=owned.is_cohorts)


def _by_years(
    owned: Owned, inner: Scope, given: TaxDepreciation, holder: str, owner: str
) -> dict[str, Any]:
    """A table of fiscal years for tax."""
    taker = owned.gpus.taker
    inner.aliases.update(table_share=1, bonus_deduction=0, year_share=1)
    refresh = owned.given.refresh is not None
    inner.aliases["months_kept"] = owned.found("refresh_months" if refresh else "operating_months")
    variants = ["years"]
    if given.bonus is not None:
        variants.append("bonus")
        place = Place(given.bonus, f"{holder}_bonus", f"{given.path}.bonus", owner)
        taker.take(inner, "bonus", place)
        del inner.aliases["table_share"], inner.aliases["bonus_deduction"]
    if given.method == "macrs-mid-quarter":
        del inner.aliases["year_share"]
        variants.append("quarters")
        _quarters(owned, inner)
    elif given.method == "macrs":
        del inner.aliases["year_share"]
        variants.append("half_year")
        _years(owned, inner, "macrs", HALF_YEAR)
    elif given.method == "china-one-off":
        _years(owned, inner, "one_off", (1.0,))
    else:
        assert given.shares is not None
        ages = tuple(float(year) for year in range(len(given.shares)))
        inputs, name = taker.inputs, f"{holder}_tax"
        whose = f", {owner}" if owner else ""
        inner.inputs["tax_age"] = inputs.table(
            f"{name}_age", f"Fiscal years since service{whose}", Period, ages, given.path
        )
        inner.inputs["tax_share"] = inputs.live_table(
            f"{name}_share", f"Share of the cost deducted in the year{whose}", Fraction,
            [(share.value, share) for share in given.shares],
        )  # fmt: skip
    balances = functions_of(depreciation)
    found = {
        name: balances[name] for name in ("opening_book_value", "disposed_value", "book_value")
    }
    if refresh:
        variants += ["refresh", "years_refresh"]
        if given.bonus is None:
            inner.aliases["bonus"] = 0
        else:
            variants.append("bonus_refresh")
            for name, value in (("this_year", 0.0), ("whole_share", 1.0)):
                inner.inputs[name] = taker.inputs.table(
                    name, f"A table of what is bought in the year: {name.replace('_', ' ')}",
                    Period if name == "this_year" else Fraction, (value,), LAW,
                )  # fmt: skip
    found.update(functions_of(tax_depreciation, *variants))
    if given.method == "macrs-mid-quarter":
        for name in ("table_deduction", "new_table_deduction"):
            found.pop(name, None)
    return found


def _years(owned: Owned, scope: Scope, name: str, shares: tuple[float, ...]) -> None:
    """A table of the law: ages in fiscal years, and the share of each."""
    inputs = owned.gpus.taker.inputs
    ages = tuple(float(year) for year in range(len(shares)))
    scope.inputs["tax_age"] = inputs.table(
        f"{name}_age", f"Fiscal years since service, {name}", Period, ages, LAW
    )
    scope.inputs["tax_share"] = inputs.table(
        f"{name}_share", f"Share of the cost deducted, {name}", Fraction, shares, LAW
    )


def _quarters(owned: Owned, inner: Scope) -> None:
    """Each quarter of service has a table of its own; each adds to those before it."""
    taker = owned.gpus.taker
    lines = ["table_deduction"]
    if owned.given.refresh is not None:
        lines.append("new_table_deduction")
    inner.aliases.update(dict.fromkeys(lines, 0))
    for number, shares in enumerate(MID_QUARTER, start=1):
        quarter = Scope(f"{inner.name}/k{number}", around=inner)
        quarter.inputs["quarter"] = taker.inputs.table_row(
            f"quarter_{number}",
            f"Quarter {number} of a fiscal year",
            Period,
            number - 1.0,
            LAW,
        )
        _years(owned, quarter, f"macrs_q{number}", shares)
        variants = ["quarter", *(["quarter_refresh"] if len(lines) > 1 else [])]
        quarter.functions.update(functions_of(tax_depreciation, *variants))
        taker.scopes.append(quarter)
        for name in lines:
            quarter.aliases[f"{name}_before"] = inner.aliases[name]
            inner.aliases[name] = quarter.line(f"{name}_through")
