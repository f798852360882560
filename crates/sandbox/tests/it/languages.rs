//! Programs in every language whose toolchain is here. An absent one is told, and nothing of it is tested.

use crate::{combinations, small};
use familiar_sandbox::{Called, End, Language, Limits, Outcome, Policy, Program, Sandbox, Test};
use std::io::Write;

/// What one language is tested with.
struct Case {
    language: Language,
    /// Reads two numbers and prints their sum.
    sum: &'static str,
    /// The same, with the names of the standard files in `/dev`. Prints to the errors, too.
    by_name: &'static str,
    /// Has a function `twice`, which fails for 13.
    twice: &'static str,
    passes: &'static str,
    fails: (&'static str, End),
    /// The name of the function, arguments of two calls, and what they give.
    calls: (&'static str, [&'static str; 2], [Called; 2]),
    /// Ends itself with success before its test.
    pretends: &'static str,
    /// Tries to read a file, to write to one and to make a connection, and prints what worked.
    attacks: &'static str,
    runs_on: &'static str,
}

fn raised(class: &str) -> End {
    End::Raised(class.to_owned())
}

fn returned(text: &str) -> Called {
    Called::Returned(text.to_owned())
}

fn csharp_case() -> Case {
    Case {
        language: Language::CSharp,
        sum: "using System;\nusing System.Linq;\nnamespace Sums { class Program { static void Main(string[] a) { Console.WriteLine(Console.ReadLine().Split(' ').Select(int.Parse).Sum()); } } }",
        by_name: "using System.IO;\nusing System.Linq;\nclass Program { static int Main() { var sum = File.ReadAllText(\"/dev/stdin\").Split(' ').Select(int.Parse).Sum(); using (var w = new StreamWriter(\"/dev/stdout\")) w.WriteLine(sum); using (var w = new StreamWriter(\"/dev/stderr\")) w.Write(\"said\"); return 0; } }",
        twice: "using System;\npublic class Solution {\n    static int twice(int x) { if (x == 13) throw new InvalidOperationException(); return 2 * x; }\n    public static int Twice(int x) { return twice(x); }\n}",
        passes: "class Test { static void Main() { if (Solution.Twice(2) != 4) throw new System.Exception(); } }",
        fails: (
            "class Test { static void Main() { Solution.Twice(13); } }",
            raised("System.InvalidOperationException"),
        ),
        calls: (
            "twice",
            ["4", "13"],
            [returned("8 after [4]"), Called::Raised("System.InvalidOperationException".into())],
        ),
        pretends: "public class Solution { static int twice(int x) { System.Environment.Exit(0); return 0; } public static int Twice(int x) { return twice(x); } }",
        attacks: "using System;\nusing System.IO;\nclass Program { static void Try(Action a) { try { a(); Console.WriteLine(\"escaped\"); } catch (Exception) { } }\n static void Main() { Try(() => File.ReadAllText(\"SECRET\")); Try(() => File.WriteAllText(\"SECRET.new\", \"x\")); Try(() => new System.Net.Sockets.UdpClient(0)); } }",
        runs_on: "class Program { static void Main() { while (true) { } } }",
    }
}

fn cases() -> Vec<Case> {
    vec![
        Case {
            language: Language::Python,
            sum: "print(sum(map(int, input().split())))",
            by_name: "with open('/dev/stdin') as f: a, b = map(int, f.read().split())\nprint(a + b, file=open('/dev/stdout', 'w'))\nopen('/dev/stderr', 'w').write('said')",
            twice: "def twice(x):\n    if x == 13: raise KeyError(x)\n    return 2 * x",
            passes: "assert twice(2) == 4",
            fails: ("assert twice(2) == 5", raised("AssertionError")),
            calls: ("twice", ["4", "13"], [returned("8 after [4]"), Called::Raised("KeyError".into())]),
            pretends: "import os; os._exit(0)",
            attacks: "import socket\nfor f in (lambda: open('SECRET'), lambda: open('SECRET.new', 'w'), lambda: socket.socket()):\n    try: f(); print('escaped')\n    except OSError: pass",
            runs_on: "while True: pass",
        },
        Case {
            language: Language::JavaScript,
            sum: "const [a, b] = require('fs').readFileSync(0, 'utf8').split(' ').map(Number); console.log(a + b)",
            by_name: "const fs = require('fs'); const [a, b] = fs.readFileSync('/dev/stdin', 'utf8').split(' ').map(Number); fs.writeFileSync('/dev/stdout', `${a + b}\\n`); fs.writeFileSync('/dev/fd/2', 'said')",
            twice: "class Odd extends Error {}\nconst twice = (x) => { if (x === 13) throw new Odd('no'); return 2 * x }",
            passes: "console.assert(twice(2) === 4)",
            fails: ("console.assert(twice(2) === 5)", raised("AssertionError")),
            calls: ("twice", ["4", "13"], [returned("8 after [4]"), Called::Raised("Odd".into())]),
            pretends: "process.exit(0)",
            attacks: "const fs = require('fs'), net = require('net')\nfor (const f of [() => fs.readFileSync('SECRET'), () => fs.writeFileSync('SECRET.new', 'x')]) { try { f(); console.log('escaped') } catch (e) {} }\nnet.connect(80, '127.0.0.1').on('error', (e) => { if (e.code === 'ECONNREFUSED') console.log('escaped') }).on('connect', () => console.log('escaped'))",
            runs_on: "while (true) {}",
        },
        Case {
            language: Language::C,
            sum: "#include <stdio.h>\nint main(void) { int a, b; scanf(\"%d %d\", &a, &b); printf(\"%d\\n\", a + b); }",
            by_name: "#include <stdio.h>\nint main(void) { int a, b; fscanf(fopen(\"/dev/stdin\", \"r\"), \"%d %d\", &a, &b); fprintf(fopen(\"/dev/stdout\", \"w\"), \"%d\\n\", a + b); fputs(\"said\", fopen(\"/dev/stderr\", \"a\")); }",
            twice: "#include <stdlib.h>\nint twice(int x) { if (x == 13) abort(); return 2 * x; }",
            passes: "assert(twice(2) == 4);",
            fails: ("assert(twice(2) == 5);", End::Killed(6)),
            calls: ("twice", ["4", "-3"], [returned("8 "), returned("-6 ")]),
            pretends: "#include <stdlib.h>\n__attribute__((constructor)) static void early(void) { exit(0); }\nint twice(int x) { return 0; }",
            attacks: "#include <stdio.h>\n#include <sys/socket.h>\nint main(void) { if (fopen(\"SECRET\", \"r\")) puts(\"escaped\"); if (fopen(\"SECRET.new\", \"w\")) puts(\"escaped\"); if (socket(AF_INET, SOCK_DGRAM, 0) >= 0) puts(\"escaped\"); return 0; }",
            runs_on: "int main(void) { for (;;) { } }",
        },
        Case {
            language: Language::Cpp,
            sum: "#include <iostream>\nint main() { int a, b; std::cin >> a >> b; std::cout << a + b << '\\n'; }",
            by_name: "#include <fstream>\nint main() { int a, b; std::ifstream(\"/dev/stdin\") >> a >> b; std::ofstream(\"/dev/stdout\") << a + b << '\\n'; std::ofstream(\"/dev/stderr\") << \"said\"; }",
            twice: "#include <stdexcept>\n#include <vector>\nint twice(int x) { if (x == 13) throw std::out_of_range(\"no\"); return 2 * x; }",
            passes: "assert(twice(2) == 4);",
            fails: ("twice(13);", raised("std::out_of_range")),
            calls: ("twice", ["4", "13"], [returned("8 "), Called::Raised("std::out_of_range".into())]),
            pretends: "#include <cstdlib>\nstatic int early = (std::exit(0), 0);\nint twice(int x) { return 0; }",
            attacks: "#include <cstdio>\n#include <sys/socket.h>\nint main() { if (fopen(\"SECRET\", \"r\")) puts(\"escaped\"); if (fopen(\"SECRET.new\", \"w\")) puts(\"escaped\"); if (socket(AF_INET, SOCK_DGRAM, 0) >= 0) puts(\"escaped\"); }",
            runs_on: "int main() { volatile int x = 0; for (;;) x = x + 1; }",
        },
        Case {
            language: Language::Java,
            sum: "import java.util.Scanner;\npublic class Main { public static void main(String[] a) { Scanner s = new Scanner(System.in); System.out.println(s.nextInt() + s.nextInt()); } }",
            by_name: "import java.io.*;\nimport java.util.Scanner;\npublic class Main { public static void main(String[] a) throws IOException { Scanner s = new Scanner(new File(\"/dev/stdin\")); try (PrintWriter w = new PrintWriter(\"/dev/stdout\")) { w.println(s.nextInt() + s.nextInt()); } try (FileWriter w = new FileWriter(\"/dev/stderr\")) { w.write(\"said\"); } } }",
            twice: "public class Solution {\n    static int twice(int x) { if (x == 13) throw new IllegalStateException(); return 2 * x; }\n}",
            passes: "class Main { public static void main(String[] a) { assert Solution.twice(2) == 4; } }",
            fails: (
                "class Main { public static void main(String[] a) { Solution.twice(13); } }",
                raised("java.lang.IllegalStateException"),
            ),
            calls: (
                "twice",
                ["4", "13"],
                [returned("8 after [4]"), Called::Raised("java.lang.IllegalStateException".into())],
            ),
            pretends: "class Solution { static int twice(int x) { System.exit(0); return 0; } }",
            attacks: "import java.io.*;\nclass Main { public static void main(String[] a) {\n try { new FileReader(\"SECRET\"); System.out.println(\"escaped\"); } catch (IOException e) { }\n try { new FileWriter(\"SECRET.new\"); System.out.println(\"escaped\"); } catch (IOException e) { }\n try { new java.net.DatagramSocket(); System.out.println(\"escaped\"); } catch (IOException e) { } } }",
            runs_on: "class Main { public static void main(String[] a) { while (true) { } } }",
        },
        csharp_case(),
        Case {
            language: Language::Go,
            sum: "package main\nimport \"fmt\"\nfunc main() { var a, b int; fmt.Scan(&a, &b); fmt.Println(a + b) }",
            by_name: "package main\nimport (\"fmt\"; \"os\")\nfunc main() { f, _ := os.Open(\"/dev/stdin\"); var a, b int; fmt.Fscan(f, &a, &b); o, _ := os.OpenFile(\"/dev/stdout\", os.O_WRONLY, 0); fmt.Fprintln(o, a + b); e, _ := os.Create(\"/dev/stderr\"); e.WriteString(\"said\") }",
            twice: "package main\nfunc twice(x int) int { if x == 13 { panic(\"no\") }; return 2 * x }",
            passes: "func TestTwice(t *testing.T) { assert := assert.New(t); assert.Equal(4, twice(2)) }",
            fails: (
                "func TestTwice(t *testing.T) { assert.New(t).Equal(5, twice(2)) }",
                raised("panic: not equal"),
            ),
            calls: ("twice", ["4", "13"], [returned("8 after "), Called::Raised("string: no".into())]),
            pretends: "package main\nimport \"os\"\nfunc twice(x int) int { os.Exit(0); return 0 }",
            attacks: "package main\nimport (\"fmt\"; \"os\"; \"syscall\")\nfunc main() {\n if _, err := os.ReadFile(\"SECRET\"); err == nil { fmt.Println(\"escaped\") }\n if os.WriteFile(\"SECRET.new\", nil, 0644) == nil { fmt.Println(\"escaped\") }\n if _, err := syscall.Socket(2, 2, 0); err == nil { fmt.Println(\"escaped\") } }",
            runs_on: "package main\nfunc main() { for { } }",
        },
    ]
}

struct Tested<'a> {
    sandbox: &'a Sandbox,
    case: &'a Case,
}

impl Tested<'_> {
    fn run(&self, text: &str, test: &Test) -> Outcome {
        let program = Program { language: self.case.language, text: text.to_owned() };
        self.sandbox.run(&program, test).expect("it runs")
    }

    fn asserts(&self, text: &str, code: &str) -> Outcome {
        self.run(text, &Test::Asserts { code: code.to_owned() })
    }

    fn stdio(&self, text: &str, input: &str) -> Outcome {
        self.run(text, &Test::Stdio { input: input.as_bytes().to_vec() })
    }

    fn all(&self) {
        let case = self.case;
        let summed = self.stdio(case.sum, "19 23\n");
        assert!(summed.passed(), "{summed:?} {}", String::from_utf8_lossy(&summed.stderr));
        assert_eq!(String::from_utf8_lossy(&summed.stdout), "42\n");
        let passed = self.asserts(case.twice, case.passes);
        assert!(passed.passed(), "{passed:?} {}", String::from_utf8_lossy(&passed.stderr));
        let failed = self.asserts(case.twice, case.fails.0);
        assert_eq!(failed.end, case.fails.1, "{}", String::from_utf8_lossy(&failed.stderr));
        let (function, arguments, expected) = &case.calls;
        let inputs = arguments.map(|argument| vec![argument.to_owned()]).to_vec();
        let called = self.run(case.twice, &Test::Calls { function: (*function).to_owned(), inputs });
        assert_eq!(called.calls, expected, "{called:?} {}", String::from_utf8_lossy(&called.stderr));
        assert!(called.passed(), "{called:?}");
        let pretended = self.asserts(case.pretends, case.passes);
        assert_eq!(pretended.end, End::Exited(0), "{}", String::from_utf8_lossy(&pretended.stderr));
        assert_eq!(self.stdio(case.runs_on, "").end, End::TimedOut);
    }

    /// Programs of judges often read `/dev/stdin`.
    fn opens_by_name(&self) {
        let outcome = self.stdio(self.case.by_name, "19 23\n");
        let [out, err] =
            [&outcome.stdout, &outcome.stderr].map(|it| String::from_utf8_lossy(it).into_owned());
        assert!(outcome.passed(), "{:?} {err}", outcome.end);
        assert_eq!((out.as_str(), err.trim()), ("42\n", "said"));
    }

    fn attacked(&self) {
        let folder = tempfile::tempdir().expect("a folder");
        let secret = folder.path().join("secret");
        std::fs::write(&secret, "top secret").expect("a file");
        let text = self.case.attacks.replace("SECRET", &secret.display().to_string());
        let outcome = self.stdio(&text, "");
        assert!(outcome.stdout.is_empty(), "{outcome:?}");
        assert!(outcome.passed(), "{outcome:?} {}", String::from_utf8_lossy(&outcome.stderr));
        assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 1);
    }
}

fn tested(language: Language) {
    let case = cases().into_iter().find(|case| case.language == language).expect("there is a case");
    for (name, layers) in combinations() {
        let sandbox = Sandbox::new(limits(), Policy::Only(layers)).expect("enough layers");
        if let Err(absent) = sandbox.toolchain(language) {
            // CI installs all of them, and says so: there an absent toolchain is a fault.
            assert!(std::env::var_os("FAMILIAR_ALL_TOOLCHAINS").is_none(), "{name}: {absent}");
            writeln!(std::io::stderr(), "skipped: {absent}").expect("standard error is open");
            return;
        }
        let tested = Tested { sandbox: &sandbox, case: &case };
        tested.attacked();
        tested.opens_by_name();
        if layers == combinations()[0].1 {
            tested.all();
        }
    }
}

fn limits() -> Limits {
    small().within(std::time::Duration::from_secs(5))
}

#[test]
fn python() {
    tested(Language::Python);
}

#[test]
fn javascript() {
    tested(Language::JavaScript);
}

#[test]
#[ignore = "long"]
fn c() {
    tested(Language::C);
}

#[test]
#[ignore = "long"]
fn cpp() {
    tested(Language::Cpp);
}

#[test]
#[ignore = "long"]
fn java() {
    tested(Language::Java);
}

#[test]
#[ignore = "long"]
fn csharp() {
    tested(Language::CSharp);
}

#[test]
fn go() {
    tested(Language::Go);
}

#[test]
fn what_does_not_compile_is_told() {
    let sandbox = Sandbox::new(limits(), Policy::Confined).expect("enough layers");
    for language in [Language::C, Language::Cpp, Language::Java, Language::CSharp, Language::Go] {
        if sandbox.toolchain(language).is_err() {
            continue;
        }
        let program = Program { language, text: "int main( {".to_owned() };
        let outcome = sandbox.run(&program, &Test::Stdio { input: Vec::new() }).expect("it is tried");
        assert_eq!(outcome.end, End::DoesNotCompile);
        assert!(!outcome.stderr.is_empty());
    }
}
