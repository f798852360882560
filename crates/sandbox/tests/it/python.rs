//! Programs in Python.

use crate::{printed, run, sandbox, small};
use familiar_sandbox::{Called, End, Job, Policy, Program, Sandbox, Test};

#[test]
fn asserts_pass_or_name_the_class_of_what_was_raised() {
    let sandbox = sandbox(small());
    let run = |text: &str, code: &str| {
        let test = Test::Asserts { code: code.to_owned() };
        sandbox.run(&Program::python(text), &test).expect("it runs")
    };
    let double = "def double(x):\n    return 2 * x\n";
    assert!(run(double, "assert double(2) == 4").passed());
    assert_eq!(run(double, "assert double(2) == 5").end, End::Raised("AssertionError".into()));
    assert_eq!(run(double, "double()").end, End::Raised("TypeError".into()));
    assert_eq!(run("def f(:", "").end, End::Raised("SyntaxError".into()));
    assert_eq!(run("class Odd(Exception): pass", "raise Odd").end, End::Raised("Odd".into()));
    assert_eq!(run("import sys", "sys.exit(7)").end, End::Exited(7));
}

#[test]
fn test_cases_are_run_and_may_import_the_program_by_any_name() {
    let sandbox = sandbox(small());
    let program =
        Program::python("def double(x):\n    return 2 * x\nif __name__ == '__main__':\n    print(input())");
    let code = |expected: &str| Test::Asserts {
        code: format!(
            "import unittest\nfrom two_fer import double\nclass Cases(unittest.TestCase):\n    def test_it(self):\n        self.assertEqual(double(2), {expected})\nif __name__ == '__main__':\n    unittest.main()"
        ),
    };
    let outcome = sandbox.run(&program, &code("4")).expect("it runs");
    assert!(outcome.passed(), "{outcome:?} {}", String::from_utf8_lossy(&outcome.stderr));
    let failed = sandbox.run(&program, &code("5")).expect("it runs");
    assert_eq!(failed.end, End::Raised("AssertionError".into()));
}

#[test]
fn calls_give_results_and_what_became_of_arguments() {
    let sandbox = sandbox(small());
    let program =
        Program::python("def add(values, more):\n    values.append(more)\n    return len(values) / more");
    let inputs = [["[1]", "2"], ["[]", "0"], ["[{3, 1, 2}]", "4"]];
    let inputs = inputs.map(|call| call.map(str::to_owned).to_vec()).to_vec();
    let outcome = sandbox.run(&program, &Test::Calls { function: "add".into(), inputs }).expect("it runs");
    let expected = [
        Called::Returned("1.0 after [[1, 2], 2]".into()),
        Called::Raised("ZeroDivisionError".into()),
        Called::Returned("0.5 after [[set{1, 2, 3}, 4], 4]".into()),
    ];
    assert_eq!(outcome.calls, expected);
    assert!(outcome.passed());
}

#[test]
fn input_and_output_are_bytes() {
    let sandbox = sandbox(small());
    let program =
        Program::python("import sys\ndata = sys.stdin.buffer.read()\nsys.stdout.buffer.write(data[::-1])");
    let input: Vec<u8> = (0..=255).cycle().take(100_000).collect();
    let outcome = sandbox.run(&program, &Test::Stdio { input: input.clone() }).expect("it runs");
    assert!(outcome.passed(), "{outcome:?}");
    assert!(outcome.stdout.iter().eq(input.iter().rev()));
}

/// What one program leaves must not be there for the next one, which runs on the same server.
#[test]
fn no_state_survives() {
    let sandbox = sandbox(small()).at_a_time(1);
    let leaves = [
        "import builtins; builtins.len = lambda x: 'changed'; builtins.print = None",
        "import math; math.pi = 3; import json; json.dumps = None",
        "import os; open('left', 'w').write('x'); open('../left', 'w').write('x'); os.environ['LEFT'] = 'x'",
        "import sys, types; sys.modules['left'] = types.ModuleType('left'); sys.path.insert(0, '.'); sys.setrecursionlimit(99)",
        "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); signal.alarm(1); signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR1])",
        "import atexit, threading, os; atexit.register(lambda: os.write(1, b'at exit')); threading.Thread(target=lambda: None).start()",
        "import random, decimal, locale; random.seed(7); random.random(); decimal.getcontext().prec = 2",
        "import os, time; os.umask(0); os.environ['TZ'] = 'Asia/Tokyo'; time.tzset(); os.chdir('/usr')",
        "import sys; sys.stdout = None; sys.settrace(lambda *a: None); sys.excepthook = None",
        "import gc; gc.disable(); import resource; resource.setrlimit(resource.RLIMIT_NOFILE, (8, 8))",
    ];
    let look = r"
import builtins, decimal, gc, json, math, os, random, resource, signal, sys, time
print(len('abc'), math.pi, json.dumps(1), os.listdir('.'), os.listdir('..'), os.environ.get('LEFT'), 'left' in sys.modules)
print('.' in sys.path, sys.getrecursionlimit(), signal.getsignal(signal.SIGTERM), signal.pthread_sigmask(signal.SIG_BLOCK, []))
print(signal.alarm(0), random.random(), decimal.getcontext().prec, os.umask(0), time.tzname, os.path.basename(os.getcwd()))
print(sys.gettrace(), sys.excepthook is sys.__excepthook__, gc.isenabled(), resource.getrlimit(resource.RLIMIT_NOFILE))
";
    let clean = printed(&sandbox, look);
    for text in leaves {
        let outcome = run(&sandbox, text);
        assert!(matches!(outcome.end, End::Finished | End::Raised(_)), "{text}: {outcome:?}");
        assert_eq!(printed(&sandbox, look), clean, "after {text}");
    }
}

/// The server runs a program of its own before those that it is given.
#[test]
fn programs_do_not_find_the_one_that_the_server_ran_first() {
    let look = r"
import collections, math, random, re, sys, unittest
print('program' in sys.modules, [finder for finder in sys.meta_path if finder.__module__ == '__main__'])
print([case for case in unittest.TestCase.__subclasses__() if case.__module__ == 'program'])
print([kind for kind in object.__subclasses__() if kind.__module__ == 'program'], sys.stdout is sys.__stdout__)
print(random.random() == random.Random(0).random())
";
    assert_eq!(printed(&sandbox(small()), look), "False []\n[]\n[] True\nTrue");
}

#[test]
fn groups_give_the_same_as_single_runs() {
    let sandbox = sandbox(small());
    let job = |text: &str, code: &str| Job {
        program: Program::python(text),
        test: Test::Asserts { code: code.to_owned() },
    };
    let good: Vec<Job> = (0..10)
        .map(|n| job(&format!("def f(): return {n}"), &format!("print(f()); assert f() == {n}")))
        .collect();
    let mut mixed = good.clone();
    mixed[3] = job("import os", "os._exit(0)");
    mixed[7] = job("def f(): return 1", "assert f() == 2");
    for jobs in [good, mixed] {
        let single: Vec<_> =
            sandbox.run_all(&jobs).into_iter().map(|outcome| outcome.expect("it runs")).collect();
        let grouped: Vec<_> =
            sandbox.run_groups(&jobs, 4).into_iter().map(|outcome| outcome.expect("it runs")).collect();
        let alike = |pair: (&familiar_sandbox::Outcome, &familiar_sandbox::Outcome)| pair.0.alike(pair.1);
        assert!(single.iter().zip(&grouped).all(alike), "{single:?}\n{grouped:?}");
    }
}

#[test]
fn running_is_refused_where_nothing_confines() {
    let none = familiar_sandbox::Layers::NONE;
    let refused = Sandbox::new(small(), Policy::Only(none)).expect_err("nothing confines");
    assert!(refused.to_string().contains("--unsandboxed"), "{refused}");
    let accepted = Sandbox::new(small(), Policy::Unsandboxed).expect("the user accepts it");
    assert_eq!(printed(&accepted, "print(1 + 1)"), "2");
}
