//! What is said on standard error beside a result.

use std::fmt::Display;
use std::io::Write as _;

use familiar_report::printable;
use familiar_source::words::counted;

/// What is said beside a result, unless it is asked to be quiet.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Notes {
    pub(crate) quiet: bool,
}

impl Notes {
    /// Says which file is left out, and why.
    pub(crate) fn left_out(self, name: &str, reason: &dyn Display) {
        // Reasons quote what others wrote, too.
        self.say(&format!("left out: {}: {}", printable(name), printable(&reason.to_string())));
    }

    pub(crate) fn say(self, text: &str) {
        if !self.quiet {
            // Where nobody can be told, the result is what counts.
            let _ = writeln!(std::io::stderr(), "familiar: {text}");
        }
    }

    pub(crate) fn warn(self, text: &str) {
        self.say(&format!("warning: {text}"));
    }
}

/// An error and its causes, as far as it does not name them itself. What it quotes of others moves no cursor.
pub(crate) fn message(error: &anyhow::Error) -> String {
    let mut message = error.to_string();
    for cause in error.chain().skip(1).map(ToString::to_string) {
        if !message.contains(&cause) {
            message.push_str(": ");
            message.push_str(&cause);
        }
    }
    message.lines().map(printable).collect::<Vec<_>>().join("\n")
}

/// Warns where no file of code was read: a result about nothing looks like one about code without findings.
pub(crate) fn nothing_read(files: u64, skipped: usize, quiet: bool) {
    if files == 0 {
        let skipped = match skipped {
            0 => String::new(),
            some => format!("; {} left out", counted_left_out(some)),
        };
        let hint = "check the path, --lang, --exclude and .gitignore";
        Notes { quiet }.warn(&format!("0 files of code were read{skipped}; {hint}"));
    }
}

fn counted_left_out(count: usize) -> String {
    let were = if count == 1 { "was" } else { "were" };
    format!("{} {were}", counted(count as u64, "file"))
}
