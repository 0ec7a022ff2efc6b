"""The corpus: a folder a paper, a Markdown file a section, a table of symbols, and the code of the paper's models.

``docs/claims.md`` says how such files are written. Reading them runs nothing: ``blocks`` takes the Markdown apart,
``symbols`` is the table, ``names`` says which names a text speaks of, and ``papers`` makes the claims.
"""
