//! Programs in which each name says which variable it is: `x@1` and `x@2` are two variables, `x@0` is none.

use familiar_source::Language;

use crate::Program;

fn marked(code: &str) -> (String, Vec<(usize, u32)>) {
    let (mut plain, mut marks) = (String::new(), Vec::new());
    let mut parts = code.split('@');
    plain.push_str(parts.next().unwrap_or_default());
    for part in parts {
        let digits = part.len() - part.trim_start_matches(|it: char| it.is_ascii_digit()).len();
        let end = plain.len();
        marks.push((end, part[..digits].parse().expect("a test's own code")));
        plain.push_str(&part[digits..]);
    }
    (plain, marks)
}

const TABLE: &[(Language, &str)] = &[
    (
        Language::Java,
        "class A { int f(int n@1) { int i@2 = n@1; for (int j@3 = 0; j@3 < i@2; j@3++) { int k@4 = j@3; } for (int j@5 = 1;;) { g(j@5); } } }",
    ),
    (Language::Java, "class A { int x@1; int f() { x@1 = 1; int x@2 = 2; this.x@0 = x@2; return x@2; } }"),
    (
        Language::Java,
        "class A { void f() { try { g(); } catch (Exception e@1) { h(e@1); } e@0.f(); for (String s@2 : list@0) { s@2.trim(); } Runnable r@3 = () -> { int q@4 = 1; }; F f@5 = y@6 -> y@6 + 1; G g@7 = (a@8, b@9) -> a@8 * b@9; } }",
    ),
    (Language::Java, "class A { void f(int length@1) { length@1 = s.length@0(); int a@2 = s.length@0; } }"),
    (
        Language::C,
        "int x@1; int f(int n@2) { int x@3 = n@2; { int x@4 = 1; x@4++; } return x@3; } int g(void) { return x@1; }",
    ),
    (Language::C, "int f(int x@1) { for (int x@2 = 0; x@2 < 3; x@2++) { g(x@2); } return x@1; }"),
    (Language::C, "int f(void) { int a@1[3], *p@2 = a@1; p@2->a@0 = *p@2; return a@1[0]; }"),
    (
        Language::C,
        "int total@1; int f(int (*cb@2)(int total@3), int n@4) { int g(int total@5); total@1 = n@4; return cb@2(total@1); }",
    ),
    (Language::C, "int (*f(int a@1))(int b@2) { int b@3 = a@1; return h(b@3); }"),
    (Language::C, "typedef int (*cb_t)(FILE *out@1, int n); int run(int n@2) { return fput(out@0, n@2); }"),
    (
        Language::Cpp,
        "int total@1; int f(std::function<int(int total@2)> g@3) { auto h@4 = [](int q@5) { return q@5; }; return h@4(total@1); }",
    ),
    (
        Language::Cpp,
        "int f(vector<int>& v@1) { for (auto& x@2 : v@1) x@2 += 1; auto g@3 = [&](int y@4) { return y@4 + v@1[0]; }; return g@3(1); }",
    ),
    (Language::Cpp, "int f(int max@1) { return std::max@0(max@1, 2); }"),
    (
        Language::JavaScript,
        "function f@1(n@2) { if (n@2) { var x@3 = 1; let y@4 = 2; g(y@4); } y@0; return x@3; }",
    ),
    (Language::JavaScript, "function f(a@1) { { a@2 = 1; let a@2 = 3; } return { a@1, b: a@1, [a@1]: 2 }; }"),
    (
        Language::JavaScript,
        "const f@1 = ({ a@2, b: c@3 = 1 }, ...d@4) => { for (const e@5 of d@4) g(e@5, a@2, c@3); return b@0; };",
    ),
    (
        Language::JavaScript,
        "function f() { g@1(); function g@1() { return x@2; } var x@2 = 1; try { } catch (e@3) { e@3; } }",
    ),
    (
        Language::TypeScript,
        "function f(n@1: number, s@2?: string): number { let x@3: number = n@1; return x@3 as number; }",
    ),
    (
        Language::Go,
        "package p\nvar total@1 int\ntype I interface{ Add(total@2 int) int }\nfunc f(n@3 int) int {\n\ttotal@1 = n@3\n\treturn total@1\n}",
    ),
    (
        Language::TypeScript,
        "let total@1 = 0; function f(C@2: new (total@3: number) => A): number { return total@1; } abstract class B { abstract m(total@4: number): void; n() { return total@1; } }",
    ),
    (
        Language::Go,
        "package p\nfunc f(n@1 int) int {\n\tx@2 := n@1\n\tif x@3 := x@2; x@3 > 1 {\n\t\treturn x@3\n\t}\n\tx@2, y@4 := 1, x@2\n\treturn x@2 + y@4\n}",
    ),
    (
        Language::Go,
        "package p\nfunc f(s@1 []int) {\n\tfor i@2, v@3 := range s@1 {\n\t\tv@4 := v@3\n\t\tg(i@2, v@4)\n\t}\n\tfmt@0.Println(s@1)\n}",
    ),
    (
        Language::Go,
        "package p\nvar x@1 = 1\nfunc f() {\n\tx@1 = 2\n\tvar x@2 = x@1\n\tswitch x@2 {\n\tcase 1:\n\t\tx@3 := 4\n\t\tg(x@3)\n\t}\n\tx@2 = 3\n}",
    ),
];

#[test]
fn names_are_one_variable_where_the_language_says_so() {
    for (language, code) in TABLE {
        let (plain, marks) = marked(code);
        let program = Program::parse(*language, plain.as_bytes(), usize::MAX).expect("a test's own code");
        let number = |end: usize| {
            let node = program.root().descendants().rfind(|it| it.end() == end && it.is_named());
            program.names().number(node.expect("a test's own code"))
        };
        for (index, &(end, mark)) in marks.iter().enumerate() {
            let seen = number(end);
            assert_eq!(seen.is_none(), mark == 0, "{code}: {}", &plain[..end]);
            for &(other, other_mark) in &marks[index + 1..] {
                let same = seen.is_some() && seen == number(other);
                assert_eq!(
                    same,
                    mark == other_mark && mark != 0,
                    "{code}: {} and {}",
                    &plain[..end],
                    &plain[..other]
                );
            }
        }
    }
}

/// What is known of the variable `x`: `captured`, `addressed`, `unclear`, and how often it gets a value.
const KNOWN: &[(Language, &str, &str, usize)] = &[
    (Language::Java, "class A { void f() { int x = 1; x++; x += 2; x = 3; g(x); } }", "", 4),
    (Language::Java, "class A { void f(int x) { Runnable r = () -> g(x); } }", "captured", 1),
    (
        Language::Java,
        "class A { void f(int x) { new B() { int h() { return x; } }; } }",
        "captured unclear",
        1,
    ),
    (Language::Java, "class A { void f(int x) { switch (y) { case x: g(); } } }", "unclear", 1),
    (Language::C, "#define TWICE x * 2\nint f(int x) { return TWICE; }", "unclear", 1),
    (Language::C, "int f(int x) { scanf(\"%d\", &x); return x; }", "addressed", 1),
    (Language::C, "int f(int x) { int *p = &(x); return x; }", "addressed", 1),
    (Language::C, "int f(struct S x) { x.a = 2; x.b[1]++; x.p->c = 1; return x.a; }", "addressed", 3),
    (Language::C, "int f(int x) { assert(x > 1); return x; }", "unclear", 1),
    (Language::Cpp, "int f(int x) { vector<int> v(x); return x; }", "unclear", 1),
    (Language::Cpp, "int f(int x) { int& r = x; r = 2; return x; }", "addressed", 2),
    (Language::Cpp, "int f(int x) { swap(x, y); cin >> x; return x; }", "", 3),
    (Language::Cpp, "int f(int x) { auto r = std::ref(x); return x; }", "addressed", 2),
    (Language::Cpp, "int f(int x) { int *p = std::addressof(x); return x; }", "addressed", 2),
    (Language::Cpp, "struct H { int &r; }; int f(int x) { h.keep(x); return x; }", "addressed", 2),
    (Language::Cpp, "using ll = long long; int f(int x) { ll y = g(x); return x; }", "", 2),
    (Language::Cpp, "int f(int x) { auto y = std::max(x, 1); int z = g(x); return x; }", "", 3),
    (Language::Cpp, "int f(int x) { auto g = [&] { x = 1; }; return x; }", "captured", 2),
    (
        Language::JavaScript,
        "function f(x) { [x, y] = [1, 2]; ({ a: x } = z); return () => x; }",
        "captured",
        3,
    ),
    (Language::JavaScript, "function f() { for (let x of y) { g(x); } }", "", 1),
    (Language::Go, "package p\nfunc f(x int) { p := &x; *p = 1 }", "addressed", 1),
    (Language::Go, "package p\nfunc f(x T) { p := &x.a[1]; *p = 1 }", "addressed", 1),
    (Language::Go, "package p\nfunc f(x T) { p := x.Call; p() }", "addressed", 1),
    (
        Language::Go,
        "package p\ntype T struct{ a int }\nfunc f(x T, y []int) int { x.a = 1; x.a++; y[x.a] = 1; return x.a }",
        "",
        3,
    ),
    (Language::Go, "package p\nfunc f(x int) { go func() { x++ }() }", "captured", 2),
    (Language::Go, "package p\nfunc f(x int) { y := T{x: 1}; x, z := 1, y }", "unclear", 2),
];

#[test]
fn what_reaches_a_variable_is_known() {
    for (language, code, expected, writes) in KNOWN {
        let program = Program::parse(*language, code.as_bytes(), usize::MAX).expect("a test's own code");
        let variable =
            program.names().variables().iter().find(|it| it.name == "x").expect("a test's own code");
        let flags = [
            ("captured", variable.is_captured),
            ("addressed", variable.is_addressed),
            ("unclear", variable.is_unclear),
        ];
        let seen: Vec<_> = flags.iter().filter(|it| it.1).map(|it| it.0).collect();
        assert_eq!(seen.join(" "), *expected, "{code}");
        assert_eq!(variable.writes.len(), *writes, "{code}");
    }
}
