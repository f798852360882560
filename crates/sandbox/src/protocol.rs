//! The words between this process and a warm server: requests, and what a program says of itself.
//!
//! What a program says comes from a process that nobody trusts. It counts only where the kernel saw an end of that kind, and lines
//! that are not as they should be count as not said.

use crate::program::{Called, Covered, End, Outcome, Program, Test};
use serde::Deserialize;
use std::{io, slice};

/// What was seen of a process.
#[derive(Debug, Default)]
pub(crate) struct Seen {
    /// Why it was ended.
    pub over: Option<End>,
    /// Its status in the kernel's form.
    pub status: i32,
    /// What it wrote to standard output.
    pub stdout: Vec<u8>,
    /// What it wrote to standard error.
    pub stderr: Vec<u8>,
    /// What it said of itself, in lines.
    pub said: Vec<u8>,
}

/// One line of what a program says of itself.
#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum Said {
    Called(Called),
    Outcome(Outcome),
    End(End),
    Covered(Covered),
}

/// A request to run `jobs`, in one process if there are several. It is a value in Python's own binary form (`marshal`), which a
/// program's process reads with the least work: a list of dictionaries. Texts of 2 GiB or more are refused.
pub(crate) fn request(jobs: &[(&Program, &Test)]) -> io::Result<Vec<u8>> {
    let mut to = Vec::new();
    list(&mut to, jobs, |to, (program, test)| {
        to.push(b'{');
        text(to, "text")?;
        text(to, &program.text)?;
        match test {
            Test::Asserts { code } => {
                text(to, "asserts")?;
                text(to, code)?;
            }
            Test::Calls { function, inputs } => {
                text(to, "function")?;
                text(to, function)?;
                text(to, "inputs")?;
                list(to, inputs, |to, call| list(to, call, |to, argument| text(to, argument)))?;
            }
            Test::Values { calls, patience, cover } => {
                text(to, "calls")?;
                list(to, calls, |to, call| {
                    list(to, &[slice::from_ref(&call.function), &call.arguments].concat(), |to, part| {
                        text(to, part)
                    })
                })?;
                text(to, "patience")?;
                text(to, &patience.to_string())?;
                text(to, "cover")?;
                text(to, if *cover { "1" } else { "" })?;
            }
            Test::Stdio { .. } => {}
        }
        to.push(b'0');
        Ok(())
    })?;
    Ok(to)
}

fn list<T>(
    to: &mut Vec<u8>,
    items: &[T],
    each: impl Fn(&mut Vec<u8>, &T) -> io::Result<()>,
) -> io::Result<()> {
    to.push(b'[');
    size(to, items.len())?;
    items.iter().try_for_each(|item| each(to, item))
}

fn text(to: &mut Vec<u8>, text: &str) -> io::Result<()> {
    to.push(b'u');
    size(to, text.len())?;
    to.extend(text.as_bytes());
    Ok(())
}

fn size(to: &mut Vec<u8>, size: usize) -> io::Result<()> {
    let size = i32::try_from(size).map_err(|_| io::Error::from(io::ErrorKind::InvalidInput))?;
    to.extend(size.to_le_bytes());
    Ok(())
}

impl Seen {
    fn said(&self) -> impl Iterator<Item = Said> {
        self.said.split(|byte| *byte == b'\n').filter_map(|line| serde_json::from_slice(line).ok())
    }

    /// What was seen of one program that had the process for itself.
    pub(crate) fn outcome(self) -> Outcome {
        let (mut calls, mut said_end, mut covered) = (Vec::new(), None, None);
        for said in self.said() {
            match said {
                Said::Called(called) => calls.push(called),
                Said::End(said) => said_end = Some(said),
                Said::Covered(part) => covered = Some(part),
                Said::Outcome(_) => {}
            }
        }
        let end = self.over.unwrap_or_else(|| believed(by_status(self.status), said_end));
        Outcome { end, stdout: self.stdout, stderr: self.stderr, calls, covered }
    }

    /// What was seen of `count` programs that shared a process; nothing unless all of them came to their end.
    pub(crate) fn outcomes(&self, count: usize) -> Option<Vec<Outcome>> {
        let outcome = |said| if let Said::Outcome(outcome) = said { Some(outcome) } else { None };
        let outcomes: Vec<Outcome> = self.said().filter_map(outcome).collect();
        let all = outcomes.len() == count && self.status == 0 && self.over.is_none();
        (all && outcomes.iter().all(Outcome::passed)).then_some(outcomes)
    }
}

/// The end that a status in the kernel's form tells.
pub(crate) fn by_status(status: i32) -> End {
    if libc::WIFSIGNALED(status) {
        match libc::WTERMSIG(status) {
            libc::SIGXCPU => End::TimedOut,
            signal => End::Killed(signal),
        }
    } else {
        End::Exited(libc::WEXITSTATUS(status))
    }
}

/// What a program says of its end counts only where the kernel saw an end of that kind.
fn believed(seen: End, said: Option<End>) -> End {
    match (seen, said) {
        (End::Exited(0), Some(End::Finished)) => End::Finished,
        (End::Exited(1), Some(End::Raised(class))) => End::Raised(class),
        (seen, _) => seen,
    }
}

/// The outcome of a process that ended with `status` in the kernel's form, wrote nothing, and said this of itself. For the fuzz target.
#[doc(hidden)]
pub fn outcome_of(said: &[u8], status: i32) -> Outcome {
    Seen { said: said.to_vec(), status, ..Seen::default() }.outcome()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(said: &str, status: i32) -> Outcome {
        Seen { said: said.into(), status, ..Seen::default() }.outcome()
    }

    #[test]
    fn an_end_counts_if_the_kernel_saw_one_of_its_kind() {
        let finished = "{\"end\":\"finished\"}\n";
        assert_eq!(outcome(finished, 0).end, End::Finished);
        assert_eq!(outcome("", 0).end, End::Exited(0));
        assert_eq!(outcome(finished, 3 << 8).end, End::Exited(3));
        assert_eq!(outcome(finished, 9).end, End::Killed(9));
        assert_eq!(outcome(finished, 24).end, End::TimedOut);
        assert_eq!(
            outcome("{\"end\":{\"raised\":\"KeyError\"}}", 1 << 8).end,
            End::Raised("KeyError".into())
        );
        let over = Seen { over: Some(End::TimedOut), said: finished.into(), ..Seen::default() };
        assert_eq!(over.outcome().end, End::TimedOut);
    }

    #[test]
    fn lines_that_are_no_lines_are_passed_over() {
        let outcome = outcome("\n{\n[]\n{\"called\":{\"returned\":\"1\"}}\n{\"end\":7}", 0);
        assert_eq!(outcome.calls, [Called::Returned("1".into())]);
        assert_eq!(outcome.end, End::Exited(0));
    }

    #[test]
    fn a_group_counts_if_all_of_it_came_to_its_end() {
        let line = r#"{"outcome":{"end":"finished","stdout":"1","stderr":"","calls":[]}}"#;
        let seen = |said: String, status| Seen { said: said.into_bytes(), status, ..Seen::default() };
        assert_eq!(seen(format!("{line}\n{line}"), 0).outcomes(2).map(|outcomes| outcomes.len()), Some(2));
        assert!(seen(line.to_owned(), 0).outcomes(2).is_none());
        assert!(seen(line.to_owned(), 9).outcomes(1).is_none());
        assert!(seen(line.replace("finished", "timed_out"), 0).outcomes(1).is_none());
    }
}
