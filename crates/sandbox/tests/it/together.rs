//! Programs that share a compiler end as they do alone, whatever the others do.

use crate::small;
use familiar_sandbox::{End, Job, Language, Limits, Policy, Program, Sandbox, Test};
use std::time::Duration;

fn main_of(body: &str) -> String {
    format!(
        "import java.io.*;\npublic class Main {{ static int n;\n public static void main(String[] a) throws Exception {{ {body} }} }}"
    )
}

/// Programs that would change each other if they ran in one machine, or were compiled as one.
fn programs() -> Vec<(String, End, &'static str)> {
    let raised = |class: &str| End::Raised(class.to_owned());
    vec![
        (main_of("n++; System.out.println(n + System.getProperty(\"x\"));"), End::Finished, "1null\n"),
        (main_of("n++; System.setProperty(\"x\", \"y\"); System.out.println(n);"), End::Finished, "1\n"),
        (main_of("System.out.println(1); System.exit(3);"), End::Exited(3), "1\n"),
        (main_of("int n = \"\";"), End::DoesNotCompile, ""),
        (main_of("System.setOut(new PrintStream(\"/dev/null\")); System.in.close();"), End::Finished, ""),
        (main_of("System.out.println(new BufferedReader(new InputStreamReader(System.in)).readLine());"), End::Finished, "7\n"),
        (main_of("while (true) { }"), End::TimedOut, ""),
        (main_of("new Thread(() -> { while (true) { } }).start();"), End::TimedOut, ""),
        (main_of("throw new IllegalStateException();"), raised("java.lang.IllegalStateException"), ""),
        // The folders of the others lie beside this one's.
        (
            main_of("File all = new File(Main.class.getProtectionDomain().getCodeSource().getLocation().getPath()).getParentFile(); for (int k = 0; k < 12; k++) if (k != 9) try { new FileReader(new File(all, k + \"/Program.java\")); System.out.println(k); } catch (IOException e) { }"),
            End::Finished,
            "",
        ),
        ("class Other { static int twice(int n) { return 2 * n; } }\nclass Main { public static void main(String[] a) { System.out.println(Other.twice(2)); } }".to_owned(), End::Finished, "4\n"),
        // The class of the one before is not there.
        ("class Main { public static void main(String[] a) { System.out.println(Other.twice(2)); } }".to_owned(), End::DoesNotCompile, ""),
    ]
}

#[test]
#[ignore = "long"]
fn java_programs_that_share_a_compiler_do_not_touch_each_other() {
    let limits = Limits { memory: 512 << 20, ..small().within(Duration::from_secs(6)) };
    let sandbox = Sandbox::new(limits, Policy::Confined).expect("enough layers").at_a_time(1);
    if sandbox.toolchain(Language::Java).is_err() {
        return;
    }
    let programs = programs();
    let test = Test::Stdio { input: b"7\n".to_vec() };
    let jobs: Vec<Job> = programs
        .iter()
        .map(|(text, _, _)| {
            let program = Program { language: Language::Java, text: text.clone() };
            Job { program, test: test.clone() }
        })
        .collect();
    for ((text, end, stdout), outcome) in programs.iter().zip(sandbox.run_all(&jobs)) {
        let outcome = outcome.expect("it is run");
        assert_eq!(outcome.end, *end, "{text}\n{}", String::from_utf8_lossy(&outcome.stderr));
        assert_eq!(String::from_utf8_lossy(&outcome.stdout), *stdout, "{text}");
    }
}
