# SPDX-License-Identifier: Apache-2.0
#
# The part of JSON Schema that our schemas use.

import re

KINDS = {"object": dict, "array": list, "string": str, "integer": int, "boolean": bool}


def is_kind(value, kind):
    return isinstance(value, KINDS[kind]) and not (kind == "integer" and isinstance(value, bool))


def faults_of_object(value, schema, root, where):
    for key in schema.get("required", []):
        if key not in value:
            yield f"{where}: no {key}"
    patterns = schema.get("patternProperties", {})
    for key, item in value.items():
        schemas = [patterns[p] for p in patterns if re.search(p, key)]
        if key in schema.get("properties", {}):
            schemas.append(schema["properties"][key])
        for part in schemas:
            yield from faults(item, part, root, f"{where}.{key}")
        if not schemas and schema.get("additionalProperties") is False:
            yield f"{where}: unexpected {key}"


def faults(value, schema, root, where="$"):
    """What is wrong with the value, as texts."""
    if "$ref" in schema:
        yield from faults(value, root["$defs"][schema["$ref"].rsplit("/", 1)[1]], root, where)
        return
    for word, enough in (("oneOf", lambda n: n == 1), ("anyOf", lambda n: n >= 1)):
        if word in schema:
            results = [list(faults(value, s, root, where)) for s in schema[word]]
            if not enough(sum(not r for r in results)):
                yield f"{where}: {min(results, key=len) or 'more than one alternative'}"
                return
    kind = schema.get("type")
    if kind and not is_kind(value, kind):
        yield f"{where}: not of type {kind}"
        return
    if "const" in schema and (value != schema["const"] or type(value) is not type(schema["const"])):
        yield f"{where}: not {schema['const']}"
    if "enum" in schema and value not in schema["enum"]:
        yield f"{where}: {value} is none of {schema['enum']}"
    if "minimum" in schema and value < schema["minimum"]:
        yield f"{where}: less than {schema['minimum']}"
    if "maximum" in schema and value > schema["maximum"]:
        yield f"{where}: more than {schema['maximum']}"
    if len(value) < schema.get("minLength", 0) if isinstance(value, str) else False:
        yield f"{where}: too short"
    if "pattern" in schema and not re.search(schema["pattern"], value):
        yield f"{where}: {value!r} does not match"
    if isinstance(value, dict):
        yield from faults_of_object(value, schema, root, where)
    if isinstance(value, list):
        if not schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", len(value)):
            yield f"{where}: {len(value)} items"
        for i, item in enumerate(value):
            yield from faults(item, schema.get("items", {}), root, f"{where}[{i}]")
