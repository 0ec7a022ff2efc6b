"""A slow evaluator of meaning: what a statement says at a point, straight from the page of the language.

It is not trusted and shares no code with the two checkers.  Statements are built as trees (``trees``), from which
come both the text that the checkers read and the truth that they are held to (``truth``).  What the checkers make of
the text, a formula in the primitive language, is evaluated apart (``primitive``).  ``generator`` draws statements,
``campaign`` compares, and ``mutants`` puts misreadings into the lowerings, each of which the campaign has to find.

Answers are three-valued: True, False, or None where it cannot tell.
"""
