"""Functions written for one op: text joined from named fragments, compiled once the op is called often.

`cache.py` counts calls, compiles and exchanges code; `fragments.py` has the parts that all texts share; one file for
each family of ops joins them.  Whatever is unusual goes to the op's general function, with the same arguments.
"""

__capture__ = "replayed"
