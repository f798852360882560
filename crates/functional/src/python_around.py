"""What programs of Python find around them: objects with fields, and objects that take any use and tell of it."""


class Familiar:
    def __init__(self, **fields):
        self.__dict__.update(fields)


class FamiliarMock(Familiar):
    def __init__(self, name="it", told=None):
        self.__dict__.update(_name=name, _told=[] if told is None else told)

    def _child(self, name):
        return FamiliarMock(self._name + name, self._told)

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        child = self.__dict__[name] = self._child("." + name)
        return child

    def __setattr__(self, name, value):
        self._told.append([self._name + "." + name + " =", str(value)])
        self.__dict__[name] = value

    def __call__(self, *values, **named):
        self._told.append([self._name, list(map(str, values)), sorted(map(str, named.items()))])
        return self._child("()")

    def __getitem__(self, place):
        if isinstance(place, int) and not -2 <= place < 2:
            raise IndexError(place)
        return self._child(f"[{place}]")

    def __setitem__(self, place, value):
        self._told.append([f"{self._name}[{place}] =", str(value)])

    def __iter__(self):
        return iter([self._child("[0]"), self._child("[1]")])

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
        return False

    def __enter__(self):
        return self

    def __exit__(self, *error):
        return False

    def __lt__(self, other):
        return str(self) < str(other)

    def __gt__(self, other):
        return str(self) > str(other)

    def __add__(self, other):
        return self._child(f" + {other}")

    def __sub__(self, other):
        return self._child(f" - {other}")

    def __mul__(self, other):
        return self._child(f" * {other}")
