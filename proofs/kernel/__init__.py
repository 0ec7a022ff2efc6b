"""The trusted kernel: reader, statement language, rules and balls.  It imports nothing but the standard library.

What a formula means (docs/language.md says it of the whole language).  Terms denote partial functions of real
variables: a term is undefined where a subterm outside binders is, or where its own operation is.  An atom
``(REL, t)`` with REL one of > >= = != says that t IS DEFINED and t REL 0; ``(isint, t)`` that t is defined and an
integer; ``(def, t)`` and ``(undef, t)`` speak of definedness alone.  So every formula is true or false at every
point, and the logic above the atoms is classical.

The one function that checks
  certificate.check(data, statement=None)  data is plain JSON; it returns (the Statement, the Reader with the steps),
                                           or raises KernelError.  What it accepted says: "proved": wherever the
                                           conditions are true, the goal is true and defined on its domain;
                                           "refuted": at some point they are and it is not.  With a witness:
                                           something meets the conditions and the guards in the goal.
The types
  Node               a term or formula: Fraction | str | tuple headed by its operation     terms.py
  Theorem            (hyps, concl): at every point at which all hyps are true, concl is     theorem.py
  RULES              name -> (function, kinds of its arguments): only these make theorems   theorem.py
  Statement          goal, where, let as texts; .hypotheses, .conclusion, .refutation, .owed as formulas   statements.py
  Parser             text -> Node, every notation written out as its definition             grammar.py
  reserved heads     E, Var and Pr over laws, written out as their definitions              operators.py
  laws               values and masses that a statement gives, and where they are valid     laws.py averages.py
  named laws         Poisson, exponential and their kin                                     named.py
  endless laws       atoms that speak of laws without an end                                endless.py
  events             indicators, and the bounds that comparisons put to a variable          events.py
  factorials         factorials and binomial coefficients, by sums of logarithms            factorials.py
  Forms              terms as quotients of polynomials: formal equality                     poly.py
  Interval, enclose  rational enclosures of a term over a box                               balls.py
  derivative, continuous, undiff   literal derivatives, and continuity by shape             calculus.py
  KernelError        the only error; raised by require (soundness), require_form (shape), require_limit (size)

The rules; "defined" stands for: by facts that are given to the rule (``settled``)
  logic       hyp               A |- A
              and_intro         A, B, .. give A and B and ..
              and_elim          A and B and .. gives each part
              or_intro          a part gives A or B or ..
              or_elim           what each part gives, A or B or .. gives
              imp_intro         B from A gives A -> B
              imp_elim          A -> B and A give B
              cut               A, and B from A, give B
              all_intro         a theorem of whose hypotheses none speaks of x holds for all x
              all_elim          for all x: A(x) gives A(t), t defined
              instance          a theorem holds with a defined t for a free variable
              ex_intro          A(t), t defined, gives: for some x, A(x)
              ex_elim           for some x, A(x); and C from A(y), y fresh, give C
              excluded_middle   A or its complement
              clash             A and its complement give anything
              absurd            a false comparison of numbers gives anything
              rewrite           equals for equals
  defined-    defined           t is defined
  ness        condition         what a subterm of a true atom needs: u > 0 for log u, ..
              undefined         t is undefined where a subterm's condition fails
  order       trichotomy        a defined t is positive, zero or negative
              combine           t = sum of products of facts, squares and numbers gives the sign of t
              ball              an inequality on a box, by enclosures over a subdivision
  functions   exp_positive      e^u > 0
              exp_above_tangent e^u >= 1 + u, strictly for u != 0
              exp_sum           e^(u+v) = e^u e^v
              exp_multiple      e^(n u) = (e^u)^n
              exp_zero          e^0 = 1
              exp_log           e^(log u) = u
              log_exp           log e^u = u
              log_below_tangent log u <= u - 1, strictly for u != 1
              log_product       log(u v) = log u + log v for u, v > 0
              log_power         log(u^n) = n log u for u > 0
              log_one           log 1 = 0
              power_exp         a^b = e^(b log a) for a > 0
              power_step        a^(n+1) = a^n a
              zero_power        0^a = 0 for a > 0
              max_bounds        max(a, b) is an upper bound of both and equal to one
              sqrt_square       sqrt(u) >= 0 and sqrt(u)^2 = u
              lambert_equation  W(u) e^W(u) = u, W(u) on its branch's side of -1
              lambert_value     W(u) = v if v e^v = u on that side
              floor_bounds      floor(u) is an integer, floor(u) <= u < floor(u) + 1
  integers    integral_polynomial  a polynomial with integer coefficients in integers is one
              gap               a positive integer is at least 1
              induction         A(base), and A(n) -> A(n+1), give A(n) for all integers n >= base
              sum_empty         the sum over i = lo .. lo-1 is 0
              sum_last          a sum is that to hi - 1 plus its last summand
  calculus    mean_value        f(b) - f(a) has the sign of f' on (a, b)
              intermediate_value  f(a) <= 0 <= f(b) give a root in [a, b]
              fundamental_theorem  the integral of f is F(b) - F(a), F' = f; inequalities alike
              integral_flip     the integral from a to b is minus that from b to a
              differentiate     a term equals itself with its derivatives carried out
              derivative_near   functions that agree around a point have one derivative there
"""
