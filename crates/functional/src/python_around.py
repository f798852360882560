"""What programs of Python find around them: objects with fields, and objects that take any use and tell of it."""
import re


# How often one object of the second kind is called before it raises an error.
CALLS = 12


def familiar_said(value):
    return re.sub(" at 0x[0-9a-f]+", "", str(value))


class Familiar:
    def __init__(self, **fields):
        self.__dict__.update(fields)


class FamiliarMock(Familiar):
    def __init__(self, name="it", told=None):
        self.__dict__.update(_name=name, _told=[] if told is None else told, _left=CALLS, _items=None)

    def _child(self, name):
        return FamiliarMock(self._name + name, self._told)

    def __getattr__(self, name):
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        child = self.__dict__[name] = self._child("." + name)
        return child

    def __setattr__(self, name, value):
        self._told.append([self._name + "." + name + " =", familiar_said(value)])
        self.__dict__[name] = value

    def __call__(self, *values, **named):
        # What is asked again and again comes to its end.
        self.__dict__["_left"] -= 1
        if self._left < 0:
            raise EOFError(self._name)
        self._told.append([self._name, list(map(familiar_said, values)), sorted(map(familiar_said, named.items()))])
        return self._child("()")

    def __getitem__(self, place):
        if isinstance(place, int) and not -2 <= place < 2:
            raise IndexError(place)
        return self._child(f"[{place}]")

    def __setitem__(self, place, value):
        self._told.append([f"{self._name}[{place}] =", familiar_said(value)])

    def __iter__(self):
        return iter([self._child("[0]"), self._child("[1]")])

    def __next__(self):
        if self._items is None:
            self.__dict__["_items"] = iter(self)
        return next(self._items)

    def __len__(self):
        return 2

    def __index__(self):
        return 2

    __int__ = __index__

    def __float__(self):
        return 2.0

    def __str__(self):
        return self._name

    def __contains__(self, item):
        return sum(map(ord, f"{self._name} {item}")) % 2 == 0

    def __enter__(self):
        return self

    def __exit__(self, *error):
        return False

    def __lt__(self, other):
        return str(self) < str(other)

    def __gt__(self, other):
        return str(self) > str(other)

    def __familiar__(self):
        # How often and in which order it was asked is left out: most methods of objects only tell something.
        return {"object": self._name, "fields": {"told": sorted(set(map(str, self._told)))}}

    def __eq__(self, other):
        return str(self) == str(other)

    def __hash__(self):
        return hash(self._name)


def familiar_operators():
    def two(sign):
        return lambda self, other: self._child(f" {sign} {other}")

    def turned(sign):
        return lambda self, other: FamiliarMock(f"{other} {sign} {self}", self._told)

    for name, sign in (("add", "+"), ("sub", "-"), ("mul", "*"), ("truediv", "/"), ("floordiv", "//"), ("mod", "%"), ("pow", "**")):
        setattr(FamiliarMock, f"__{name}__", two(sign))
        setattr(FamiliarMock, f"__r{name}__", turned(sign))


familiar_operators()
