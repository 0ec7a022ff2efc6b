"""Goals of the field that are not the corpus's, true and false, by kind: what the search is measured by.

They were drawn up from textbooks without a look at the search, and half of each kind is held out: it is not looked
at while the search is worked on.  ``loading`` reads them, ``labels`` says by numbers alone whether a label is
right, ``running`` gives them to the prover.
"""
