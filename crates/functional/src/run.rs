//! Running one side on many inputs.

use crate::compare::Seen;
use crate::prepare::Prepared;
use crate::report::Cause;
use familiar_sandbox::exchange::Exchanged;
use familiar_sandbox::{Call, Called, Covered, End, Outcome, Program, Sandbox, SandboxError, Test};
use familiar_source::Language;

/// How often a program that ends in the middle of its calls is started again.
const RESTARTS: usize = 4;

/// Names that Python 2 has, and Python 3 has not.
const OF_PYTHON_2: [&str; 13] = [
    "xrange",
    "unicode",
    "raw_input",
    "basestring",
    "long",
    "unichr",
    "reduce",
    "cmp",
    "izip",
    "imap",
    "ifilter",
    "file",
    "apply",
];

/// What a side did on all inputs, and how much of it ran.
pub(crate) struct Run {
    pub(crate) seen: Vec<Seen>,
    pub(crate) covered: Option<Covered>,
}

/// Why a side cannot run, with what was said.
pub(crate) type Broken = (Cause, String);

/// Makes all calls. A call that ends the process costs a new one for those behind it.
pub(crate) fn run(
    sandbox: &Sandbox,
    prepared: &Prepared,
    calls: &[Call],
    patience: u32,
    cover: bool,
) -> Result<Result<Run, Broken>, SandboxError> {
    let mut run = Run { seen: Vec::new(), covered: None };
    for round in 0..=RESTARTS {
        let left = calls[run.seen.len()..].to_vec();
        let count = left.len();
        let outcome = sandbox.run(&prepared.program, &Test::Values { calls: left, patience, cover })?;
        let none = round == 0 && outcome.calls.is_empty() && count > 0;
        if let Some(broken) = none.then(|| broken(&outcome, &prepared.program)).flatten() {
            return Ok(Err(broken));
        }
        let all = outcome.calls.len() >= count;
        run.seen.extend(outcome.calls.into_iter().take(count).map(seen));
        if all {
            run.covered = outcome.covered.filter(|_| round == 0);
            return Ok(Ok(run));
        }
        run.seen.push(Seen::Ended(outcome.end));
        if run.seen.len() == calls.len() {
            return Ok(Ok(run));
        }
    }
    run.seen.resize(calls.len(), Seen::Ended(End::TimedOut));
    Ok(Ok(run))
}

fn seen(called: Called) -> Seen {
    match called {
        Called::Returned(text) => match Exchanged::read(&text) {
            Some(exchanged) => Seen::Returned(exchanged),
            None => Seen::Ended(End::TooMuchOutput),
        },
        Called::Raised(class) => Seen::Raised(class),
    }
}

/// Why a program made no call at all; nothing if its first call ended it.
pub(crate) fn broken(outcome: &Outcome, program: &Program) -> Option<Broken> {
    let said = String::from_utf8_lossy(&outcome.stderr);
    match &outcome.end {
        End::DoesNotCompile => Some(by_compiler(&said)),
        End::Raised(class) => Some(by_class(class, &said, program)),
        _ => None,
    }
}

fn by_compiler(said: &str) -> Broken {
    let first = said.lines().find(|line| line.contains("error")).unwrap_or_default();
    let first = first.rsplit_once("error: ").map_or(first, |(_, words)| words).trim().to_owned();
    let missing = [
        "cannot find symbol",
        "undeclared",
        "undefined",
        "unknown type name",
        "was not declared",
        "does not name a type",
    ];
    let cause = if said.contains("does not exist")
        || said.contains("No such file or directory")
        || said.contains("could not import")
    {
        Cause::MissingModule
    } else if missing.iter().any(|words| said.contains(words)) {
        Cause::MissingName
    } else {
        Cause::DoesNotCompile
    };
    let symbol = said.lines().find(|line| line.trim_start().starts_with("symbol:"));
    (cause, symbol.map_or(first, |line| line.trim().to_owned()))
}

fn by_class(class: &str, said: &str, program: &Program) -> Broken {
    let last = said.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or_default().trim().to_owned();
    let python = program.language == Language::Python;
    let cause = match class {
        "SyntaxError" | "IndentationError" | "TabError" if python && is_python_2(&program.text, said) => {
            Cause::Python2
        }
        "SyntaxError" | "IndentationError" | "TabError" => Cause::DoesNotParse,
        "ModuleNotFoundError" | "ImportError" => Cause::MissingModule,
        "NameError" if OF_PYTHON_2.iter().any(|name| last.contains(&format!("'{name}'"))) => Cause::Python2,
        "NameError" | "ReferenceError" => Cause::MissingName,
        _ => Cause::NoNormalInput,
    };
    (cause, last)
}

/// Whether Python said, or the text shows, that it is for Python 2.
fn is_python_2(text: &str, said: &str) -> bool {
    let words = [
        "Missing parentheses in call to 'print'",
        "Missing parentheses in call to 'exec'",
        "multiple exception types must be parenthesized",
        "leading zeros in decimal integer literals",
        "inconsistent use of tabs and spaces",
    ];
    let prints = |line: &str| {
        let rest =
            line.trim_start().strip_prefix("print ").or_else(|| line.trim_start().strip_prefix("exec "));
        rest.is_some_and(|rest| !rest.trim_start().starts_with(['(', '=', '.']))
    };
    let lines = || text.lines();
    words.iter().any(|words| said.contains(words))
        || lines().any(prints)
        || lines()
            .any(|line| line.trim_start().starts_with("except ") && line.contains(',') && !line.contains('('))
        || lines().any(|line| line.trim_start().starts_with("raise ") && line.contains(", \""))
        || text.contains("<>")
}

/// Whether a text of Python uses what the values of Python 2 had.
pub(crate) fn has_old_members(code: &str, language: Language) -> bool {
    let members = [
        ".has_key(",
        ".iteritems(",
        ".itervalues(",
        ".iterkeys(",
        ".next()",
        "string.letters",
        "string.maketrans",
        "os.getcwdu",
    ];
    language == Language::Python && members.iter().any(|member| code.contains(member))
}

/// The cause of a name that is missing.
pub(crate) fn of_name(name: &str, language: Language) -> Cause {
    if language == Language::Python && OF_PYTHON_2.contains(&name) {
        Cause::Python2
    } else {
        Cause::MissingName
    }
}
