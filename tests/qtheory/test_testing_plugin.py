"""The pytest plugin and the decorator under pytest: runs of pytest inside pytest."""

from __future__ import annotations

import re

import pytest

pytest_plugins = ["pytester"]

OWN = """
from qtheory.proofs.claims.model import Claim
from qtheory.proofs.kernel.statements import Statement

def claim(id, goal):
    return Claim(id, "p. 1", goal, (1, 1), "inequality", Statement(goal, ("0 < x < 1",)))

CLAIMS = [claim("note.right", "-log(1 - x) > x"), claim("note.wrong", "-log(1 - x) < 2*x")]
"""


@pytest.fixture(scope="module", autouse=True)
def _loaded() -> None:
    """A run inside this process forgets the modules that it has loaded, and some cannot be loaded twice."""
    import qtheory.testing.theorems
    from qtheory.proofs.corpus import find, referee

    assert qtheory.testing.theorems and referee(find("eb.app-A.1.gqa")).verdict == "refuted"


@pytest.fixture
def run(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch):
    """Runs pytest in a folder with one test of its own."""
    monkeypatch.setenv("PYTHONHASHSEED", "0")
    pytester.makepyfile(test_own="def test_own():\n    pass\n")

    def runs(*arguments: str) -> pytest.RunResult:
        return pytester.runpytest_inprocess("-p", "no:cacheprovider", *arguments)

    return runs


def test_claims_become_items(run) -> None:
    result = run("--qtheory=eb.eq-10, eb.app-B.6.zeta-prime", "-v")
    result.assert_outcomes(passed=3)
    result.stdout.fnmatch_lines(["qtheory::eb.eq-10 PASSED*", "qtheory::eb.app-B.6.zeta-prime PASSED*"])


def test_items_are_chosen_by_keyword(run) -> None:
    run("--qtheory=eb.eq-10,eb.app-B.6.zeta-prime", "-k", "zeta-prime").assert_outcomes(passed=1, deselected=2)


def test_a_refuted_claim_passes_and_fails_when_strict(run) -> None:
    run("--qtheory=eb.app-A.1.gqa").assert_outcomes(passed=2)
    result = run("--qtheory=eb.app-A.1.gqa", "--qtheory-strict")
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["*eb.app-A.1.gqa: refuted (*); its correction is eb.app-A.1.gqa.corrected",
                                 "  at *"])
    result.stdout.no_fnmatch_line("*Traceback*")


def test_a_verdict_that_is_not_the_recorded_one_fails(run, monkeypatch: pytest.MonkeyPatch) -> None:
    from qtheory.proofs import records

    known = records.records()
    known["eb.eq-10"] = known["eb.eq-10"] | {"verdict": "refuted", "severity": "edge"}
    monkeypatch.setattr(records, "records", lambda: known)
    result = run("--qtheory=eb.eq-10")
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["eb.eq-10: proved, recorded as refuted edge"])


def test_claims_of_one_s_own_pass_when_they_stand(run, pytester: pytest.Pytester) -> None:
    pytester.makepyfile(note=OWN)
    result = run("--qtheory=note.py", "-v")
    result.assert_outcomes(passed=2, failed=1)
    result.stdout.fnmatch_lines(["*note.right PASSED*", "*note.wrong FAILED*", "note.wrong: the verdict is refuted*",
                                 "  at x = *"])


@pytest.mark.parametrize(("options", "message"), [
    (["--qtheory=eb.prop-3.1.zet"], "ERROR: --qtheory: unknown claim or paper 'eb.prop-3.1.zet'; nearest: eb.prop-3.1"),
    (["--qtheory="], "ERROR: --qtheory needs names: claims, papers or files, separated by commas"),
    (["--qtheory=missing.py"], "ERROR: --qtheory: missing.py: no such file or folder"),
    (["--qtheory-strict"], "ERROR: --qtheory-strict goes with --qtheory=NAMES"),
])
def test_bad_options_are_one_clear_line(run, options: list[str], message: str) -> None:
    result = run(*options)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert next(line for line in result.errlines if line).startswith(message)


def test_the_plugin_is_active_once_however_it_is_named(run, pytester: pytest.Pytester) -> None:
    pytester.makeconftest('pytest_plugins = ["qtheory.testing.plugin"]')
    run("-p", "qtheory.testing.plugin", "--qtheory=eb.eq-10").assert_outcomes(passed=2)


@pytest.mark.slow
def test_a_run_without_claims_loads_nothing_heavy(pytester: pytest.Pytester) -> None:
    pytester.makepyfile("""
        import sys

        def test_light():
            assert "qtheory.testing.plugin" in sys.modules
            assert not {"qtheory.proofs.corpus", "qtheory.testing.asserting", "sympy"} & sys.modules.keys()
        """)
    pytester.runpytest_subprocess("-p", "no:cacheprovider").assert_outcomes(passed=1)


@pytest.mark.slow
def test_what_takes_long_is_said_while_tests_are_collected(pytester: pytest.Pytester) -> None:
    pytester.makepyfile("""
        import time
        from qtheory import progress
        from qtheory.testing.telling import slowly

        progress.DELAY = 0.02
        with slowly("reading a claim"):
            time.sleep(0.3)

        def test_nothing():
            pass
        """)
    result = pytester.runpytest_subprocess("-p", "no:cacheprovider")
    result.assert_outcomes(passed=1)
    assert "reading a claim: 0 s so far" in str(result.stderr)


@pytest.mark.later
def test_the_decorated_function_gets_values_case_and_fixtures(pytester: pytest.Pytester) -> None:
    pytester.makepyfile("""
        from hypothesis import settings
        from qtheory.testing import theorem

        @theorem("eb.sec-3.1.small-k", max_examples=5, settings=settings(derandomize=True, database=None))
        def test_values(k, j, case, request, N):
            assert 1 <= k <= N and k < j and case["k"] == k and request.node.name == "test_values"

        class TestMethods:
            @theorem("eb.prop-3.1.zeta", max_examples=3, settings=settings(derandomize=True, database=None))
            def test_method(self, theta0):
                assert 0 < theta0 < 1
        """)
    pytester.runpytest_inprocess("-p", "no:cacheprovider").assert_outcomes(passed=2)


def test_a_refuted_claim_fails_its_own_test_alone(pytester: pytest.Pytester) -> None:
    pytester.makepyfile("""
        from qtheory.testing import theorem
        import pytest

        @theorem("eb.app-A.1.gqa")
        def test_refuted(tmp_path, p0):
            pass

        class TestTwo:
            @theorem("eb.app-A.1.gqa")
            @pytest.mark.xfail
            def test_refuted(self):
                pass

        def test_other():
            pass
    """)
    result = pytester.runpytest_inprocess("-p", "no:cacheprovider")
    result.assert_outcomes(passed=1, failed=1, xfailed=1)
    result.stdout.fnmatch_lines(["*NotATheoremError: 'eb.app-A.1.gqa' is refuted as printed*"])
    assert "theorems.py" not in str(result.stdout)


@pytest.mark.later
def test_what_cannot_be_had_while_a_module_is_collected_does_not_keep_its_tests_away(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(test_note="""
        import pytest
        from hypothesis import given
        from qtheory.testing import assert_theorem, cases, conjecture, theorem

        conjecture("x**2 > x", where=["x > 0"])
        USED = conjecture("x**2 > x + 1", where=["x > 0"])
        conjecture("x**2 > > x")
        conjecture("x**2 >= 0")

        @theorem(USED)
        def test_used():
            pass

        @conjecture("x + 1 < x")
        def test_decorated():
            pass

        class TestMisspelt:
            @pytest.mark.parametrize("a, b", [(1, 2), (3, 4)])
            @theorem("eb.prop-3.11")
            def test_misspelt(self, a, b, p0, tmp_path):
                pass

        @theorem("eb.prop-3.1.zeta")
        async def test_later(p0):
            pass

        @given(case=cases("eb.prop-3.11"))
        def test_given(case):
            pass

        def test_asserted():
            assert_theorem("eb.prop-3.11", x=1)

        def test_other():
            pass
    """)
    result = pytester.runpytest_inprocess("-p", "no:cacheprovider")
    result.assert_outcomes(passed=1, failed=9)
    result.stdout.fnmatch_lines([
        "*UnknownNameError: unknown claim 'eb.prop-3.11'; nearest: eb.prop-3.1*", "*test_note.py:*: UnknownNameError",
        "_* conjecture('x?*2 > x') _*", "test_note.py:5: NotATheoremError: 'x?*2 > x' is refuted at x = 1",
        "_* conjecture('x?*2 > > x') _*", "test_note.py:7: InputError: column 8: expected a term, found '>' in *"])
    assert "theorems.py" not in str(result.stdout)
    pytester.runpytest_inprocess("-p", "no:cacheprovider", "test_note.py::test_other").assert_outcomes(passed=1)


@pytest.mark.parametrize("decorator", ['conjecture("x > 1", ["x > 0"])', 'conjecture("x > -1", ["x > 0"])',
                                       'theorem("eb.prop-3.11")', 'theorem("eb.prop-3.1.zeta")'])
def test_a_decorated_class_is_not_swallowed_with_its_tests(pytester: pytest.Pytester, decorator: str) -> None:
    pytester.makepyfile(f"""
        from qtheory.testing import conjecture, theorem

        @{decorator}
        class TestWait:
            def test_in_class(self):
                assert False

        def test_other():
            pass
    """)
    result = pytester.runpytest_inprocess("-p", "no:cacheprovider")
    assert result.ret == pytest.ExitCode.INTERRUPTED
    result.stdout.fnmatch_lines(["*InputError: TestWait: a test of a theorem is a function; decorate the methods*"])
    assert "theorems.py" not in str(result.stdout)


@pytest.mark.slow
def test_a_conjecture_outside_of_tests_raises_where_pytest_collects_nothing(pytester: pytest.Pytester) -> None:
    script = pytester.makepyfile(script="from qtheory.testing import conjecture\nconjecture('x > 1', ['x > 0'])")
    result = pytester.runpython(script)
    assert result.ret == 1
    result.stderr.fnmatch_lines(["*NotATheoremError: 'x > 1' is refuted at x = *"])


@pytest.mark.later
def test_a_failure_shows_lines_of_the_test_and_none_of_the_library(pytester: pytest.Pytester) -> None:
    pytester.makepyfile("""
        from qtheory.testing import assert_theorem, conjecture, theorem

        def failing(x):
            raise RuntimeError("no such value")

        CASE = dict(theta=0.5, N=64, p0=0.01, alpha_d=0.02, beta_d=1e-4)

        @theorem("eb.prop-3.1", using={"theta0": lambda p0: 0.1}, max_examples=5)
        def test_wrong():
            pass

        @theorem("eb.eq-13.final", using={"zeta": failing}, max_examples=5)
        def test_raising():
            pass

        @theorem("eb.prop-3.1", max_examples=5)
        def test_body(p0):
            assert p0 < 0

        def test_asserted():
            assert_theorem("eb.eq-13.final", {"zeta": failing}, **CASE)

        def test_conjectured():
            conjecture("x**2 > 1", ["0 < x"])
    """)
    result = pytester.runpytest_inprocess("-p", "no:cacheprovider")
    result.assert_outcomes(failed=5)
    shown = re.findall(r"^(\S+\.py):\d+: ", result.stdout.str(), re.MULTILINE)
    assert len(shown) >= 5 and {name.rpartition("/")[2] for name in shown} == {
        "test_a_failure_shows_lines_of_the_test_and_none_of_the_library.py"}
    assert "tracebackhide" not in result.stdout.str()


def test_a_skip_within_an_implementation_is_its_failure(pytester: pytest.Pytester) -> None:
    pytester.makepyfile("""
        import pytest
        from hypothesis import Phase, settings
        from qtheory.testing import theorem

        def unfinished(k, N, p0, alpha_d, beta_d):
            pytest.skip("not written yet")

        @theorem("eb.sec-3.2.1.Td", {"Td": unfinished},
                 settings=settings(derandomize=True, database=None, phases=[Phase.explicit, Phase.generate]))
        def test_decode_duration():
            pass
        """)
    result = pytester.runpytest_inprocess("-p", "no:cacheprovider")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*TheoremFailedError: *Td(*) raised Skipped: not written yet"])


@pytest.mark.slow
def test_the_example_of_the_module_runs(pytester: pytest.Pytester) -> None:
    import inspect
    import textwrap

    import qtheory.testing

    text = inspect.getdoc(qtheory.testing) or ""
    block = textwrap.dedent(text.partition("::\n")[2].partition("Claims of your own")[0])
    pytester.makepyfile(test_example=block)
    pytester.runpytest_inprocess("-p", "no:cacheprovider", "--hypothesis-profile=ci").assert_outcomes(passed=3)
