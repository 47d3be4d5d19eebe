"""What a rehearsal checked, and on what: the emulator, or the expanded template where the emulator passes over."""

import json


class Report:
    """Collects checks. A check that fails is printed at once; the others are counted under their heading."""

    def __init__(self):
        self.failed = 0
        self.checks = 0
        self._lines = []
        self._current = None

    def heading(self, text):
        """Begins a part of the rehearsal."""
        print(f"\n{text}", flush=True)

    def line(self, text):
        print(f"  {text}", flush=True)

    def true(self, what, ok, otherwise=""):
        """Checks that ok holds; otherwise says what was found instead."""
        self.checks += 1
        if not ok:
            self.failed += 1
            print(f"  FAIL: {what}{': ' if otherwise else ''}{otherwise}", flush=True)
        return bool(ok)

    def equal(self, what, got, want):
        """Checks that got is want."""
        return self.true(what, got == want, f"got {short(got)}, want {short(want)}")


def short(value):
    """A value as JSON, at most 600 characters of it."""
    text = json.dumps(value, default=str, sort_keys=True)
    return text if len(text) <= 600 else text[:600] + "…"
