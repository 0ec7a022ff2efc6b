"""What cannot be had while pytest collects fails a test or is an item of its own, however the tests are laid out."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from hypothesis import settings

from qtheory.testing import claims, conjecture, telling

pytest_plugins = ["pytester"]

HEAD = """
import functools
import unittest

import pytest
from hypothesis import given, settings, strategies as st
from qtheory.testing import assert_theorem, cases, conjecture, theorem

"""
ITEM = """
@conjecture("x > 5", ["x > 0"])
def {name}():
    pass
"""


@pytest.fixture(scope="module", autouse=True)
def _loaded() -> None:
    """A run inside this process forgets the modules that it has loaded, and some cannot be loaded twice."""
    import qtheory.testing.theorems
    from qtheory.proofs.corpus import find, referee

    assert qtheory.testing.theorems and referee(find("eb.app-A.1.gqa")).verdict == "refuted"


@pytest.fixture
def run(pytester: pytest.Pytester):
    """Runs pytest on these modules, each with the imports above, and where it holds tests with one that passes."""

    def runs(*arguments: str, **modules: str) -> pytest.RunResult:
        own = "\n\ndef test_ok():\n    pass\n"
        pytester.makepyfile(**{name: HEAD + text + own * name.startswith("test_") for name, text in modules.items()})
        return pytester.runpytest_inprocess(*arguments)

    return runs


LONE = {
    "an assertion that fails": "case = assert_theorem('eb.prop-3.1.zeta', {'theta0': lambda p0: 0.5}, p0='0.01',"
                               " alpha_p='0.03', alpha_d='0.02')",
    "an assertion of no claim": "assert_theorem('eb.prop-3.11111')",
    "a function that is no test": ITEM.format(name="check_it"),
    "a misspelt claim of one": "@theorem('eb.prop-3.11111')\ndef check_wait(): pass",
    "a base class": "class Base:\n    @conjecture('x > 5', ['x > 0'])\n    def test_base(self): pass",
    "a class with a constructor": "class TestInit:\n    def __init__(self): pass\n"
                                  "    @conjecture('x > 5', ['x > 0'])\n    def test_in(self): pass",
    "a class that is not to be collected": "class TestNot:\n    __test__ = False\n"
                                           "    @theorem('eb.prop-3.11111')\n    def test_in(self): pass",
    "a nested class of such a class": "class Outer:\n    class TestIn:\n        @theorem('eb.prop-3.11111')\n"
                                      "        def test_in(self): pass",
    "a decorator": "deco = theorem(conjecture('x > 5', ['x > 0']))",
    "a decorator with wrong arguments": "deco = theorem('eb.prop-3.1.zeta', max_examples=0)",
    "a decorator with a misspelt argument": "deco = theorem('eb.prop-3.1.zeta', usng={})",
    "a strategy with a misspelt argument": "strategy = cases('eb.prop-3.1.zeta', usng={})",
    "a strategy": "strategy = cases('eb.misspelt')",
    "a strategy of what is no test": "@given(cases('eb.misspelt'))\ndef check(case): pass",
    "a conjecture that is caught": "try:\n    C = conjecture('x > 5', ['x > 0'])\nexcept Exception:\n    C = None",
    "an asynchronous function that is no test": "@theorem('eb.prop-3.1.zeta')\nasync def later(): pass",
    "a name that is deleted": ITEM.format(name="test_gone") + "del test_gone",
    "a local function": "def make():\n    @theorem('eb.prop-3.11111')\n    def test_local(): pass\nmake()",
}


@pytest.mark.parametrize("layout", LONE)
def test_what_no_collected_test_is_for_is_an_item_of_its_own(run, layout: str) -> None:
    result = run("-p", "no:cacheprovider", test_m=LONE[layout])
    result.assert_outcomes(passed=1, failed=1, warnings=result.parseoutcomes().get("warnings", 0))
    result.stdout.fnmatch_lines(["test_m.py:*: *Error: *"])


@pytest.mark.later
def test_the_first_of_two_tests_of_one_name_is_told(run) -> None:
    standing = "@conjecture('x > -1', ['x > 0'], budget=1)\ndef test_twice(): pass"
    run("-p", "no:cacheprovider", test_m=ITEM.format(name="test_twice") + standing).assert_outcomes(passed=2, failed=1)
    run("-p", "no:cacheprovider", test_m=2 * ITEM.format(name="test_twice")).assert_outcomes(passed=1, failed=2)


@pytest.mark.later
def test_each_error_is_told_once_where_a_test_raises_it(run) -> None:
    layout = """
bad = conjecture("x > 1", ["x > 0"])

def make(claim):
    @theorem(claim)
    def test_made():
        pass
    return test_made

test_first = make(bad)

for claim in [conjecture("x > 2", ["x > 0"])]:
    @claim
    def test_loop():
        pass

class TestUnit(unittest.TestCase):
    @conjecture("x > 3", ["x > 0"])
    def test_method(self):
        pass

    @unittest.expectedFailure
    @theorem("eb.prop-3.11111")
    def test_expected(self):
        pass

class Base:
    @conjecture("x > 4", ["x > 0"])
    def test_inherited(self):
        pass

class TestOuter:
    class TestInner(Base):
        @pytest.mark.parametrize("k", [1, 2])
        @staticmethod
        @conjecture("x > 5", ["x > 0"])
        def test_static(k):
            pass

        @classmethod
        @theorem("eb.prop-3.11111")
        @pytest.mark.parametrize("k", [1, 2])
        def test_class(cls, k):
            pass

@conjecture("x > 6", ["x > 0"])
def test_generator():
    yield

test_lambda = theorem("eb.prop-3.11111")(lambda: None)

@pytest.mark.xfail(strict=True)
@given(case=cases("eb.prop-3.11111"))
@settings(max_examples=3)
def test_drawn(case):
    pass

@given(y=st.integers())
@theorem("eb.prop-3.11111")
def test_both(p0, y):
    pass

@conjecture("x > 0", "x > 1", using={"x": abs})
def test_no_argument_of_it():
    pass

@settings(max_examples=3)
@conjecture("x > 7", ["x > 0"])
def test_with_settings():
    pass

@pytest.mark.xfail(strict=True)
@theorem(cases)
def test_no_claim():
    pass
"""
    result = run("-p", "no:cacheprovider", "-v", test_m=layout)
    result.assert_outcomes(passed=1, failed=13, xfailed=3)
    result.stdout.no_fnmatch_line("*pointless*")
    result.stdout.fnmatch_lines(["*functions go with the test*"])
    result.stdout.no_fnmatch_line("*::conjecture(*")
    result.stdout.no_fnmatch_line("*::theorem(*")
    result.stdout.no_fnmatch_line("*::cases(*")


@pytest.mark.later
def test_what_is_chosen_by_name_is_run_alone_and_again(run) -> None:
    lone = "conjecture('x > 1', ['x > 0'])" + ITEM.format(name="check")
    result = run(test_m=lone)
    result.assert_outcomes(passed=1, failed=2)
    again = run("--lf", test_m=lone)
    again.assert_outcomes(failed=2, deselected=again.parseoutcomes().get("deselected", 0))
    run("test_m.py::test_ok", test_m=lone).assert_outcomes(passed=1)
    run("test_m.py::conjecture('x > 1')", test_m=lone).assert_outcomes(failed=1)
    run("test_m.py::test_ok", "test_m.py", "--keep-duplicates", test_m=lone).assert_outcomes(passed=2, failed=2)
    run("-k", "ok", test_m=lone).assert_outcomes(passed=1, deselected=2)


def test_doctests_of_the_module_tell_nothing_twice(run) -> None:
    layout = "conjecture('x > 1', ['x > 0'])" + ITEM.format(name="test_it")
    run("-p", "no:cacheprovider", "--doctest-modules", test_m=layout).assert_outcomes(passed=1, failed=2)
    result = run("-p", "no:cacheprovider", "--doctest-modules", test_m="", helper=layout)
    assert result.ret == pytest.ExitCode.INTERRUPTED


@pytest.mark.parametrize("helper", ["unused = conjecture('x > 2', ['x > 0'])", "strategy = cases('eb.misspelt')",
                                    ITEM.format(name="test_imported"), ITEM.format(name="check_imported")])
def test_another_module_s_error_is_raised_at_once_whichever_imports_it_first(run, helper: str) -> None:
    skipping = "import helper\npytest.importorskip('no_such_module_here')"
    result = run("-p", "no:cacheprovider", helper=helper, test_1=skipping, test_2="import helper")
    assert result.ret == pytest.ExitCode.INTERRUPTED
    result.assert_outcomes(errors=2)
    result.stdout.fnmatch_lines(["helper.py:*", "E *Error: *"])
    assert "theorems.py" not in str(result.stdout) and "drawing.py" not in str(result.stdout)


def test_a_conftest_s_error_ends_the_run(pytester: pytest.Pytester, run) -> None:
    result = run("-p", "no:cacheprovider", conftest="@theorem('eb.prop-3.11111')\ndef check(): pass", test_m="")
    assert result.ret == pytest.ExitCode.USAGE_ERROR


@pytest.mark.later
def test_a_test_module_that_another_imports_keeps_its_own_errors(run) -> None:
    modules = {"test_1": "try:\n    import test_2\nexcept Exception:\n    pass",
               "test_2": "lone = conjecture('x > 3', ['x > 0'])"}
    result = run("-p", "no:cacheprovider", "test_1.py::test_ok", "test_2.py", **modules)
    result.assert_outcomes(passed=2, failed=1)
    result.stdout.fnmatch_lines(["test_2.py:8: NotATheoremError: 'x > 3' is refuted at *"])
    result = run("-p", "no:cacheprovider", **modules | {"test_1": "import test_2"})
    assert result.ret == pytest.ExitCode.INTERRUPTED


def test_a_module_that_skips_itself_after_an_error_is_none_that_is_skipped(run) -> None:
    result = run("-p", "no:cacheprovider", test_m="conjecture('x > 3', ['x > 0'])\npytest.importorskip('no_such')")
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["test_m.py:8: NotATheoremError: 'x > 3' is refuted at *"])
    run("-p", "no:cacheprovider", test_m="pytest.importorskip('no_such')\nconjecture('x > 3', ['x > 0'])"
        ).assert_outcomes(skipped=1)


def test_a_profile_that_draws_nothing_skips_no_test_of_a_claim_that_is_none(run) -> None:
    """Also where other strategies are made of the cases: one is not checked before it draws."""
    profile = "from hypothesis import Phase, settings\nsettings.register_profile('shown', phases=[Phase.explicit])"
    layout = """
@given(cases(conjecture("x > 1", ["x > 0"])))
def test_direct(case):
    pass

@given(st.lists(cases("eb.misspelt")))
def test_within(cases):
    pass

@given(st.data())
def test_later(data):
    data.draw(STRATEGY)

STRATEGY = cases("eb.misspelt.too")
"""
    before = settings.get_current_profile_name()
    try:
        result = run("-p", "no:cacheprovider", "--hypothesis-profile=shown", conftest=profile, test_m=layout)
    finally:
        settings.load_profile(before)  # it is one of this process
    result.assert_outcomes(passed=1, failed=3, skipped=1)
    result.stdout.fnmatch_lines([
        "FAILED test_m.py::test_direct - *NotATheoremError: *", "FAILED test_m.py::test_within - *UnknownNameError: *",
        "FAILED test_m.py::cases('eb.misspelt.too') - *"])
    assert "drawing.py" not in str(result.stdout)


@pytest.mark.later
def test_the_case_of_an_assertion_that_failed_has_no_values(run) -> None:
    failing = "assert_theorem('eb.prop-3.1.zeta', {'theta0': lambda p0: 0.5}, p0=0.01, alpha_p=0.03, alpha_d=0.02)"
    for used in ("['theta0']", ".checked", ".compared"):
        result = run("-p", "no:cacheprovider", test_m=failing + used)
        result.assert_outcomes(errors=1)
        result.stdout.fnmatch_lines(["E *TheoremFailedError: eb.prop-3.1.zeta: theta0 = 0.5 is off by *"])


def test_an_undecided_conjecture_is_refereed_once_in_pytest_and_a_proved_one_each_time(
        monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    kept: dict[str, object] = {}
    asked: list[str] = []

    class Memory:
        get = staticmethod(kept.get)
        set = staticmethod(kept.__setitem__)

    def prove(goal: str, where: object, **options: object) -> SimpleNamespace:
        asked.append(goal)
        return SimpleNamespace(verdict="proved" if "x > 0" in goal else "unknown")

    monkeypatch.setattr(telling, "MEMORY", [Memory()])
    monkeypatch.setattr(telling, "TERMINAL", [])
    monkeypatch.setattr(claims, "prove", prove)
    for budget in (1, 1.0, 2):
        conjecture("x > sin(x)", ["x > 0"], let="sin(t) = t/2", budget=budget)
        conjecture("x > 0", ["x > 0"], budget=budget)
    assert asked == ["x > sin(x)", "x > 0", "x > 0", "x > sin(x)", "x > 0"]
    told = "undecided in an earlier run with budget 1, and not refereed again (pytest --cache-clear forgets that)"
    assert capsys.readouterr().err == f"'x > sin(x)': {told}\n"
    monkeypatch.setattr(telling, "__version__", "another")
    conjecture("x > sin(x)", ["x > 0"], let="sin(t) = t/2", budget=1)
    conjecture("x > sin(x)", ["x > 1"], let="sin(t) = t/2", budget=1)  # as it is stated
    assert len(asked) == 7


def test_pytest_keeps_what_is_undecided(run, pytester: pytest.Pytester) -> None:
    run(test_m="conjecture('x**x > 1/2 + 1/100', ['x > 0'], budget=0.01)").assert_outcomes(passed=1)
    assert len(list(pytester.path.glob(".pytest_cache/v/qtheory/undecided/*"))) == 1
