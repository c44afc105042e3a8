"""The JSON Schema of scenario files, for editors that complete and check while one types."""

from __future__ import annotations

import json
from typing import Any

from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue
from pydantic_core import core_schema

from tco.scenario.schema import Scenario

TITLE = "A tco scenario"
FILE = "scenario.schema.json"
FIXED_BY = f"tco schema > tco/scenario/{FILE}"


def schema() -> dict[str, Any]:
    """The schema, generated from the models: numbers, texts with units, or mappings as typed."""
    generated = Scenario.model_json_schema(mode="validation", schema_generator=_AsTyped)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **generated,
        "title": TITLE,
    }


def text() -> str:
    """The schema as it is printed and as the file beside the models holds it."""
    return json.dumps(schema(), indent=2, ensure_ascii=False) + "\n"


class _AsTyped(GenerateJsonSchema):
    """What is not given is left out of the file: nobody types null."""

    def nullable_schema(self, schema: core_schema.NullableSchema) -> JsonSchemaValue:
        return self.generate_inner(schema["schema"])

    def default_schema(self, schema: core_schema.WithDefaultSchema) -> JsonSchemaValue:
        if schema.get("default", ...) is None:
            return self.generate_inner(schema["schema"])
        return super().default_schema(schema)
