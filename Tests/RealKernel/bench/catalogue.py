"""Which cases there are."""

import importlib
import pkgutil

import cases


def chosen(words=(), is_first=None):
    """Title to function of the cases whose file's name or title contains all of `words`.

    "a,b" is one of these, "-a,b" none of them. `is_first`: of those marked `first` alone, or of the others alone.
    """
    found = []
    for module in pkgutil.iter_modules(cases.__path__):
        for name, case in vars(importlib.import_module(f"cases.{module.name}")).items():
            title = name.removeprefix("case_").replace("_", " ")
            if not name.startswith("case_") or is_first not in (None, hasattr(case, "is_first")):
                continue
            text = f"{module.name}.py {title}"
            if all(any(part in text for part in word.removeprefix("-").split(",")) != word.startswith("-") for word in words):
                found.append((title, case))
    found.sort(key=lambda pair: (pair[1].__module__, pair[1].__code__.co_firstlineno))
    return dict(found)


def folder(out, title):
    """Where what a case leaves is kept."""
    return f"{out}/{title.replace(' ', '-')}"
