"""The trusted kernel: reader, statement language, rules and balls. It imports nothing but the standard library.

What a formula means.  Terms denote partial functions of real variables: a term is undefined where a subterm
is, or where its own operation is.  An atom ``(REL, t)`` with REL one of > >= = != says that t IS DEFINED and
t REL 0; ``(isint, t)`` that t is defined and an integer; ``(def, t)`` and ``(undef, t)`` speak of definedness
alone.  So every formula is true or false at every point, and the logic above the atoms is classical.  A theorem
``hyps |- concl`` says: at every real value of the free variables at which all hyps are true, concl is true.
"""
