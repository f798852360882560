//! The words between this process and a warm server: frames, and the replies in them.
//!
//! A frame is four bytes with the length, the lowest first, and JSON. What a program says of itself (`said`) comes from a process
//! that nobody trusts: lines that are not as they should be count as not said.

use crate::program::{Called, End, Outcome, Program, Test};
use serde::Deserialize;
use serde_json::json;
use std::io::{self, Read, Write};

/// No frame is longer: a reply holds three streams within their limits, each letter as six bytes at most.
pub(crate) const LONGEST: usize = 1 << 30;

/// What a server answers.
#[derive(Debug, Deserialize)]
pub(crate) struct Reply {
    #[serde(with = "crate::program::bytes")]
    stdout: Vec<u8>,
    #[serde(with = "crate::program::bytes")]
    stderr: Vec<u8>,
    #[serde(with = "crate::program::bytes")]
    said: Vec<u8>,
    over: Option<String>,
    exited: Option<i32>,
    killed: Option<i32>,
}

/// One line of what a program says of itself.
#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum Said {
    Called(Called),
    Outcome(Outcome),
    End(End),
}

/// Writes a request to run `jobs`, in one process if there are several.
pub(crate) fn write_request(to: &mut impl Write, jobs: &[(&Program, &Test)]) -> io::Result<()> {
    let jobs: Vec<_> = jobs.iter().map(|(program, test)| request(program, test)).collect();
    let body = serde_json::to_vec(&json!({ "jobs": jobs }))?;
    let length = u32::try_from(body.len()).ok().filter(|length| *length as usize <= LONGEST);
    let length =
        length.ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "a program is too long"))?;
    to.write_all(&[&length.to_le_bytes(), body.as_slice()].concat())?;
    to.flush()
}

fn request(program: &Program, test: &Test) -> serde_json::Value {
    let text = &program.text;
    match test {
        Test::Asserts { code } => json!({"text": text, "asserts": code}),
        Test::Calls { function, inputs } => json!({"text": text, "function": function, "inputs": inputs}),
        Test::Stdio { input } => {
            let letters: String = input.iter().map(|byte| char::from(*byte)).collect();
            json!({"text": text, "input": letters})
        }
    }
}

/// Reads one frame.
pub(crate) fn read_frame(from: &mut impl Read) -> io::Result<Vec<u8>> {
    let mut length = [0; 4];
    from.read_exact(&mut length)?;
    let length = u32::from_le_bytes(length) as usize;
    if length > LONGEST {
        return Err(io::Error::new(io::ErrorKind::InvalidData, "a reply is too long"));
    }
    let mut body = Vec::new();
    if from.take(length as u64).read_to_end(&mut body)? < length {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    Ok(body)
}

/// Reads the reply in a frame.
pub(crate) fn read_reply(body: &[u8]) -> io::Result<Reply> {
    serde_json::from_slice(body).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))
}

impl Reply {
    fn said(&self) -> impl Iterator<Item = Said> {
        self.said.split(|byte| *byte == b'\n').filter_map(|line| serde_json::from_slice(line).ok())
    }

    /// What was seen of one program that had the process for itself.
    pub(crate) fn outcome(self) -> Outcome {
        let (mut calls, mut end) = (Vec::new(), None);
        for said in self.said() {
            match said {
                Said::Called(called) => calls.push(called),
                Said::End(said) => end = Some(said),
                Said::Outcome(_) => {}
            }
        }
        let seen = match (self.over.as_deref(), self.killed, self.exited) {
            (Some("output"), ..) => End::TooMuchOutput,
            (Some("disk"), ..) => End::TooMuchOnDisk,
            (Some(_), ..) | (None, Some(CPU_TIME), _) => End::TimedOut,
            (None, Some(signal), _) => End::Killed(signal),
            (None, None, code) => End::Exited(code.unwrap_or(0)),
        };
        Outcome { end: believed(seen, end), stdout: self.stdout, stderr: self.stderr, calls }
    }

    /// What was seen of `count` programs that shared a process; nothing unless all of them came to their end.
    pub(crate) fn outcomes(self, count: usize) -> Option<Vec<Outcome>> {
        let outcomes: Vec<Outcome> = self
            .said()
            .filter_map(|said| if let Said::Outcome(outcome) = said { Some(outcome) } else { None })
            .collect();
        let all = outcomes.len() == count && self.exited == Some(0) && self.over.is_none();
        (all && outcomes.iter().all(Outcome::passed)).then_some(outcomes)
    }
}

/// The signal of a process that has used up its time.
const CPU_TIME: i32 = 24;

/// What a program says of its end counts only where the kernel saw an end of that kind.
fn believed(seen: End, said: Option<End>) -> End {
    match (seen, said) {
        (End::Exited(0), Some(End::Finished)) => End::Finished,
        (End::Exited(1), Some(End::Raised(class))) => End::Raised(class),
        (seen, _) => seen,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reply(said: &str, rest: &str) -> Reply {
        let said = serde_json::to_string(said).expect("text");
        read_reply(format!(r#"{{"stdout":"","stderr":"","said":{said},"over":null{rest}}}"#).as_bytes())
            .expect("a reply")
    }

    #[test]
    fn an_end_counts_if_the_kernel_saw_one_of_its_kind() {
        let finished = "{\"end\":\"finished\"}\n";
        assert_eq!(reply(finished, ",\"exited\":0").outcome().end, End::Finished);
        assert_eq!(reply("", ",\"exited\":0").outcome().end, End::Exited(0));
        assert_eq!(reply(finished, ",\"exited\":3").outcome().end, End::Exited(3));
        assert_eq!(reply(finished, ",\"killed\":9").outcome().end, End::Killed(9));
        assert_eq!(reply(finished, ",\"killed\":24").outcome().end, End::TimedOut);
        let raised = "{\"end\":{\"raised\":\"KeyError\"}}";
        assert_eq!(reply(raised, ",\"exited\":1").outcome().end, End::Raised("KeyError".into()));
    }

    #[test]
    fn lines_that_are_no_lines_are_passed_over() {
        let outcome =
            reply("\n{\n[]\n{\"called\":{\"returned\":\"1\"}}\n{\"end\":7}", ",\"exited\":0").outcome();
        assert_eq!(outcome.calls, [Called::Returned("1".into())]);
        assert_eq!(outcome.end, End::Exited(0));
    }

    #[test]
    fn frames_are_whole_or_refused() {
        let mut frame = 5_u32.to_le_bytes().to_vec();
        frame.extend(b"abcdefg");
        assert_eq!(read_frame(&mut frame.as_slice()).expect("whole"), b"abcde");
        assert!(read_frame(&mut &frame[..7]).is_err());
        assert!(read_frame(&mut u32::MAX.to_le_bytes().as_slice()).is_err());
    }
}
