//! A benchmark of four problems, whose programs differ in names and layout.

use std::fmt::Write as _;
use std::path::Path;

use serde_json::json;

/// Programs of each problem in training, validation and test.
const COUNTS: [(&str, usize); 3] = [("train.jsonl", 24), ("valid.jsonl", 8), ("test.jsonl", 8)];

/// Writes the files of a benchmark.
pub(crate) fn write(folder: &Path) {
    std::fs::create_dir_all(folder).expect("the folder can be made");
    let mut number = 0;
    for (file, count) in COUNTS {
        let mut text = String::new();
        for _ in 0..count {
            for problem in ["sum", "largest", "stars", "count"] {
                let row = json!({
                    "id": format!("{problem}-{number}"), "problem_id": problem, "lang": "c",
                    "code": program(problem, number),
                });
                writeln!(text, "{row}").expect("a text takes all");
            }
            number += 1;
        }
        std::fs::write(folder.join(file), text).expect("it can be written");
    }
}

fn program(problem: &str, number: usize) -> String {
    let (n, x) = (format!("n{number}"), ["x", "item", "value"][number % 3]);
    let mut lines = vec![format!("int {n};"), format!("scanf(\"%d\", &{n});")];
    // Some of what programs do does not say which problem they solve.
    if number.is_multiple_of(2) {
        lines.push("int unused = 0;".to_owned());
    }
    if number.is_multiple_of(3) {
        lines.push("puts(\"\");".to_owned());
    }
    let body = match problem {
        "sum" => format!(
            "int s = 0; while ({n}--) {{ int {x}; scanf(\"%d\", &{x}); s += {x}; }} printf(\"%d\", s);"
        ),
        "largest" => format!(
            "int m = 0; for (int i = 0; i < {n}; i++) {{ int {x}; scanf(\"%d\", &{x}); if ({x} > m) m = {x}; }} printf(\"%d\", m);"
        ),
        "stars" => format!(
            "for (int i = 0; i < {n}; i++) {{ for (int j = 0; j <= i; j++) putchar('*'); putchar('\\n'); }}"
        ),
        _ => format!("int c = 0; do {{ c++; {n} /= 10; }} while ({n} != 0); printf(\"%d\", c);"),
    };
    lines.push(body);
    format!("#include <stdio.h>\nint main() {{\n    {}\n    return 0;\n}}\n", lines.join("\n    "))
}
