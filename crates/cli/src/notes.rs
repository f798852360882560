//! What is said on standard error beside a result.

use std::error::Error;
use std::fmt::Display;
use std::io::{self, Write as _};

use familiar_report::printable;
use familiar_source::words::{self, counted};

/// What is said beside a result, unless it is asked to be quiet.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Notes {
    pub(crate) quiet: bool,
}

impl Notes {
    /// Says which file is left out, and why.
    pub(crate) fn left_out(self, name: &str, reason: &dyn Display) {
        // Reasons quote what others wrote, too.
        self.say(&format!("left out: {}: {}", printable(name), printable(&words::unread(reason))));
    }

    pub(crate) fn say(self, text: &str) {
        if !self.quiet {
            // Where nobody can be told, the result is what counts.
            let _ = writeln!(std::io::stderr(), "familiar: {}", words::without_number(text));
        }
    }

    pub(crate) fn warn(self, text: &str) {
        self.say(&format!("warning: {text}"));
    }
}

/// An error and its causes, as far as it does not name them itself. What it quotes of others moves no cursor.
pub(crate) fn message(error: &anyhow::Error) -> String {
    let mut message = error.to_string();
    for cause in error.chain().skip(1) {
        let text = cause.to_string();
        if !message.contains(&text) && !is_told(cause, &message) {
            message.push_str(": ");
            message.push_str(&text);
        }
    }
    words::without_number(&message).lines().map(printable).collect::<Vec<_>>().join("\n")
}

/// Whether a message says in our words what the system says of a file.
fn is_told(cause: &(dyn Error + 'static), message: &str) -> bool {
    let words = match cause.downcast_ref().map(io::Error::kind) {
        Some(io::ErrorKind::NotFound) => "there is no such file or folder",
        Some(io::ErrorKind::PermissionDenied) => "you have no permission to read it",
        Some(io::ErrorKind::IsADirectory) => "it is a folder",
        _ => return false,
    };
    message.contains(words)
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

#[cfg(all(test, feature = "all"))]
mod tests {
    use std::path::Path;

    use familiar_corpus::SourceError;

    use super::*;

    #[test]
    fn what_is_wrong_with_a_file_is_told_once() {
        let error = |kind: io::ErrorKind| {
            let path = Path::new("a\u{1b}[31m").to_owned();
            message(&SourceError::Read { path, source: kind.into() }.into())
        };
        let kinds = [
            (io::ErrorKind::NotFound, 0),
            (io::ErrorKind::PermissionDenied, 0),
            // There are no words of ours for it.
            (io::ErrorKind::TimedOut, 1),
        ];
        for (kind, count) in kinds {
            let (told, of_system) = (error(kind), io::Error::from(kind).to_string());
            assert!(told.starts_with("cannot read a\\u{1b}[31m: "), "{told}");
            assert_eq!(told.matches(&of_system).count(), count, "{told}");
        }
        assert!(error(io::ErrorKind::NotFound).ends_with("check the path"));
    }
}
