//! Short programs are programs: the scenarios of Roy, Cordy and Koschke (Comparison and evaluation of code clone
//! detection techniques and tools, Science of Computer Programming 74, 2009, section 4) at their original size.

use familiar_engine::{CloneOptions, clones};
use familiar_source::Silent;

/// 41 tokens of Python.
pub(super) const ORIGINAL: &str = "def totals(count):
    total = 0.0
    product = 1.0
    for step in range(1, count + 1):
        total = total + step
        product = product * step
        report(total, product)
";

/// Each scenario: its name, the type that must be found, and what becomes of the original.
const SCENARIOS: [(&str, u8, &str); 12] = [
    (
        "1a, white space",
        1,
        "def totals( count ):

    total  = 0.0
    product = 1.0
    for step in range( 1, count + 1 ):
        total = total + step

        product = product * step
        report( total, product )
",
    ),
    (
        "1b, comments",
        1,
        "def totals(count):  # of all steps
    total = 0.0  # the sum
    product = 1.0
    for step in range(1, count + 1):
        # one more
        total = total + step
        product = product * step
        report(total, product)
",
    ),
    (
        "1c, layout",
        1,
        "def totals(
    count
):
    total = 0.0
    product = 1.0
    for step in range(
        1, count + 1
    ):
        total = total + step
        product = product * step
        report(total, product)
",
    ),
    (
        "2a, names of variables",
        2,
        "def totals(count):
    s = 0.0
    p = 1.0
    for step in range(1, count + 1):
        s = s + step
        p = p * step
        report(s, p)
",
    ),
    (
        "2b, names of parameters and the function",
        2,
        "def sums(number):
    total = 0.0
    product = 1.0
    for step in range(1, number + 1):
        total = total + step
        product = product * step
        report(total, product)
",
    ),
    (
        "2c, literals",
        2,
        "def totals(count):
    total = 0
    product = 1
    for step in range(1, count + 1):
        total = total + step
        product = product * step
        report(total, product)
",
    ),
    (
        "2d, an expression for a name",
        3,
        "def totals(count):
    total = 0.0
    product = 1.0
    for step in range(1, count + 1):
        total = total + (step * step)
        product = product * (step * step)
        report(total, product)
",
    ),
    (
        "3a, more in a line",
        3,
        "def totals(count):
    total = 0.0
    product = 1.0
    for step in range(1, count + 1):
        total = total + step
        product = product * step
        report(total, product, count)
",
    ),
    (
        "3b, less in a line",
        3,
        "def totals(count):
    total = 0.0
    product = 1.0
    for step in range(1, count + 1):
        total = total + step
        product = product * step
        report(product)
",
    ),
    (
        "3c, a line more",
        3,
        "def totals(count):
    total = 0.0
    product = 1.0
    for step in range(1, count + 1):
        if step % 2 == 0:
            total = total + step
        product = product * step
        report(total, product)
",
    ),
    (
        "3d, a line less",
        3,
        "def totals(count):
    total = 0.0
    product = 1.0
    for step in range(1, count + 1):
        total = total + step
        # product is left alone
        report(total, product)
",
    ),
    (
        "3e, a line changed",
        3,
        "def totals(count):
    total = 0.0
    product = 1.0
    for step in range(1, count + 1):
        total = total + step
        product = product * (step + 1)
        report(total, product)
",
    ),
];

/// The type of the only pair among these two files at the defaults.
fn found(suffix: &str, left: &str, right: &str) -> Option<u8> {
    let folder = tempfile::tempdir().expect("the temporary folder can be written");
    for (name, text) in [("left", left), ("right", right)] {
        let path = folder.path().join(format!("{name}.{suffix}"));
        std::fs::write(path, text).expect("the temporary folder can be written");
    }
    let options =
        CloneOptions { paths: vec![folder.path().to_owned()], threads: 1, ..CloneOptions::default() };
    let report = clones::run(&options, None, &Silent).expect("the files can be read");
    report.classes.first().map(|class| class.clone_type)
}

#[test]
fn the_scenarios_are_found_at_their_original_size() {
    for (name, clone_type, code) in SCENARIOS {
        assert_eq!(found("py", ORIGINAL, code), Some(clone_type), "{name}");
    }
}

#[test]
fn a_function_of_45_tokens_is_found() {
    let code = |name: &str, list: &str| {
        format!(
            "function {name}({list}, rate) {{
  let sum = 0;
  for (const item of {list}) {{
    sum += item.price * rate;
  }}
  return sum / {list}.length;
}}
"
        )
    };
    assert_eq!(found("js", &code("mean", "items"), &code("average", "goods")), Some(2));
}

#[test]
fn what_says_little_is_not_found() {
    let getters = "class A {
    int getX() {
        return x;
    }
    void setX(int x) {
        this.x = x;
    }
}
";
    assert_eq!(found("java", getters, &getters.replace("class A", "class B")), None);
}
