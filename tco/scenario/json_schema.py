"""The JSON Schema of scenario files, for editors that complete and check while one types."""

from __future__ import annotations

import ast
import inspect
import json
from collections.abc import Iterator
from typing import Any

from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue
from pydantic_core import core_schema

from tco.scenario import correlations, demand, fields, finance, supplies
from tco.scenario import schema as models

TITLE = "A tco scenario"
FILE = "scenario.schema.json"
# where the parts of a scenario are written
HOMES = (fields, demand, finance, supplies, correlations, models)
LIKE_MEANS = (
    "The option that this one is but for what stands beside it: blocks are joined key by key, null "
    "takes a word away. It bears the other_costs that name that option, unless a cost of the same "
    "name names this one; what was published of that option does not hold for this one."
)
FIXED_BY = f"tco schema > tco/scenario/{FILE}"


def schema() -> dict[str, Any]:
    """The schema, generated from the models: numbers, texts with units, or mappings as typed."""
    generated = models.Scenario.model_json_schema(mode="validation", schema_generator=_AsTyped)
    parts = {"Scenario": generated, **generated["$defs"]}
    said = dict(_field_docstrings())
    for name, part in parts.items():
        for field, properties in part.get("properties", {}).items():
            # a field stands under the class that it is shared from
            homes = (home.__name__ for home in _class_of(name).__mro__)
            found = (said[home, field] for home in homes if (home, field) in said)
            if description := next(found, None):
                part["properties"][field] = {"description": description, **properties}
    _add_like(generated["$defs"])
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **generated,
        "title": TITLE,
    }


def _add_like(parts: dict[str, Any]) -> None:
    """Let an option be like another: with any word of a supply, none of them required."""
    words: dict[str, list[Any]] = {}
    for kind in ("Own", "Rent", "Api"):
        for name in parts[kind]["properties"]:
            words.setdefault(name, []).append({"$ref": f"#/$defs/{kind}/properties/{name}"})
    # a block may hold only what changes in it
    changed: list[Any] = [{"type": "object"}, {"const": None}]
    parts["Like"] = {
        "additionalProperties": False,
        "description": "An option that is another with changes.",
        "properties": {
            "like": {"description": LIKE_MEANS, "title": "Like", "type": "string"},
            **{name: {"anyOf": [*about, *changed]} for name, about in words.items()},
        },
        "required": ["like"],
        "title": "Like",
        "type": "object",
    }
    alone, chain = parts["Option"]["anyOf"]
    link = {"anyOf": [alone, {"$ref": "#/$defs/Like"}]}
    parts["Option"]["anyOf"] = [*link["anyOf"], {**chain, "items": link}]


def text() -> str:
    """The schema as it is printed and as the file beside the models holds it."""
    return json.dumps(schema(), indent=2, ensure_ascii=False) + "\n"


def _class_of(name: str) -> type:
    """The class of a part by its name."""
    return next((getattr(home, name) for home in HOMES if hasattr(home, name)), object)


def _field_docstrings() -> Iterator[tuple[tuple[str, str], str]]:
    """Each class and field of the models with the text under it.

    Read from the source here, not by pydantic at import, which would slow every run of ``tco``.
    """
    sources = (inspect.getsource(module) for module in HOMES)
    for part in (part for source in sources for part in ast.parse(source).body):
        if not isinstance(part, ast.ClassDef):
            continue
        for given, below in zip(part.body, part.body[1:], strict=False):
            if (
                isinstance(given, ast.AnnAssign)
                and isinstance(given.target, ast.Name)
                and isinstance(below, ast.Expr)
                and isinstance(below.value, ast.Constant)
            ):
                yield (part.name, given.target.id), inspect.cleandoc(str(below.value.value))


class _AsTyped(GenerateJsonSchema):
    """What is not given is left out of the file: nobody types null."""

    def nullable_schema(self, schema: core_schema.NullableSchema) -> JsonSchemaValue:
        return self.generate_inner(schema["schema"])

    def default_schema(self, schema: core_schema.WithDefaultSchema) -> JsonSchemaValue:
        if schema.get("default", ...) is None:
            return self.generate_inner(schema["schema"])
        return super().default_schema(schema)
