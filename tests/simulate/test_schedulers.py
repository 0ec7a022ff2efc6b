"""A scheduler is one file: the loop, scenarios, their schema, the command and the documentation find it there."""

import ast
import json
import os
import subprocess
import sys
import uuid
from pathlib import Path

import pytest

import qtheory.simulate
from qtheory.simulate.kernel.policies import POLICIES

SOURCES = Path(qtheory.simulate.__file__).parent
PAGE = Path(__file__).parents[2] / "docs" / "simulator.md"
# Every decode, then prompts up to a share of a budget: a parameter of each kind.
ONE_FILE = '''"""Decodes, then prompts: a scheduler that nobody shipped."""

from qtheory.simulate.kernel import engine_layout as E
from qtheory.simulate.kernel.engine_layout import Engine, EngineState
from qtheory.simulate.kernel.jit import compiled
from qtheory.simulate.kernel.policy import Policy


@compiled
def decide(engine: Engine, s: EngineState) -> None:
    s.decision[E.TOTAL] = int(engine.policy_reals[0] * engine.policy_parameters[0])


def lacking(engine):
    return "slots" if engine.slots is None else ""


POLICY = Policy("mine", decide, whole=("budget",), real=("share",), lacks=lacking)
'''
SCENARIO = """
horizon = 200.0
[engine]
policy = "mine"
budget = 128
share = 0.5
slots = 8
[engine.time]
law = "affine"
constants = [0.02, 0.001]
[[class]]
name = "r"
prompt = {law = "geometric", mean = 40}
output = {law = "geometric", mean = 10}
arrivals = {law = "exponential", mean = 0.25}
[[compare]]
policy = "sarathi"
budget = 64
"""
COMMAND = "import sys; from qtheory.cli import main; sys.exit(main())"
RUN = """
import json, sys
from qtheory.simulate.kernel import jit
from qtheory.simulate.scenarios import parse
from qtheory.simulate.schema import schema
told = []
jit.listeners.append(told.append)
scenario = parse(open(sys.argv[1]).read())
mine, other = (m.run(horizon=200.0).sums.tolist() for m in scenario.variants.values())
policies = [t["properties"]["policy"]["const"] for t in schema()["properties"]["engine"]["oneOf"]]
print(json.dumps([list(scenario.variants), mine == other, sum(map(sum, mine)) > 0, told, policies]))
"""


def run(folder, *arguments, status=0):
    done = subprocess.run([sys.executable, *arguments], capture_output=True, text=True,
                          env={**os.environ, "QTHEORY_POLICIES": str(folder)})  # fmt: skip
    assert done.returncode == status, done.stderr
    return done.stdout if status == 0 else done.stderr


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "mine.py").write_text(ONE_FILE)
    (tmp_path / "own.toml").write_text(SCENARIO)
    return tmp_path / "own"


@pytest.mark.slow
def test_one_file_adds_a_scheduler_to_the_loop_scenarios_and_their_schema(folder):
    run(folder, "-c", RUN, f"{folder}.toml")  # the loop is compiled by now, if it was not
    (folder / "mine.py").write_text(ONE_FILE + f"# {uuid.uuid4()}\n")
    labels, same, counted, told, policies = json.loads(run(folder, "-c", RUN, f"{folder}.toml"))
    assert labels == ["mine", "sarathi"] and same and counted
    assert told == ["decide of Decodes, then prompts: a scheduler that nobody shipped"]  # the loop stays as it was
    assert policies == sorted([*POLICIES, "mine"])


@pytest.mark.later
def test_one_file_adds_a_scheduler_to_the_command(folder):
    listed = run(folder, "-c", COMMAND, "simulate", "--policies").splitlines()
    assert [line.split()[0] for line in listed] == sorted([*POLICIES, "mine"])
    assert "a scheduler that nobody shipped. Parameters: budget, share" in "\n".join(listed)
    lacking = Path(f"{folder}.toml")
    lacking.write_text(SCENARIO.replace("slots = 8", "slot = 8"))
    said = run(folder, "-c", COMMAND, "simulate", str(lacking), status=2)
    assert "unknown key in engine 'slot'" in said


@pytest.mark.parametrize(("text", "says"), [
    (ONE_FILE.replace('"mine"', '"sarathi"'), "two policies are called 'sarathi'"),
    ("decide = ", "mine.py is no policy: SyntaxError"),
    (ONE_FILE.replace("s.decision[", "s.decisions["), "cannot be compiled: Unknown attribute 'decisions'"),
], ids=["twice", "syntax", "typo"])  # fmt: skip
def test_what_is_wrong_in_the_file_is_one_line(folder, text, says):
    (folder / "mine.py").write_text(text)
    said = run(folder, "-c", COMMAND, "simulate", f"{folder}.toml", status=2)
    assert says in said and "Traceback" not in said and "mine.py" in said.splitlines()[-1]


def test_a_folder_that_is_not_there_is_named(tmp_path):
    said = run(tmp_path / "none", "-c", COMMAND, "simulate", "mm1", status=2)
    assert "QTHEORY_POLICIES names no folder" in said


def test_no_other_module_names_a_policy():
    paths = [path for path in SOURCES.rglob("*.py") if path.parent.name != "policies"]
    nodes = [(path.name, n) for path in paths for n in ast.walk(ast.parse(path.read_text(encoding="utf-8")))]
    said = {(file, n.value) for file, n in nodes if isinstance(n, ast.Constant) and n.value in set(POLICIES)}
    assert said == {("request_records.py", "mixed")}  # a kind of iteration
    modules = {m.rpartition(".")[2] for m in sys.modules if m.startswith("qtheory.simulate.kernel.policies.")}
    asked = [n for _, n in nodes if isinstance(n, ast.ImportFrom) and (n.module or "").endswith("kernel.policies")]
    assert len(modules) > 10 and not modules & {a.name for n in asked for a in n.names}
    assert not [n for _, n in nodes if isinstance(n, ast.ImportFrom) and ".policies." in (n.module or "")]


def test_the_documentation_lists_each_policy_as_its_file_says():
    rows = [f"| `{name}` | {', '.join(f'`{p}`' for p in policy.parameters)} | {policy.summary} |"
            for name, policy in POLICIES.items()]  # fmt: skip
    assert "\n".join(rows) in PAGE.read_text(encoding="utf-8")
