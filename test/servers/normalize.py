"""
Checks events, one JSON per line of the input, against the schema of Bugsink's strict mode, and runs them through Relay's
normalizer; prints a line for each remark.
"""

import json
import pathlib
import sys

import bugsink
import jsonschema
from sentry_relay.processing import StoreNormalizer

packages = pathlib.Path(bugsink.__file__).parent.parent
schema = json.loads((packages / "api/event.schema.altered.json").read_text())
validator = jsonschema.validators.validator_for(schema)(schema)


def remarks(meta, path=""):
    for key, value in (meta or {}).items():
        if key == "":
            yield f"{path}: {json.dumps(value)}"
        elif isinstance(value, dict):
            yield from remarks(value, f"{path}.{key}")


for number, line in enumerate(sys.stdin):
    event = json.loads(line)
    name = f"event {number} ({event.get('type', 'error')})"
    if "type" not in event:
        # The schema knows `logentry` only, so that `message` is renamed; strict mode itself refuses it.
        described = {key: value for key, value in event.items() if key != "message"}
        if "message" in event:
            described.setdefault("logentry", {})
            described["logentry"] = {**described["logentry"], "formatted": event["message"]}
        for error in validator.iter_errors(described):
            print(f"{name} Bugsink: {error.json_path}: {error.message[:300]}")
    normalizer = StoreNormalizer(project_id=1, client="faultline", key_id="a", protocol_version="7", remove_other=True)
    normalized = normalizer.normalize_event(event)
    for remark in [*remarks(normalized.get("_meta")), *map(json.dumps, normalized.get("errors") or [])]:
        print(f"{name} Relay: {remark}")
    for tag in (event.get("tags") or {}).items():
        if list(tag) not in (normalized.get("tags") or []):
            print(f"{name} Relay: tag {tag} became {normalized.get('tags')}")
