//! Pairs of every language, with the verdict and the cause that they have to have. A language without a toolchain is told and left out.
#![cfg(target_os = "linux")]

use familiar_functional::{Cause, Language, Options, Pair, Report, Side, Tester, Verdict, Where};
use std::io::Write;
use std::sync::OnceLock;

/// Sides that do the same: how often the most frequent item of a list occurs.
const MOST: [(Language, &str); 7] = [
    (
        Language::Python,
        "def most(items):\n    best = 0\n    for one in items:\n        same = 0\n        for other in items:\n            if one == other:\n                same += 1\n        if same > best:\n            best = same\n    return best",
    ),
    (
        Language::Java,
        "public int most(List<Integer> items) {\n    Map<Integer, Integer> seen = new HashMap<>();\n    int best = 0;\n    for (int one : items) { best = Math.max(best, seen.merge(one, 1, Integer::sum)); }\n    return best;\n}",
    ),
    (
        Language::CSharp,
        "[Obsolete]\npublic static int Most(IEnumerable<int> items) {\n    var seen = new Dictionary<int, int>();\n    int best = 0;\n    foreach (var one in items) {\n        int before;\n        seen.TryGetValue(one, out before);\n        seen[one] = before + 1;\n        best = Math.Max(best, seen[one]);\n    }\n    return best;\n}",
    ),
    (
        Language::JavaScript,
        "const most = (items) => {\n    let best = 0;\n    for (const one of items) {\n        best = Math.max(best, items.filter((other) => other === one).length);\n    }\n    return best;\n};",
    ),
    (
        Language::C,
        "int most(const int *items, int n) {\n    int best = 0;\n    for (int i = 0; i < n; i++) {\n        int same = 0;\n        for (int j = 0; j < n; j++) if (items[j] == items[i]) { same++; }\n        if (same > best) { best = same; }\n    }\n    return best;\n}",
    ),
    (
        Language::Cpp,
        "int most(const vector<int> &items) {\n    map<int, int> seen;\n    int best = 0;\n    for (int one : items) { best = max(best, ++seen[one]); }\n    return best;\n}",
    ),
    (
        Language::Go,
        "func most(items []int) int {\n    seen, best := map[int]int{}, 0\n    for _, one := range items {\n        seen[one]++\n        if seen[one] > best {\n            best = seen[one]\n        }\n    }\n    return best\n}",
    ),
];

fn tester() -> &'static Tester {
    static TESTER: OnceLock<Tester> = OnceLock::new();
    TESTER.get_or_init(|| {
        let options = Options { inputs: 24, mutants: 6, ..Options::default() };
        Tester::new(options).expect("this system confines programs")
    })
}

fn side(language: Language, code: &str) -> Side {
    Side { language, code: code.to_owned() }
}

/// The report on two sides; nothing where a toolchain is absent.
fn report(first: Side, second: Side, samples: &str) -> Option<Report> {
    let report =
        tester().test(&Pair { first, second, samples: samples.to_owned() }).expect("the sandbox works");
    if report.cause == Some(Cause::NoToolchain) {
        let _ = writeln!(std::io::stderr(), "skipped: {:?}", report.detail);
        return None;
    }
    Some(report)
}

fn python(first: &str, second: &str) -> Report {
    report(side(Language::Python, first), side(Language::Python, second), "").expect("Python is there")
}

#[test]
fn every_language_agrees_with_python() {
    let (python, code) = MOST[0];
    for (language, other) in MOST {
        let Some(report) = report(side(python, code), side(language, other), "") else { continue };
        assert_eq!(report.verdict, Verdict::Agrees, "{language:?}: {report:?}");
        assert!(report.normal >= 5 && report.results >= 2, "{language:?}: {report:?}");
        assert!(report.detected * 100 >= report.mutants * 80, "{language:?}: {report:?}");
        assert!(report.coverage[0].is_some_and(|part| part > 0.9), "{language:?}: {report:?}");
        let known = !matches!(language, Language::Go);
        assert_eq!(report.coverage[1].is_some(), known, "{language:?}: {report:?}");
    }
}

#[test]
fn a_variable_that_holds_the_function_is_called() {
    let total = "def total(values):\n    found = 0\n    for value in values:\n        found += value\n    return found";
    let others = [
        (
            Language::Python,
            "from functools import partial, reduce\n\ndef added(one, other):\n    return one + other\n\ntotal = lambda values: reduce(added, values, 0)\n",
        ),
        (
            Language::JavaScript,
            "function folded(step) {\n  return function (values) { return values.reduce(step, 0); };\n}\nconst total = folded((one, other) => one + other);\n",
        ),
    ];
    for (language, other) in others {
        let Some(report) = report(side(Language::Python, total), side(language, other), "") else { continue };
        assert_eq!(report.verdict, Verdict::Agrees, "{report:?}");
    }
}

#[test]
fn a_difference_is_told_with_its_smallest_input() {
    let cases = [
        (
            "def f(s):\n    return s.upper()",
            "def f(s):\n    return s.upper() if len(s) < 4 else s",
            Where::Value,
        ),
        (
            "def f(l):\n    l.sort()\n    return len(l)",
            "def f(l):\n    return len(sorted(l))",
            Where::Arguments,
        ),
        ("def f(n):\n    print(n + 1)", "def f(n):\n    print(n - 1)", Where::Output),
        ("def f(l):\n    return l[0] + 1", "def f(l):\n    return l[0] + 1 if l else 0", Where::Raised),
    ];
    for (first, second, place) in cases {
        let report = python(first, second);
        assert_eq!(report.verdict, Verdict::Differs, "{report:?}");
        assert_eq!(report.difference.map(|difference| difference.place), Some(place), "{first}");
    }
    let report = python(cases[0].0, cases[0].1);
    let input = report.difference.expect("they differ").input;
    let text = input[0].as_str().expect("it is a text");
    assert_eq!(text.len(), 4, "{text}");
}

#[test]
fn names_say_what_a_parameter_takes() {
    // These differ for a list of letters of which one is empty, and for a map.
    let report = python(
        "def count_vowels(text):\n    count = 0\n    for letter in text:\n        if letter in 'aeiou':\n            count += 1\n    return count",
        "def count_vowels(text):\n    found, rest = 0, list(text)\n    while rest:\n        found += rest.pop() in list('aeiou')\n    return found",
    );
    assert_eq!(report.verdict, Verdict::Agrees, "{report:?}");
    // An iterator is as long as a list of the same items.
    let report = python(
        "def f(n):\n    for i in range(n * 300):\n        yield i",
        "def f(n):\n    return list(range(n * 300))",
    );
    assert!([Verdict::Agrees, Verdict::WeaklyTested].contains(&report.verdict), "{:?}", report.inputs);
    // A name is not all: nothing here takes a text.
    let report = python(
        "def f(text):\n    return text.keys()",
        "def f(text):\n    return [key for key, value in text.items()]",
    );
    assert!(report.inputs > 4 && report.verdict != Verdict::CannotRun, "{report:?}");
}

#[test]
#[ignore = "long"]
fn what_cannot_run_says_why() {
    let fine = "def f(a):\n    return a";
    let cases = [
        (fine, "def f(a)\n    return a", Cause::NoFunction),
        (fine, "def f(a):\n    return a !", Cause::DoesNotParse),
        (fine, "def f(a):\n    print a\n    return a", Cause::Python2),
        (fine, "def f(a):\n    return unicode(a)", Cause::Python2),
        (fine, "def f(a):\n    return helper_of_mine(a)", Cause::MissingName),
        (fine, "import module_of_mine\ndef f(a):\n    return a", Cause::MissingModule),
        (fine, "def f(a, b, c):\n    return a", Cause::SignaturesDiffer),
        (fine, "x = 1", Cause::NoFunction),
        ("x = input()", "x = input() !", Cause::DoesNotParse),
        ("def f(a):\n    while True: pass", "def f(a):\n    while a == a: pass", Cause::TimesOut),
        (fine, "def f(a):\n    return time.perf_counter_ns()", Cause::NotDeterministic),
        ("def f(a):\n    raise KeyError", "def f(a):\n    raise KeyError", Cause::NoNormalInput),
    ];
    for (first, second, cause) in cases {
        let report = python(first, second);
        assert_eq!(report.verdict, Verdict::CannotRun, "{second}: {report:?}");
        // A text that does not parse may hide its function.
        let cause =
            if cause == Cause::NoFunction && second.starts_with("def") { Cause::DoesNotParse } else { cause };
        assert_eq!(report.cause, Some(cause), "{second}: {report:?}");
    }
}

#[test]
fn a_language_that_is_not_run_is_told() {
    let code = "int F(int a) { return a; }";
    let pair = Pair {
        first: side(Language::Kotlin, code),
        second: side(Language::Kotlin, code),
        samples: String::new(),
    };
    let report = tester().test(&pair).expect("the sandbox works");
    assert_eq!(
        (report.verdict, report.cause, report.side),
        (Verdict::CannotRun, Some(Cause::NoToolchain), Some(0))
    );
}

#[test]
fn little_is_said_by_few_results() {
    let cases = [
        ("def f(s):\n    s.strip()\n    return 7", "def f(text):\n    return 7"),
        ("def f(s):\n    len(s) + 1", "def f(text):\n    len(text)"),
    ];
    for (first, second) in cases {
        let report = python(first, second);
        assert_eq!((report.verdict, report.results), (Verdict::WeaklyTested, 1), "{report:?}");
    }
}

#[test]
fn objects_and_programs_are_tested_too() {
    let area = "def area(self):\n    return self.width * self.height + 1";
    let report = python(
        area,
        "def area(self):\n    total = 1\n    total += self.height * self.width\n    return total",
    );
    assert!(matches!(report.verdict, Verdict::Agrees | Verdict::WeaklyTested), "{report:?}");
    assert!(report.normal > 5, "{report:?}");
    let report = python("n = int(input())\nprint(n * 2)", "print(2 * int(input()))");
    assert!(matches!(report.verdict, Verdict::Agrees | Verdict::WeaklyTested), "{report:?}");
}

#[test]
fn the_samples_of_a_seed_are_inputs() {
    let first = "def f(code):\n    if code == 'x' + 'yz' * 3: return 1\n    return 0";
    let second = "def f(code):\n    return 0";
    let samples = "assert f('xyzyzyz') == 1";
    let report = report(side(Language::Python, first), side(Language::Python, second), samples)
        .expect("Python is there");
    assert_eq!(report.verdict, Verdict::Differs);
    let input = report.difference.expect("they differ").input;
    assert_eq!(input, serde_json::json!(["xyzyzyz"]));
}

#[test]
fn the_same_seed_gives_the_same_report() {
    let (one, other) = (MOST[0].1, "def most(items):\n    return max(items.count(x) for x in items)");
    assert_eq!(python(one, other), python(one, other));
}

#[test]
#[ignore = "long"]
fn java_finds_what_does_not_compile() {
    let cases = [
        ("int f(int a) { return g(a); }", Cause::MissingName),
        ("int f(int a) { return \"a\"; }", Cause::DoesNotCompile),
        ("int f(Thread a) { return 1; }", Cause::UnknownType),
    ];
    for (code, cause) in cases {
        let Some(report) = report(side(Language::Java, code), side(Language::Java, code), "") else { return };
        assert_eq!(report.cause, Some(cause), "{code}: {report:?}");
    }
}

#[test]
fn what_lacks_a_name_says_so_before_it_is_called() {
    let cases = [
        ("def f(a):\n    while True: a = nobody_gives(a)", Some(Cause::MissingName)),
        ("def f(a):\n    return subprocess.STARTUPINFO(a)", Some(Cause::MissingName)),
        ("def f(a):\n    import module_of_mine as m\n    return m.g(a)", Some(Cause::MissingModule)),
        ("def f(a):\n    import os.path as p\n    return p.join(a)", None),
        ("def f(a):\n    return a.has_key(1)", Some(Cause::Python2)),
        ("def f(a):\n    return xrange(a)", Some(Cause::Python2)),
        ("def f(a):\n    global g\n    g = a\n    return [x for x in g] + list(map(len, h))\nh = []", None),
        ("from math import *\ndef f(a):\n    return sqrt(a)", None),
    ];
    for (code, cause) in cases {
        let lacks = tester().lacks(&side(Language::Python, code)).expect("the sandbox works");
        assert_eq!(lacks.map(|(cause, _)| cause), cause, "{code}");
    }
    let report = python("def f(a):\n    return gone(a)", "def f(a, b, c):\n    return 1");
    assert_eq!((report.cause, report.side), (Some(Cause::MissingName), Some(0)), "{report:?}");
}

#[test]
fn objects_that_take_any_use_stand_in_for_the_world() {
    let cases = [
        (
            "def touch(self, stack, frame):\n    name = self.get_arg()\n    if name in frame.names:\n        stack.append(frame.names[name])",
            "def touch(self, stack, frame):\n    arg = self.get_arg()\n    if arg not in frame.names: return\n    stack.append(frame.names[arg])",
        ),
        (
            "def tell(host):\n    return subprocess.run(['ping', str(host)]).returncode",
            "def tell(host):\n    done = subprocess.run(['ping', str(host)])\n    return done.returncode",
        ),
        ("def total(*numbers):\n    return sum(numbers)", "def total(a, b):\n    return a + b"),
    ];
    for (first, second) in cases {
        let report = python(first, second);
        assert!(matches!(report.verdict, Verdict::Agrees | Verdict::WeaklyTested), "{first}: {report:?}");
        assert!(report.normal > 0, "{first}: {report:?}");
    }
}

#[test]
fn arrays_are_compared_to_their_ends() {
    let fills = |at: u32| {
        let code = format!(
            "function f(n) {{ const all = new Array(1500).fill(0); all[{at}] = n + 1; return all; }}"
        );
        side(Language::JavaScript, &code)
    };
    let Some(report) = report(fills(1400), fills(1401), "") else { return };
    assert_eq!(report.verdict, Verdict::Differs, "{report:?}");
}

/// Pairs that differ only where numbers become large, are no sums of halves, or letters have several bytes.
fn differ_at_edges(cases: &[(Language, &str, &str)]) {
    for (language, first, second) in cases {
        let Some(report) = report(side(*language, first), side(*language, second), "") else { continue };
        assert_eq!(report.verdict, Verdict::Differs, "{first}\n{second}: {report:?}");
    }
}

#[test]
fn python_differs_at_edges() {
    differ_at_edges(&[
        (Language::Python, "def f(x):\n    return x * 2 + 1", "def f(x):\n    return round(x * 2 + 1, 3)"),
        (
            Language::Python,
            "def f(s):\n    n = 0\n    for c in s: n += 1\n    return n",
            "def f(s):\n    n = 0\n    for c in s.encode(): n += 1\n    return n",
        ),
        (
            Language::Python,
            "def f(n):\n    n = abs(n)\n    s = 0\n    while n > 0:\n        s += n % 10\n        n //= 10\n    return s",
            "def f(n):\n    n = abs(n)\n    return n % 10 + n // 10 % 10",
        ),
        (
            Language::Python,
            "def is_prime(n):\n    if n < 2: return False\n    i = 2\n    while i * i <= n:\n        if n % i == 0: return False\n        i += 1\n    return True",
            "def is_prime(n):\n    if n < 2: return False\n    for p in (2, 3, 5, 7):\n        if n != p and n % p == 0: return False\n    return True",
        ),
    ]);
}

#[test]
#[ignore = "long"]
fn every_language_differs_at_edges() {
    differ_at_edges(&[
        (
            Language::Java,
            "boolean f(String a, String b) { return a.equals(b); }",
            "boolean f(String a, String b) { return a == b; }",
        ),
        (
            Language::CSharp,
            "static long F(int a, int b) { return (long) a * b + 1; }",
            "static long F(int a, int b) => a * b + 1;",
        ),
        (
            Language::CSharp,
            "class A { public double F(double x) { return x * 2 + 1; } }",
            "namespace B { class C { double F(double x) { return (float) x * 2 + 1; } } }",
        ),
        (
            Language::CSharp,
            "public static string F(this string s) { return new string(s.Reverse().ToArray()); }",
            "public static string F(this string s) { return s.Length > 6 ? s : string.Concat(s.Reverse()); }",
        ),
        (
            Language::Java,
            "boolean f(Integer a, Integer b) { return a.equals(b); }",
            "boolean f(Integer a, Integer b) { return a == b; }",
        ),
        (
            Language::Java,
            "long f(int a, int b) { return (long) a * b + 1; }",
            "long f(int a, int b) { return a * b + 1; }",
        ),
        (
            Language::Java,
            "int f(int n) { return n * n % 7; }",
            "int f(int n) { return (int) ((long) n * n % 7); }",
        ),
        (
            Language::Go,
            "package main\nfunc f(a int, b int) int { return a * b }",
            "package main\nfunc f(a int, b int) int { return int(int16(a) * int16(b)) }",
        ),
        (
            Language::Cpp,
            "long long f(vector<int> v) { long long s = 0; for (int x : v) s += x; return s; }",
            "long long f(vector<int> v) { short s = 0; for (int x : v) s += x; return s; }",
        ),
        (
            Language::C,
            "double f(double x) { return x * 2 + 1; }",
            "double f(double x) { return (float) x * 2 + 1; }",
        ),
        (
            Language::JavaScript,
            "function f(x) { return x * 2 + 1; }",
            "function f(x) { return Math.fround(x) * 2 + 1; }",
        ),
        (
            Language::Go,
            "package main\nfunc f(s string) string { r := []rune(s); for i, j := 0, len(r)-1; i < j; i, j = i+1, j-1 { r[i], r[j] = r[j], r[i] }; return string(r) }",
            "package main\nfunc f(s string) string { r := []byte(s); for i, j := 0, len(r)-1; i < j; i, j = i+1, j-1 { r[i], r[j] = r[j], r[i] }; return string(r) }",
        ),
    ]);
}

/// Integers of different sizes, letters of different sizes, and what C does not say.
#[test]
#[ignore = "long"]
fn a_language_is_no_difference() {
    let cases = [
        (
            (Language::Python, "def f(a, b):\n    return a * b + 1"),
            (Language::C, "int f(int a, int b) { return a * b + 1; }"),
        ),
        (
            (Language::CSharp, "int F(int n) { return n * n * n; }"),
            (Language::Java, "int f(int n) { return n * n * n; }"),
        ),
        (
            (Language::C, "long long f(int a, int b) { return (long long) a * b + 1; }"),
            (Language::C, "long long f(int a, int b) { return a * b + 1; }"),
        ),
        (
            (Language::Python, "def f(s):\n    return s[::-1]"),
            (Language::JavaScript, "function f(s) { return s.split(\"\").reverse().join(\"\"); }"),
        ),
    ];
    for ((one, first), (other, second)) in cases {
        let Some(report) = report(side(one, first), side(other, second), "") else { continue };
        assert_eq!(report.verdict, Verdict::Agrees, "{first}\n{second}: {report:?}");
    }
}
