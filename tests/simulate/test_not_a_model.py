"""What stands where a model, a scenario or an option of a run belongs: one line that says what would be right."""

from __future__ import annotations

import pytest

from qtheory import profiles, simulate
from qtheory.errors import InputError, QTheoryError, UnknownNameError

NO_MODELS = [profiles.load("a100-llama3-70b-tp2-vidur"), "mm1", 3, None, simulate.load("mm1")]
WANTED = {"run": "one Network", "run_engine": "one LLMEngine", "run_counts": "one CountsChain",
          "replicate": "a model, such as a Network", "run_scenario": "one Scenario"}


@pytest.mark.parametrize(("name", "given"), [
    (name, given) for name in WANTED for given in NO_MODELS
    if (name, given) != ("run_scenario", NO_MODELS[-1])],  # a scenario is what this function takes
    ids=lambda v: v if isinstance(v, str) else type(v).__name__)
def test_what_is_no_model(name, given):
    options = {"replications": 5} if name == "replicate" else {}
    with pytest.raises(InputError) as said:
        getattr(simulate, name)(given, **options)
    assert WANTED[name] in str(said.value) and "\n" not in str(said.value) and len(str(said.value)) < 250


@pytest.mark.parametrize("given", [NO_MODELS[0], 3, None])
def test_what_names_no_scenario(given):
    with pytest.raises(InputError, match="the name of a shipped one, not a value of type"):
        simulate.load(given)


def test_options_of_a_run():
    network = simulate.load("mm1").variants["network"]
    with pytest.raises(InputError, match="horizon=SECONDS"):
        simulate.run(network)
    with pytest.raises(UnknownNameError, match="'horzon'; nearest: horizon"):
        simulate.run(network, horzon=10.0)
    assert issubclass(UnknownNameError, QTheoryError)
