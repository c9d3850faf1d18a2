"""The settings for Kubernetes use only what the chart of Zero to JupyterHub knows, by name and kind."""

import jsonschema
import pytest
import yaml

from assignments import FOLDER


def known(**keys):
    return {"type": "object", "additionalProperties": False, "properties": keys}


TEXT, NUMBER, WHOLE, TRUTH, ANY = ({"type": kind} for kind in ("string", "number", "integer", "boolean", "object"))
TEXTS, AMOUNT = {"type": "array", "items": TEXT}, {"type": ["number", "string"]}
# The part that is used here of the chart's own jupyterhub/values.schema.yaml (Project Jupyter, BSD-3-Clause), which
# closes these objects in the same way. What stands in `hub.config` belongs to JupyterHub, not to the chart.
CHART = known(
    singleuser=known(
        image=known(name=TEXT, tag=TEXT, pullPolicy=TEXT, pullSecrets=TEXTS),
        cmd={"type": ["array", "string", "null"]},
        defaultUrl=TEXT,
        extraEnv={"type": ["object", "array"]},
        memory=known(limit=AMOUNT, guarantee=AMOUNT),
        cpu=known(limit=NUMBER, guarantee=NUMBER),
        storage=known(capacity=TEXT, homeMountPath=TEXT),
    ),
    cull=known(enabled=TRUTH, timeout=WHOLE, every=WHOLE, maxAge=WHOLE, users=TRUTH),
    hub=known(config=ANY),
    proxy=known(https=known(enabled=TRUTH, hosts=TEXTS, letsencrypt=known(contactEmail=TEXT))),
)


def values():
    return yaml.safe_load((FOLDER / "hub" / "values.yaml").read_text(encoding="utf-8"))


def test_the_chart_knows_every_setting():
    jsonschema.validate(values(), CHART)


@pytest.mark.parametrize("place", [[], ["singleuser"], ["singleuser", "memory"], ["cull"], ["proxy", "https"]])
def test_a_misspelt_setting_is_found(place):
    misspelt = inside = values()
    for key in place:
        inside = inside[key]
    name = next(iter(inside))
    inside[name.capitalize()] = inside.pop(name)
    with pytest.raises(jsonschema.ValidationError, match=f"'{name.capitalize()}' was unexpected"):
        jsonschema.validate(misspelt, CHART)


def test_a_students_limits_are_those_of_the_hub_on_one_machine():
    settings = (FOLDER / "hub" / "jupyterhub_config.py").read_text(encoding="utf-8")
    sizes = values()["singleuser"]
    assert f'c.Spawner.mem_limit = "{sizes["memory"]["limit"]}"' in settings
    assert f"c.Spawner.cpu_limit = {sizes['cpu']['limit']}\n" in settings
    assert f"--timeout={values()['cull']['timeout']}" in settings
