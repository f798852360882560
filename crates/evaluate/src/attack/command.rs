//! Any program as a detector: JSON lines go in, and JSON lines come out.
//!
//! A request is `{"pairs":[{"code1","lang1","code2","lang2"}…]}`, and its answer `{"scores":[…]}` with a number from 0 to 1 for each
//! pair, in their order. The program is started once, by the shell, and its standard input ends when nothing more is asked.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use super::pair_detector::{AnswerError, PairDetector, TextPair};

/// Pairs of one request.
const MOST_PAIRS: usize = 64;
/// How long a program may take to end when nothing more is asked.
const FAREWELL: Duration = Duration::from_secs(2);
/// Longer answers are nonsense.
const MOST_ANSWER: u64 = 1 << 20;

/// A program that says how alike two pieces of code are.
#[derive(Debug)]
pub struct CommandDetector {
    name: String,
    patience: Duration,
    /// The running program, or why it runs no longer.
    state: Mutex<Result<Running, AnswerError>>,
}

#[derive(Debug)]
struct Running {
    child: Child,
    requests: Sender<Vec<u8>>,
    answers: Receiver<Result<Vec<u8>, std::io::Error>>,
}

#[derive(Serialize)]
struct Request<'a> {
    pairs: Vec<Pair<'a>>,
}

#[derive(Serialize)]
struct Pair<'a> {
    code1: &'a str,
    lang1: &'a str,
    code2: &'a str,
    lang2: &'a str,
}

#[derive(Deserialize)]
struct Answer {
    scores: Vec<f64>,
}

impl CommandDetector {
    /// Starts `command` by the shell. `patience` is how long an answer may take.
    pub fn start(command: &str, patience: Duration) -> Result<Self, AnswerError> {
        let mut shell = if cfg!(windows) { Command::new("cmd") } else { Command::new("sh") };
        // A group of its own, so that nothing that it started outlives it.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut shell, 0);
        let mut child = shell
            .arg(if cfg!(windows) { "/C" } else { "-c" })
            .arg(command)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| AnswerError::Start(error.to_string()))?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(AnswerError::Start("it has no standard input and output".to_owned()));
        };
        // A program that does not read would block whoever writes to it, so threads of their own write and read.
        let requests = writer(input);
        let (send, answers) = channel();
        std::thread::spawn(move || {
            let mut output = BufReader::new(output);
            loop {
                let mut line = Vec::new();
                let mut rest = std::io::Read::take(&mut output, MOST_ANSWER);
                let read = rest.read_until(b'\n', &mut line).map(|_| line);
                let ends = !matches!(&read, Ok(line) if line.ends_with(b"\n"));
                if send.send(read).is_err() || ends {
                    return;
                }
            }
        });
        let state = Mutex::new(Ok(Running { child, requests, answers }));
        Ok(Self { name: format!("command:{command}"), patience, state })
    }

    /// Ends the program, so that what it took can be counted. It has a moment to end by itself when its input does. All further calls
    /// fail.
    pub fn finish(&self) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if let Ok(mut running) = std::mem::replace(&mut *state, Err(AnswerError::Ended)) {
            running.end();
        }
    }
}

impl PairDetector for CommandDetector {
    /// `command:` and the command.
    fn name(&self) -> &str {
        &self.name
    }

    /// After an error, all further calls fail with it.
    fn scores_between(&self, pairs: &[TextPair<'_>]) -> Result<Vec<f64>, AnswerError> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let mut scores = Vec::with_capacity(pairs.len());
        for some in pairs.chunks(MOST_PAIRS) {
            let running = state.as_mut().map_err(|error| error.clone())?;
            match running.asked(some, self.patience) {
                Ok(answer) => scores.extend(answer),
                Err(error) => {
                    *state = Err(error.clone());
                    return Err(error);
                }
            }
        }
        Ok(scores)
    }
}

impl Running {
    /// Ends its input, and waits a while.
    fn end(&mut self) {
        self.requests = channel().0;
        let until = Instant::now() + FAREWELL;
        while matches!(self.child.try_wait(), Ok(None)) && Instant::now() < until {
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    fn asked(&mut self, pairs: &[TextPair<'_>], patience: Duration) -> Result<Vec<f64>, AnswerError> {
        let count = pairs.len();
        let codes: Vec<_> = pairs
            .iter()
            .map(|pair| pair.map(|(language, text)| (language.name(), String::from_utf8_lossy(text))))
            .collect();
        let pairs = codes.iter().map(|[(lang1, code1), (lang2, code2)]| Pair { code1, lang1, code2, lang2 });
        let request = serde_json::to_vec(&Request { pairs: pairs.collect() });
        let mut request = request.map_err(|error| AnswerError::Nonsense(error.to_string()))?;
        request.push(b'\n');
        // What was said without being asked would be taken for the answer, and each answer for that of the next request.
        match self.answers.try_recv() {
            Ok(Ok(line)) if !line.is_empty() => {
                return Err(AnswerError::Nonsense("it wrote more lines than it was asked for".to_owned()));
            }
            Ok(Ok(_)) => return Err(AnswerError::Ended),
            Ok(Err(error)) => return Err(AnswerError::Nonsense(error.to_string())),
            Err(_) => {}
        }
        // A program that reads no more is seen by its answer, or for want of one.
        let _ = self.requests.send(request);
        let line = match self.answers.recv_timeout(patience) {
            Ok(Ok(line)) if line.is_empty() => return Err(AnswerError::Ended),
            Ok(Ok(line)) => line,
            Ok(Err(error)) => return Err(AnswerError::Nonsense(error.to_string())),
            Err(RecvTimeoutError::Timeout) => return Err(AnswerError::Silent(patience)),
            Err(RecvTimeoutError::Disconnected) => return Err(AnswerError::Ended),
        };
        let Answer { scores } =
            serde_json::from_slice(&line).map_err(|error| AnswerError::Nonsense(error.to_string()))?;
        AnswerError::checked(scores, count)
    }
}

/// Writes what it is sent to a program, until nobody sends or the program reads no more.
fn writer(mut input: ChildStdin) -> Sender<Vec<u8>> {
    let (send, requests) = channel::<Vec<u8>>();
    std::thread::spawn(move || {
        for request in requests {
            if input.write_all(&request).and_then(|()| input.flush()).is_err() {
                return;
            }
        }
    });
    send
}

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended by itself; nothing depends on how.
        #[cfg(unix)]
        if let Some(group) = i32::try_from(self.child.id()).ok().and_then(rustix::process::Pid::from_raw) {
            let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[cfg(all(test, unix))]
mod tests {
    use familiar_source::Language::Python;

    use super::*;

    fn asked(command: &str) -> Result<Vec<f64>, String> {
        let detector =
            CommandDetector::start(command, Duration::from_millis(700)).map_err(|error| error.to_string())?;
        // More than a pipe holds, so that a program that does not read is noticed.
        let long = vec![b'c'; 300_000];
        let pairs: [TextPair<'_>; 2] = [[(Python, b"a"), (Python, b"b")], [(Python, b"a"), (Python, &long)]];
        let scores = detector.scores_between(&pairs).map_err(|error| error.to_string());
        let again = detector.scores_between(&pairs).map_err(|error| error.to_string());
        assert_eq!(scores.is_ok(), again.is_ok());
        scores
    }

    #[test]
    fn each_line_of_pairs_has_a_line_of_scores() {
        let echo = r#"while read -r line; do case "$line" in '{"pairs":[{"code1":"a","lang1":"python","code2":"b"'*) echo '{"scores":[0.5,1]}';; esac; done"#;
        assert_eq!(asked(echo), Ok(vec![0.5, 1.0]));
    }

    #[test]
    fn a_program_that_fails_says_how() {
        for (command, expected) in [
            ("exit 3", "has ended"),
            ("sleep 20 <&0", "gave no answer for 0 seconds"),
            ("read line; echo nonsense", "expected"),
            ("read line; echo '{\"scores\":[1]}'", "1 scores for 2 pairs"),
            ("read line; echo '{\"scores\":[0,2]}'", "2 is not a number from 0 to 1"),
            ("read line; head -c 3000000 /dev/zero; sleep 20", "answer"),
        ] {
            let error = asked(command).expect_err(command);
            assert!(error.contains(expected), "{command}: {error}");
        }
    }

    #[test]
    fn a_line_too_many_is_no_answer() {
        let command = "echo '{\"scores\":[0]}'; while read line; do echo '{\"scores\":[1]}'; done";
        let detector = CommandDetector::start(command, Duration::from_secs(20)).expect("it starts");
        let pair: [TextPair<'_>; 1] = [[(Python, b"a"), (Python, b"b")]];
        let ask = || {
            std::thread::sleep(Duration::from_millis(20));
            detector.scores_between(&pair).err()
        };
        let error = (0..50).find_map(|_| ask()).expect("the first line was not asked for");
        assert!(error.to_string().contains("more lines"), "{error}");
    }
}
