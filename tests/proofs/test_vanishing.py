"""Products with a factor that vanishes: from what is said of the product it follows that the factor does not, and
where a factor has a root the product is said to be other than 0 in vain."""

from __future__ import annotations

import pytest
from searching import verdict

FACTORS = [("x", ()), ("x - 2", ()), ("x - y", ()), ("exp(x) - 1", ()), ("log(x)", ("x > 0",)),
           ("x - exp(-y)", ()), ("sqrt(x) - 1", ("x >= 0",))]
OTHERS = [("z", ()), ("exp(x*y)", ()), ("(y**2 + 1)*z", ()), ("log(z)", ("z > 1",)), ("(z - x)**2", ())]
ROOTS = ["x**3 - 2", "x**5 - x - 1", "exp(x) - 3", "x - exp(-y)", "x**2 - y - 3"]


@pytest.mark.sliced(4)
@pytest.mark.parametrize(("factor", "of_factor"), FACTORS)
@pytest.mark.parametrize(("other", "of_other"), OTHERS)
def test_a_factor_of_what_is_not_0_is_not_0(factor: str, of_factor: tuple[str, ...], other: str,
                                            of_other: tuple[str, ...]) -> None:
    for relation in ("!=", ">", "<"):
        assert verdict(f"{factor} != 0", f"({factor})*{other} {relation} 0", *of_factor, *of_other) == "proved"


@pytest.mark.sliced(4)
@pytest.mark.parametrize("factor", ROOTS)
@pytest.mark.parametrize("other", ["(z**2 + 1)", "log(z + 2)", "exp(x*z)"])
def test_a_product_vanishes_where_a_factor_does(factor: str, other: str) -> None:
    product = f"({factor})*{other}"
    for goal in (f"{product} != 0", f"{product}**2 > 0", f"1/({product}) != 2", f"{product} - ({factor}) != 0"):
        assert verdict(goal, "z > 0", "y > 0") == "refuted"
