//! The commands behind code actions, and what an editor gives them.

use std::path::PathBuf;

use familiar_review::Judgement;
use familiar_source::Lines;
use serde::Deserialize;
use serde_json::Value;

use crate::uri;

/// Shows another place of a clone.
pub(crate) const OPEN: &str = "familiar.open";
/// Writes a page that compares two places, and shows it in the browser.
pub(crate) const COMPARE: &str = "familiar.compare";
/// Settles a finding.
pub(crate) const ACCEPT: &str = "familiar.accept";
/// Is answered when all that came before is searched: for scripts.
pub(crate) const IDLE: &str = "familiar.idle";
/// A command of the editor's own, which asks for a reason and then accepts.
pub(crate) const ASK_REASON: &str = "familiar.askReason";

/// A command with what it needs.
#[derive(Debug)]
pub(crate) enum Request {
    Open { uri: String, lines: Lines },
    Compare { file: PathBuf, bytes: (usize, usize), other: (PathBuf, Lines) },
    Accept { fingerprints: Vec<String>, judgement: Judgement, reason: String, place: String },
    Idle,
}

#[derive(Deserialize)]
struct Opened {
    uri: String,
    lines: (u32, u32),
}

#[derive(Deserialize)]
struct Compared {
    uri: String,
    bytes: (usize, usize),
    other: String,
    lines: (u32, u32),
}

#[derive(Deserialize)]
struct Accepted {
    fingerprints: Vec<String>,
    decision: String,
    #[serde(default)]
    reason: String,
    #[serde(default)]
    place: String,
}

impl Request {
    /// The command with this name; an error says what is wrong with its argument.
    pub(crate) fn read(command: &str, arguments: Option<Vec<Value>>) -> Result<Self, String> {
        let argument = arguments.into_iter().flatten().next().unwrap_or_default();
        let wrong = |error: serde_json::Error| format!("the argument of {command}: {error}");
        let file = |uri: &str| uri::to_path(uri).ok_or_else(|| format!("{uri} names no file"));
        let lines = |(start, end): (u32, u32)| Lines::new(start.max(1), end.max(start).max(1));
        match command {
            OPEN => {
                let opened: Opened = serde_json::from_value(argument).map_err(wrong)?;
                file(&opened.uri)?;
                Ok(Self::Open { uri: opened.uri, lines: lines(opened.lines) })
            }
            COMPARE => {
                let compared: Compared = serde_json::from_value(argument).map_err(wrong)?;
                let other = (file(&compared.other)?, lines(compared.lines));
                Ok(Self::Compare { file: file(&compared.uri)?, bytes: compared.bytes, other })
            }
            ACCEPT => {
                let accepted: Accepted = serde_json::from_value(argument).map_err(wrong)?;
                let judgement = Judgement::from_name(&accepted.decision)
                    .ok_or_else(|| format!("{} is no decision", accepted.decision))?;
                let Accepted { fingerprints, reason, place, .. } = accepted;
                Ok(Self::Accept { fingerprints, judgement, reason, place })
            }
            IDLE => Ok(Self::Idle),
            other => Err(format!("there is no command {other}")),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_is_wrong_with_an_argument_is_told() {
        let read = |command, argument: Value| Request::read(command, Some(vec![argument]));
        assert!(matches!(read(OPEN, json!({"uri": "file:///a", "lines": [3, 1]})),
            Ok(Request::Open { lines, .. }) if lines == Lines::new(3, 3)));
        for (command, argument, part) in [
            (OPEN, json!({"uri": "http://a", "lines": [1, 2]}), "names no file"),
            (OPEN, json!(null), "the argument"),
            (COMPARE, json!({"uri": "file:///a"}), "bytes"),
            (ACCEPT, json!({"fingerprints": [], "decision": "maybe"}), "maybe"),
            ("familiar.other", json!({}), "no command"),
        ] {
            let error = read(command, argument).expect_err(command);
            assert!(error.contains(part), "{error}");
        }
        assert!(Request::read(ACCEPT, None).is_err());
    }
}
