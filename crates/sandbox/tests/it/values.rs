//! Calls whose results are values that all languages share.

use crate::small;
use familiar_sandbox::exchange::{Exchanged, TOO_LONG};
use familiar_sandbox::{Call, Called, Language, Policy, Program, Sandbox, Test};
use std::io::Write;

/// A function that appends its second argument to its first, prints, and gives both and a real number.
const APPENDS: [(Language, &str, &str, [&str; 2]); 7] = [
    (
        Language::Python,
        "def f(a, b):\n    while b == 13: pass\n    a[0] = b\n    print('é', b)\n    return [a, 'x', 2.5, None]",
        "f",
        ["[1, 2]", "3"],
    ),
    (
        Language::JavaScript,
        "function f(a, b) { while (b === 13) { } a[0] = b; console.log('é', b); return [a, 'x', 2.5, null]; }",
        "f",
        ["[1, 2]", "3"],
    ),
    (
        Language::Java,
        "class Main { Object f(int[] a, int b) { while (b == 13) { } a[0] = b; System.out.println(\"é \" + b); return java.util.Arrays.asList(a, 'x', 2.5, null); } }",
        "Main.f",
        ["new int[]{1, 2}", "3"],
    ),
    (
        Language::CSharp,
        "using System; class Main { object f(int[] a, int b) { while (b == 13) { } a[0] = b; Console.WriteLine(\"é \" + b); return new object[] { a, 'x', 2.5, null }; } }",
        "Main.f",
        ["new int[]{1, 2}", "3"],
    ),
    (
        Language::Go,
        "import \"fmt\"\nfunc f(a []int, b int) (r []interface{}) { for b == 13 { }; a[0] = b; fmt.Println(\"é\", b); return []interface{}{a, \"x\", 2.5, nil} }",
        "f",
        ["[]int{1, 2}", "3"],
    ),
    (
        Language::C,
        "double f(int *a, int b) { while (b == 13) { } a[0] = b; printf(\"%d\", b); return 2.5; }",
        "f",
        ["(int[]){1, 2}", "3"],
    ),
    (
        Language::Cpp,
        "#include <vector>\n#include <iostream>\nstd::vector<double> f(std::vector<int> &a, int b) { while (b == 13) { } a[0] = b; std::cout << b; return {2.5}; }",
        "f",
        ["std::vector<int>{1, 2}", "3"],
    ),
];

#[test]
#[ignore = "long"]
fn every_language_gives_values_in_one_form() {
    let sandbox = Sandbox::new(small(), Policy::Confined).expect("this system confines");
    for (language, text, function, arguments) in APPENDS {
        if let Err(absent) = sandbox.toolchain(language) {
            let _ = writeln!(std::io::stderr(), "skipped: {absent}");
            continue;
        }
        let call = |last: &str| Call {
            function: function.to_owned(),
            arguments: vec![arguments[0].to_owned(), last.to_owned()],
        };
        let calls = vec![call(arguments[1]), call("13")];
        let program = Program { language, text: text.to_owned() };
        let test = Test::Values { calls, patience: 500, cover: true };
        let outcome = sandbox.run(&program, &test).expect("it runs");
        let Some(Called::Returned(first)) = outcome.calls.first() else {
            panic!("{language:?}: {outcome:?}")
        };
        let seen = Exchanged::read(first).unwrap_or_else(|| panic!("{language:?}: {first}"));
        let value = match language {
            Language::C => serde_json::json!(2.5),
            Language::Cpp => serde_json::json!([2.5]),
            _ => serde_json::json!([[3, 2], "x", 2.5, null]),
        };
        assert_eq!(seen.value, value, "{language:?}");
        assert_eq!(seen.after, [serde_json::json!([3, 2]), serde_json::json!(3)], "{language:?}");
        assert_eq!(seen.printed.trim_start_matches("é").trim(), "3", "{language:?}");
        if !matches!(language, Language::C | Language::Cpp) {
            assert_eq!(outcome.calls[1], Called::Raised(TOO_LONG.into()), "{language:?}");
        }
        if language == Language::Python {
            assert_eq!(outcome.covered.map(|part| (part.ran, part.all)), Some((4, 4)));
        }
    }
}
