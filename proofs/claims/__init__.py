"""The corpus: a package for each paper, a module for each of its sections, and the catalogue of what each prints.

A paper's package offers ``CLAIMS``, a sequence of ``model.Claim``, and ``SECTIONS``, the headings of the catalogue
(up to their colon) whose items all have a claim by now.  ``catalogue/<paper>.toml`` lists the paper's items;
``records.json`` holds the verdicts that ``qtheory verify`` compares with.
"""
