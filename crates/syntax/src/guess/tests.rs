//! Snippets and the languages that they are told to be in.

use super::*;

#[track_caller]
fn check(source: &str, likely: Option<Language>, expected: Option<Language>) {
    assert_eq!(language(source.as_bytes(), likely), expected, "{source}");
}

#[test]
fn code_is_told_by_what_stands_in_it() {
    use Language::{CSharp, Cpp, Go, Java, JavaScript, Kotlin, Php, Python, Ruby, Rust, Swift, TypeScript};
    for (expected, source) in [
        (
            Python,
            "def is_prime(n):\n  for x in range(2, n):\n    if n % x == 0:\n      return False\n  return True\n",
        ),
        (
            Python,
            "import numpy as np\nX = np.array([[0, 1], [1, 1]])\nfor j in xrange(60000):\n    print np.dot(X, X)\n",
        ),
        (
            Java,
            "public int size() {\n    final List<String> names = new ArrayList<>();\n    return names.size();\n}\n",
        ),
        (Cpp, "#include <vector>\nstd::vector<int> v;\nfor (auto& x : v) cout << x << endl;\n"),
        (CSharp, "foreach (var line in lines)\n{\n    Console.WriteLine(line.Length);\n}\n"),
        (
            Go,
            "func size(names []string) (int, error) {\n\tif names == nil {\n\t\treturn 0, err\n\t}\n\tn := len(names)\n",
        ),
        (
            JavaScript,
            "var text = document.getElementById('t').value;\nsetTimeout(function() { alert(text); }, 100);\n",
        ),
        (
            TypeScript,
            "function size(names: string[]): number {\n  const all: number = names.length;\n  return all;\n}\n",
        ),
        (
            Rust,
            "fn size(names: &[String]) -> usize {\n    let mut all = 0;\n    names.iter().map(|n| n.len()).sum()\n}\n",
        ),
        (Ruby, "def size(names)\n  names.each do |name|\n    puts name\n  end\nend\n"),
        (Php, "function size($names) {\n    return count($names);\n}\n$all = size(array());\n"),
        (
            Kotlin,
            "fun size(names: List<String>): Int {\n    val all = names.map { it.length }\n    return all.sum()\n}\n",
        ),
        (
            Swift,
            "func size(_ names: [String]) -> Int {\n    guard let first = names.first else { return 0 }\n    return first.count\n}\n",
        ),
    ] {
        check(source, None, Some(expected));
    }
}

#[test]
fn what_is_no_code_is_not_guessed() {
    for source in [
        "",
        "Users want students' code\nto be found in posts, and not\nthe posts for themselves.\n",
        "Traceback (most recent call last):\n  File \"a.py\", line 3, in <module>\n    import this\nTypeError: no\n",
        "$ wc -c hello.c a.out\n  60 hello.c\n8432 a.out\n",
        "[section]\nname = value\nother = 3\n",
        "{\n  \"name\": \"value\",\n  \"list\": [1, 2]\n}\n",
        "0.789 * abv = abw * (1 - 0.211 * abv)\nabv = abw / (0.789 + 0.211 * abw)\n",
        "+------+------+\n| a    | 1    |\n+------+------+\n",
        "isPrime :: Integer -> Bool\nisPrime n = (== 1) . length . filter (== 0) $ [2 .. n]\n",
        "SELECT name, count(*) FROM posts\nWHERE score > 3\nGROUP BY name\n",
        "for f in *.txt; do\n  echo $f\ndone\n",
    ] {
        check(source, None, None);
    }
}

#[test]
fn a_likely_language_needs_less_and_is_no_more_than_likely() {
    let call = "parser.parse(text)\nparser.close()\n";
    check(call, None, None);
    check(call, Some(Language::Python), Some(Language::Python));
    let c = "#define SIZE 3\nstatic int size(struct list *all)\n{\n    return all->size;\n}\n";
    check(c, Some(Language::Python), Some(Language::C));
    check("Started at 17:13:52, and then\nthere was nothing more to see\n", Some(Language::Python), None);
}

#[test]
fn any_bytes_are_read_in_bounded_time() {
    // Pieces that mean something here, put together as chance has it.
    let pieces = [
        "/*", "\"\"\"", "'", "\"", "\\", "\n", " ", "(", "def", "NAME", "0", "é", "\u{1}", "->", "#", "//",
        "::=", "REST :",
    ];
    let mut state = 1_u64;
    for _ in 0..200 {
        let mut source = Vec::new();
        for _ in 0..200 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            source.extend_from_slice(pieces[(state >> 33) as usize % pieces.len()].as_bytes());
            if state >> 60 == 0 {
                source.push((state >> 40) as u8);
            }
        }
        assert_eq!(language(&source, None), language(&source, None));
    }
    let code = b"def f(a):\n    return a + 1\n".repeat(10);
    let long = [&code[..], &b"x (".repeat(20 << 20)].concat();
    assert_eq!(
        language(&long, None),
        Some(Language::Python),
        "what follows the first 8 KiB is not looked at"
    );
}
