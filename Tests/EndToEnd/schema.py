"""The part of JSON Schema that docs/schema uses, to the letter: a key that it does not name is wrong.

For readers of the JSON new keys are no breach; here each one has to get into the schema.
"""

import json
import os
import re

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "docs", "schema")
TYPES = {
    "object": dict, "array": list, "string": str, "boolean": bool, "null": type(None),
    "integer": int, "number": (int, float),
}
KNOWN = {
    "$ref", "type", "enum", "const", "oneOf", "properties", "required", "items", "pattern",
    "minimum", "maximum", "minItems", "maxItems", "description", "additionalProperties",
}


class Schema:
    def __init__(self, name):
        with open(os.path.join(FOLDER, name)) as file:
            self.definitions = json.load(file)["$defs"]

    def faults(self, value, definition):
        """What is wrong with `value`, each with its place; empty: nothing."""
        return list(self._faults(value, self.definitions[definition], definition))

    def check(self, value, definition):
        faults = self.faults(value, definition)
        assert not faults, f"{definition}: {faults}\n{value}"

    def _faults(self, value, schema, place):
        assert set(schema) <= KNOWN, f"{place}: {set(schema) - KNOWN} is not checked here"
        if "$ref" in schema:
            name = schema["$ref"].removeprefix("#/$defs/")
            yield from self._faults(value, self.definitions[name], place)
        if "oneOf" in schema:
            fitting = sum(not list(self._faults(value, one, place)) for one in schema["oneOf"])
            if fitting != 1:
                yield f"{place}: fits {fitting} of the forms"
        if "const" in schema and not same(value, schema["const"]):
            yield f"{place}: {value!r} is not {schema['const']!r}"
        if "enum" in schema and not any(same(value, one) for one in schema["enum"]):
            yield f"{place}: {value!r} is none of {schema['enum']}"
        kinds = schema.get("type", [])
        kinds = [kinds] if isinstance(kinds, str) else kinds
        if kinds and not any(is_of(value, kind) for kind in kinds):
            yield f"{place}: {value!r} is no {' or '.join(kinds)}"
            return
        if isinstance(value, str) and not re.search(schema.get("pattern", ""), value):
            yield f"{place}: {value!r} does not match {schema['pattern']}"
        if is_of(value, "number"):
            if not schema.get("minimum", value) <= value <= schema.get("maximum", value):
                yield f"{place}: {value} is out of range"
        if isinstance(value, dict) and "properties" in schema:
            for key in schema.get("required", []):
                if key not in value:
                    yield f"{place}: no {key}"
            for key, member in value.items():
                if key in schema["properties"]:
                    yield from self._faults(member, schema["properties"][key], f"{place}.{key}")
                else:
                    yield f"{place}: {key} is not in the schema"
        if isinstance(value, dict) and "additionalProperties" in schema:
            for key, member in value.items():
                yield from self._faults(member, schema["additionalProperties"], f"{place}.{key}")
        if isinstance(value, list):
            if not schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", len(value)):
                yield f"{place}: {len(value)} items"
            for index, item in enumerate(value):
                yield from self._faults(item, schema.get("items", {}), f"{place}[{index}]")


def is_of(value, kind):
    if isinstance(value, bool):
        return kind == "boolean"
    return isinstance(value, TYPES[kind])


def same(a, b):
    return a == b and isinstance(a, bool) == isinstance(b, bool)
