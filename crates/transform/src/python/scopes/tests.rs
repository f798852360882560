//! Variables of programs, with the answers by hand.

use familiar_source::Language;

use super::{ScopeKind, Variable};
use crate::Program;

fn program(code: &str) -> Program {
    Program::parse(Language::Python, code.as_bytes(), usize::MAX).expect("a test's own code")
}

/// `KIND NAME LINE… FLAG…`: the scope that binds it, the lines at which its name stands, and what is known of it.
fn described(program: &Program, variable: &Variable) -> String {
    let kind = match variable.kind {
        ScopeKind::Module => "module",
        ScopeKind::Class => "class",
        ScopeKind::Function => "function",
        ScopeKind::Lambda => "lambda",
        ScopeKind::Comprehension => "comprehension",
    };
    let mut words = vec![kind.to_owned(), variable.name.clone()];
    let mut places = variable.places.clone();
    places.sort_unstable();
    words.extend(places.iter().map(|&place| program.line(program.node(place).start()).to_string()));
    let flags = [
        (variable.is_parameter, "parameter"),
        (variable.is_fixed, "fixed"),
        (variable.is_captured, "captured"),
        (variable.is_shared, "shared"),
        (variable.is_deleted, "deleted"),
    ];
    words.extend(flags.iter().filter(|it| it.0).map(|it| it.1.to_owned()));
    words.join(" ")
}

/// A program, and its variables in the order of their descriptions.
type Case = (&'static str, &'static [&'static str]);

fn check(cases: &[Case]) {
    for (code, expected) in cases {
        let program = program(code);
        let mut found: Vec<_> =
            program.scopes().variables().iter().map(|it| described(&program, it)).collect();
        found.sort_unstable();
        let mut expected = expected.to_vec();
        expected.sort_unstable();
        assert_eq!(found, expected, "{code}");
    }
}

#[test]
fn locals_and_what_hides_them() {
    check(&[
        (
            "def f(a):\n    b = a\n    return b\n",
            &["module f 1 fixed", "function a 1 2 parameter", "function b 2 3"],
        ),
        (
            "x = 1\ndef f():\n    x = 2\n    return x\nprint(x)\n",
            &["module x 1 5", "module f 2 fixed", "function x 3 4", "module print 5"],
        ),
        (
            "def f(x):\n    def g(x=x):\n        return x\n    return g\n",
            &[
                "module f 1 fixed",
                "function x 1 2 parameter",
                "function g 2 4 fixed",
                "function x 2 3 parameter",
            ],
        ),
        (
            "def f(*a, b=c, **d):\n    return a, b, d\n",
            &[
                "module f 1 fixed",
                "function a 1 2 parameter",
                "function b 1 2 parameter",
                "module c 1",
                "function d 1 2 parameter",
            ],
        ),
        ("def f():\n    a = 1\n    del a\n", &["module f 1 fixed", "function a 2 3 deleted"]),
        (
            "def f(rows, i):\n    rows[i] += 1\n    (j, [k]), *l = rows\n    return j + k\n",
            &[
                "module f 1 fixed",
                "function rows 1 2 3 parameter",
                "function i 1 2 parameter",
                "function j 3 4",
                "function k 3 4",
                "function l 3",
            ],
        ),
        (
            "def f(p):\n    with p as (a, b):\n        pass\n    try:\n        a()\n    except E as e:\n        print(e)\n",
            &[
                "module f 1 fixed",
                "function p 1 2 parameter",
                "function a 2 5",
                "function b 2",
                "module E 6 captured",
                "function e 6 7 deleted",
                "module print 7 captured",
            ],
        ),
    ]);
}

#[test]
fn captures_globals_and_nonlocals() {
    check(&[
        (
            "def f(n):\n    k = n\n    def g():\n        return k\n    return g\n",
            &[
                "module f 1 fixed",
                "function n 1 2 parameter",
                "function k 2 4 captured",
                "function g 3 5 fixed",
            ],
        ),
        (
            "def f():\n    k = 0\n    def g():\n        nonlocal k\n        k += 1\n    g()\n    return k\n",
            &["module f 1 fixed", "function k 2 4 5 7 captured shared", "function g 3 6 fixed"],
        ),
        (
            "def f():
    k = 0
    def g():
        global k
        def h():
            return k
",
            &[
                "module f 1 fixed",
                "function k 2",
                "function g 3 fixed",
                "module k 4 6 captured shared",
                "function h 5 fixed",
            ],
        ),
        (
            "def f():\n    k = 0\n    def g():\n        def h():\n            nonlocal k\n            k = 1\n        return h\n    return g\n",
            &[
                "module f 1 fixed",
                "function k 2 5 6 captured shared",
                "function g 3 8 fixed",
                "function h 4 7 fixed",
            ],
        ),
        (
            "total = 0\ndef add(x):\n    global total\n    total += x\n",
            &["module total 1 3 4 captured shared", "module add 2 fixed", "function x 2 4 parameter"],
        ),
        (
            "def f(a):\n    return lambda b=a: b + a\n",
            &["module f 1 fixed", "function a 1 2 2 parameter captured", "lambda b 2 2 parameter"],
        ),
        (
            "def f(k, items):\n    return (k + i for i in items)\n",
            &[
                "module f 1 fixed",
                "function k 1 2 parameter captured",
                "function items 1 2 parameter",
                "comprehension i 2 2",
            ],
        ),
    ]);
}

#[test]
fn classes_and_comprehensions() {
    check(&[
        (
            "size = 1\nclass A:\n    size = 2\n    def m(self):\n        return size\n",
            &[
                "module size 1 5 captured",
                "module A 2 fixed",
                "class size 3",
                "class m 4 fixed",
                "function self 4 parameter",
            ],
        ),
        (
            "def f(n):\n    class A:\n        m = n\n    return A\n",
            &["module f 1 fixed", "function n 1 3 parameter captured", "function A 2 4 fixed", "class m 3"],
        ),
        (
            "@wrap(k)\nclass A(B):\n    pass\n",
            &["module wrap 1", "module k 1", "module A 2 fixed", "module B 2"],
        ),
        (
            "def f(x):\n    return [x for x in x if x]\n",
            &["module f 1 fixed", "function x 1 2 parameter", "comprehension x 2 2 2"],
        ),
        (
            "def f(rows):\n    return {a: b for a in rows for b in a}\n",
            &[
                "module f 1 fixed",
                "function rows 1 2 parameter",
                "comprehension a 2 2 2",
                "comprehension b 2 2",
            ],
        ),
        (
            "def f(items):\n    found = [y := x for x in items]\n    return y\n",
            &[
                "module f 1 fixed",
                "function items 1 2 parameter",
                "function found 2",
                "function y 2 3",
                "comprehension x 2 2",
            ],
        ),
    ]);
}

#[test]
fn names_with_a_meaning_outside() {
    check(&[
        (
            "def f(size):\n    return g(size=size).size\n",
            &["module f 1 fixed", "function size 1 2 parameter", "module g 2 captured"],
        ),
        (
            "def f():\n    x = 1\n    class A:\n        x = 2\n        def m(self):\n            nonlocal x\n            x += 10\n",
            &[
                "module f 1 fixed",
                "function x 2 6 7 captured shared",
                "function A 3 fixed",
                "class x 4",
                "class m 5 fixed",
                "function self 5 parameter",
            ],
        ),
        (
            "def f(a: list[int]):\n    return a\n",
            &["module f 1 fixed", "function a 1 2 parameter", "module list 1", "module int 1"],
        ),
        (
            "import os.path, math as m\nfrom a import b, c as d\nos.x(m, b, d)\n",
            &["module os 1 3 fixed", "module m 1 3 fixed", "module b 2 3 fixed", "module d 2 3 fixed"],
        ),
        (
            "def f(a, b):\n    return f\"{a=} {b}\"\n",
            &["module f 1 fixed", "function a 1 2 parameter fixed", "function b 1 2 parameter"],
        ),
        (
            "def f(a):\n    match a:\n        case [b, *c]:\n            return b\n",
            &["module f 1 fixed", "function a 1 2 parameter", "function b 3 4 fixed", "function c 3 fixed"],
        ),
        (
            "def f(a: T) -> U:\n    b: V = a\n",
            &[
                "module f 1 fixed",
                "function a 1 2 parameter",
                "module T 1",
                "module U 1",
                "function b 2",
                "module V 2 captured",
            ],
        ),
    ]);
}

#[test]
fn programs_that_see_names_as_text() {
    for code in [
        "print(locals())",
        "x.exec('y')",
        "compile('y', 'z', 'exec')",
        "import builtins as b\nb.compile('y', 'z', 'exec')",
        "__builtins__.compile('y', 'z', 'exec')",
        "from re import compile",
        "m = __import__\nm.compile('y', 'z', 'eval')",
        "import builtins as re\nre.compile('y', 'z', 'eval')",
        "import inspect",
        "from x import eval",
        "def f():\n    return vars()",
        "f = globals",
        "sys.modules[__name__]",
        "def f():\n    return s.modules\nimport sys as s",
        "from sys import modules",
        "import os\nos.sys.modules",
        "from os import sys as s\ns.modules",
        "s = sys\n(s).modules",
        "timeit.timeit('f()')",
        "import timeit as t\nt.Timer('f()')",
        "from timeit import repeat as r",
        "typing.get_type_hints(f)",
        "import typing as t\nt.get_type_hints(f)",
        "from x import get_type_hints",
    ] {
        assert!(program(&format!("{code}\n")).scopes().is_reflective(), "{code}");
    }
    for code in [
        "print('exec')",
        "execute(x)",
        "x.evaluate()",
        "import re\nre.compile('x')",
        "import os  # inspect",
        "f(dir_=3)",
        "class A:\n    def modules(self):\n        return []\n    def m(self):\n        return self.modules()\nA().modules()",
        "import sys\nfor m in model.modules():\n    print(m, file=sys.stderr)",
        "import sys as s\nt.modules()",
        "import timeit\nx.timeit(timeit.default_timer())",
        "import typing as t\nschema.get_type_hints()",
    ] {
        assert!(!program(&format!("{code}\n")).scopes().is_reflective(), "{code}");
    }
}

#[test]
fn builtins_that_have_another_meaning() {
    let means_len = |code: &str| program(&format!("{code}\n")).scopes().has_builtin("len");
    for code in ["x = len(y)", "x.len = 3", "f(len=3)", "def f(y):\n    return len(y)"] {
        assert!(means_len(code), "{code}");
    }
    for code in [
        "len = f",
        "def f(len): pass",
        "from x import *",
        "import len",
        "[len for len in x]",
        "class len: pass",
        "eval(x)",
    ] {
        assert!(!means_len(code), "{code}");
    }
}
