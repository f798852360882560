//! Messages over standard input and output: each is bounded before anything is allocated for it, and what is broken is told and
//! skipped.

use std::io::{self, BufRead, Read, Write};
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender};
use lsp_server::{ErrorCode, Message, Notification};
use serde_json::{Value, json};

/// Most bytes of a message. Editors send whole files in them.
pub const MOST_BYTES: u64 = 64 << 20;

/// Most bytes of all headers of a message.
const MOST_HEADERS: u64 = 16 << 10;

/// What comes over the wire.
#[derive(Debug)]
pub enum Incoming {
    Message(Message),
    /// What is no message, and is skipped: the code of JSON-RPC, and what is wrong.
    Broken(i32, String),
}

/// What goes out.
#[derive(Debug)]
pub enum Outgoing {
    Message(Message),
    /// The answer to what could not be read: an error that names no request.
    Refusal(i32, String),
    /// Nothing follows.
    End,
}

/// Reads one message of at most `most` bytes; none where the client has gone. An error where its messages can be told apart no more.
pub fn read_message(input: &mut impl BufRead, most: u64) -> io::Result<Option<Incoming>> {
    let Some(length) = content_length(input)? else { return Ok(None) };
    if length > most {
        let skipped = io::copy(&mut input.take(length), &mut io::sink())?;
        if skipped < length {
            return Ok(None);
        }
        let what = format!("a message of {} MB was skipped: the limit is {} MB", length >> 20, most >> 20);
        return Ok(Some(Incoming::Broken(ErrorCode::InvalidRequest as i32, what)));
    }
    let mut bytes = vec![0; length as usize];
    if let Err(error) = input.read_exact(&mut bytes) {
        return if error.kind() == io::ErrorKind::UnexpectedEof { Ok(None) } else { Err(error) };
    }
    Ok(Some(message(&bytes)))
}

fn message(bytes: &[u8]) -> Incoming {
    let value: Value = match serde_json::from_slice(bytes) {
        Ok(value) => value,
        Err(error) => return Incoming::Broken(ErrorCode::ParseError as i32, format!("no JSON: {error}")),
    };
    let is_id = |id: &Value| id.is_string() || id.as_i64().is_some_and(|id| i32::try_from(id).is_ok());
    let (has_method, has_answer) =
        (value.get("method").is_some(), value.get("result").or(value.get("error")).is_some());
    let is_sound = !has_method || value.get("id").is_none_or(is_id);
    if let Some(message) = is_sound.then(|| serde_json::from_value(value).ok()).flatten() {
        return Incoming::Message(message);
    }
    if has_answer && !has_method {
        // The answer to nothing that was asked. It is not answered in its turn, or two programs would do so for ever.
        let method = "$/unknownAnswer".to_owned();
        return Incoming::Message(Notification { method, params: Value::Null }.into());
    }
    let what = "it is neither a request, a response nor a notification".to_owned();
    Incoming::Broken(ErrorCode::InvalidRequest as i32, what)
}

/// The length that the headers of a message name; none where the input ends.
fn content_length(input: &mut impl BufRead) -> io::Result<Option<u64>> {
    let invalid = |what: &str| io::Error::new(io::ErrorKind::InvalidData, what);
    let (mut length, mut left) = (None, MOST_HEADERS);
    loop {
        let mut line = Vec::new();
        let read = input.by_ref().take(left).read_until(b'\n', &mut line)? as u64;
        if read == 0 && left > 0 {
            return Ok(None);
        }
        left -= read;
        if line.last() != Some(&b'\n') {
            return if left == 0 { Err(invalid("the headers of a message have no end")) } else { Ok(None) };
        }
        let line = line.trim_ascii();
        if line.is_empty() {
            match length {
                Some(length) => return Ok(Some(length)),
                // Empty lines between messages do no harm.
                None if left == MOST_HEADERS - read => continue,
                None => return Err(invalid("a message has no Content-Length")),
            }
        }
        let line = String::from_utf8_lossy(line);
        if let Some((name, value)) = line.split_once(':')
            && name.trim().eq_ignore_ascii_case("content-length")
        {
            let value = value.trim().parse();
            length = Some(value.map_err(|_| invalid("the Content-Length of a message is no number"))?);
        }
    }
}

/// Writes one message.
pub(crate) fn write(outgoing: &Outgoing, out: &mut impl Write) -> io::Result<()> {
    match outgoing {
        Outgoing::Message(message) => message.write(out),
        Outgoing::Refusal(code, message) => {
            let error = json!({"jsonrpc": "2.0", "id": null, "error": {"code": code, "message": message}});
            let text = error.to_string();
            write!(out, "Content-Length: {}\r\n\r\n{text}", text.len())?;
            out.flush()
        }
        Outgoing::End => out.flush(),
    }
}

/// The two ends of a connection, as a server holds them.
pub struct Connection {
    pub incoming: Receiver<Incoming>,
    pub outgoing: Sender<Outgoing>,
}

/// Writes what is on its way, and waits for it as long as a client that reads may take.
pub struct Writer {
    end: Sender<Outgoing>,
    thread: thread::JoinHandle<()>,
}

/// How long a client may take to read the last messages.
const LAST_MESSAGES: Duration = Duration::from_secs(2);

impl Writer {
    /// Ends the writing.
    pub fn finish(self) {
        let (start, pause) = (Instant::now(), Duration::from_millis(5));
        let _ = self.end.send(Outgoing::End);
        while !self.thread.is_finished() && start.elapsed() < LAST_MESSAGES {
            thread::sleep(pause);
        }
    }
}

/// The connection over standard input and output.
pub fn stdio() -> (Connection, Writer) {
    let (to_server, incoming) = crossbeam_channel::bounded(64);
    let (outgoing, from_server) = crossbeam_channel::unbounded::<Outgoing>();
    let refusals = outgoing.clone();
    thread::spawn(move || {
        let mut input = io::stdin().lock();
        loop {
            match read_message(&mut input, MOST_BYTES) {
                Ok(Some(incoming)) => {
                    if to_server.send(incoming).is_err() {
                        return;
                    }
                }
                Ok(None) => return,
                Err(error) => {
                    // Where messages begin is not known any more: the server ends, as if the client had gone.
                    let _ = refusals.send(Outgoing::Refusal(ErrorCode::ParseError as i32, error.to_string()));
                    return;
                }
            }
        }
    });
    let thread = thread::spawn(move || {
        let mut out = io::stdout().lock();
        for message in from_server {
            if write(&message, &mut out).is_err() || matches!(message, Outgoing::End) {
                return;
            }
        }
    });
    let end = outgoing.clone();
    (Connection { incoming, outgoing }, Writer { end, thread })
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;

    fn framed(body: &str) -> Vec<u8> {
        format!("Content-Length: {}\r\n\r\n{body}", body.len()).into_bytes()
    }

    fn all(bytes: &[u8], most: u64) -> io::Result<Vec<Incoming>> {
        let mut input = Cursor::new(bytes);
        let mut all = Vec::new();
        while let Some(incoming) = read_message(&mut input, most)? {
            all.push(incoming);
        }
        Ok(all)
    }

    const EXIT: &str = r#"{"jsonrpc":"2.0","method":"exit"}"#;

    #[test]
    fn what_is_broken_or_too_large_is_skipped_and_the_next_message_is_read() {
        let deep = format!("{}{}", "[".repeat(5000), "]".repeat(5000));
        for (broken, code) in [
            (r#"{"jsonrpc""#, ErrorCode::ParseError),
            ("\u{fffd}", ErrorCode::ParseError),
            (&deep, ErrorCode::ParseError),
            ("[1]", ErrorCode::InvalidRequest),
            (r#"{"id":1.5,"method":"x"}"#, ErrorCode::InvalidRequest),
            (&" ".repeat(70_000), ErrorCode::InvalidRequest),
        ] {
            let read = all(&[framed(broken), framed(EXIT)].concat(), 60_000).expect("it goes on");
            let [Incoming::Broken(found, _), Incoming::Message(Message::Notification(exit))] =
                read.as_slice()
            else {
                panic!("{broken:.20}: {read:?}")
            };
            assert_eq!((*found, exit.method.as_str()), (code as i32, "exit"), "{broken:.20}");
        }
    }

    #[test]
    fn an_answer_to_nothing_is_not_answered() {
        let answer = framed(r#"{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":""}}"#);
        let read = all(&answer, 1 << 20).expect("it goes on");
        assert!(matches!(read.as_slice(), [Incoming::Message(Message::Notification(_))]), "{read:?}");
    }

    #[test]
    fn an_end_in_the_middle_is_an_end_and_lost_headers_are_an_error() {
        let whole = framed(EXIT);
        for end in 0..whole.len() {
            assert!(all(&whole[..end], 1 << 20).expect("an end").is_empty(), "{end}");
        }
        for lost in ["Content-Length: x\r\n\r\n", "Content-Type: y\r\n\r\n{}", &"x".repeat(20_000)] {
            assert!(all(lost.as_bytes(), 1 << 20).is_err(), "{lost:.20}");
        }
        let most = format!("Content-Length: {}\r\n\r\n", u64::MAX);
        assert!(all(most.as_bytes(), 1 << 20).expect("an end").is_empty());
    }

    #[test]
    fn a_refusal_names_no_request() {
        let mut bytes = Vec::new();
        write(&Outgoing::Refusal(-32700, "no JSON".to_owned()), &mut bytes).expect("memory takes it");
        let text = String::from_utf8(bytes).expect("it is JSON");
        assert!(text.contains(r#""id":null"#) && text.starts_with("Content-Length: "));
    }
}
