"""Imports go one way, heavy libraries load where they are used, modules are named for subjects."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "tco"
MODULES = sorted(PACKAGE.rglob("*.py"))

# a part of the package and the parts it may import; a longer name goes before a shorter one
ENGINE = ("tco.units", "tco.engine.operations")
SCENARIO = ("tco.units", "tco.errors", "tco.scenario", "tco.prices")
OPTIONS = (*SCENARIO, "tco.engine", "tco.model")
MAY_IMPORT: dict[str, tuple[str, ...]] = {
    "tco.units": (),
    "tco.errors": (),
    "tco.scenario": SCENARIO,
    "tco.prices": ("tco.units", "tco.errors", "tco.prices"),
    "tco.engine.operations": ("tco.units",),
    "tco.engine.loops": (),
    "tco.engine.guards": ENGINE,
    "tco.engine.tracing": ENGINE,
    "tco.engine.graph": (*ENGINE, "tco.engine.tracing", "tco.engine.guards", "tco.engine.loops"),
    "tco.engine": OPTIONS,
    "tco.model": ENGINE,
    "tco.readings": ("tco.units", "tco.errors", "tco.prices", "tco.readings"),
    "tco.readings.into": (*SCENARIO, "tco.readings"),
    "tco.readings.beginning": (*SCENARIO, "tco.readings"),
    "tco.readings.places": (*SCENARIO, "tco.readings"),
    "tco.results": OPTIONS,
    "tco.analysis": (*OPTIONS, "tco.results", "tco.analysis"),
    "tco.report": (*OPTIONS, "tco.results", "tco.analysis", "tco.report", "tco.__version__"),
    "tco.report.readings": ("tco.errors", "tco.readings", "tco.report"),
    "tco.cli": ("tco",),
    "tco.__main__": ("tco.cli",),
    # for the type checker; at run time on first use
    "tco": ("tco.results", "tco.scenario", "tco.analysis"),
}
LOAD_LATE = {
    "matplotlib": "tco.report.charts",
    "xlsxwriter": "tco.report.workbook",
    "genai_prices": "tco.prices.list_prices",
}


def module_name(path: Path) -> str:
    parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(parts).removesuffix(".__init__")


def within(name: str, part: str) -> bool:
    return name == part or name.startswith(f"{part}.")


def imports(tree: ast.AST) -> Iterator[tuple[ast.AST, str]]:
    """Each import of a module, wherever it stands; of a package, with the name taken from it."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield node, alias.name
        elif isinstance(node, ast.ImportFrom):
            for alias in node.names:
                yield node, f"{'.' * node.level}{node.module or ''}.{alias.name}"


def parse(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


EVERY_MODULE = pytest.mark.parametrize("path", MODULES, ids=module_name)


@EVERY_MODULE
def test_imports_go_one_way(path: Path) -> None:
    name = module_name(path)
    part = max((part for part in MAY_IMPORT if within(name, part)), key=len)
    for node, found in imports(parse(path)):
        # of the bare package, only the version: the rest is resolved on first use
        imported = "tco.__version__" if found == "tco" else found
        assert not imported.startswith("."), f"{name} imports relatively: {imported}"
        if within(imported, "tco"):
            allowed = MAY_IMPORT[part]
            assert any(within(imported, other) for other in allowed), (
                f"{name} line {node.lineno} imports {imported}; {part} may import {allowed}"  # type: ignore[attr-defined]
            )


@EVERY_MODULE
def test_heavy_libraries_are_imported_where_they_are_used(path: Path) -> None:
    name = module_name(path)
    for _, imported in imports(parse(path)):
        library = imported.partition(".")[0]
        if library in LOAD_LATE:
            assert within(name, LOAD_LATE[library]), f"{name} imports {library}"


@EVERY_MODULE
def test_pandas_is_imported_where_a_table_is_made(path: Path) -> None:
    """It takes longer to load than a scenario takes to run."""
    tree = parse(path)
    # inside a function, or for the type checker only
    later = [n for n in ast.walk(tree) if isinstance(n, (ast.FunctionDef, ast.If))]
    excused = {id(node) for block in later for node in ast.walk(block)}
    at_once = [name for node, name in imports(tree) if id(node) not in excused]
    assert not any(within(name, "pandas") for name in at_once)


@pytest.mark.parametrize("path", sorted((PACKAGE / "model").glob("*.py")), ids=module_name)
def test_a_model_module_holds_functions_and_nothing_else(path: Path) -> None:
    allowed = ("numpy", "tco.engine.operations", "tco.units")
    for node in parse(path).body:
        assert isinstance(node, (ast.Expr, ast.Import, ast.ImportFrom, ast.FunctionDef)), (
            node.lineno
        )
        for _, imported in imports(ast.Module([node], [])):
            assert any(within(imported, name) for name in allowed), imported
        if isinstance(node, ast.FunctionDef):
            assert not node.decorator_list, node.name
            *_, last = node.body
            assert len(node.body) == 2, f"{node.name}: a docstring and a return"
            assert isinstance(last, ast.Return)


@EVERY_MODULE
def test_modules_and_classes_are_named_for_a_subject(path: Path) -> None:
    names = [path.stem, *(n.name for n in ast.walk(parse(path)) if isinstance(n, ast.ClassDef))]
    for name in names:
        for empty in ("util", "helper", "common", "manager", "misc"):
            assert empty not in name.lower(), name


@pytest.mark.parametrize(
    "statement",
    [
        "import tco",
        "from click.testing import CliRunner; from tco.cli import main; "
        "assert CliRunner().invoke(main, ['--help']).exit_code == 0",
    ],
    ids=["import", "help"],
)
def test_nothing_heavy_is_loaded_before_it_is_needed(statement: str) -> None:
    heavy = "{'numpy', 'pandas', 'matplotlib', 'pydantic', 'ruamel', 'xlsxwriter', 'scipy'}"
    program = f"import sys; {statement}; print(sorted({heavy} & set(sys.modules)))"
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        cwd=PACKAGE.parent,
        check=False,
    )
    assert (done.stdout.strip(), done.stderr) == ("[]", "")


def test_running_a_scenario_loads_no_chart_no_workbook_and_no_tables() -> None:
    heavy = "{'pandas', 'matplotlib', 'xlsxwriter', 'scipy'}"
    program = (
        "import sys, tco; tco.run('scenarios/five-numbers.yaml').metrics; "
        f"print(sorted({heavy} & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        cwd=PACKAGE.parent,
        check=False,
    )
    assert (done.stdout.strip(), done.stderr) == ("[]", "")
