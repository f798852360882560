//! What is said of a value that is no number: what to give, in place of what the parser of numbers says of its text.

use std::error::Error as _;
use std::ffi::OsString;
use std::net::AddrParseError;
use std::num::{IntErrorKind, ParseFloatError, ParseIntError};

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{ArgMatches, Command, Error};

/// What the words of a command line are for `command`.
pub(crate) fn matches<I, T>(mut command: Command, words: I) -> Result<ArgMatches, Error>
where
    I: IntoIterator<Item = T>,
    T: Into<OsString> + Clone,
{
    command.try_get_matches_from_mut(words).map_err(|error| in_our_words(error, &command))
}

fn in_our_words(error: Error, command: &Command) -> Error {
    if error.kind() != ErrorKind::ValueValidation {
        return error;
    }
    let context = |kind: ContextKind| match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text.clone()),
        _ => None,
    };
    let (flag, value) = (context(ContextKind::InvalidArg), context(ContextKind::InvalidValue));
    let (Some(flag), Some(value), Some(expected)) = (flag, value, expected(&error)) else { return error };
    let message =
        format!("invalid value '{value}' for '{flag}': {expected}\n\nFor more information, try '--help'.\n");
    let mut told = Error::raw(ErrorKind::ValueValidation, message).with_cmd(command);
    told.insert(ContextKind::InvalidArg, ContextValue::String(flag));
    told.insert(ContextKind::InvalidValue, ContextValue::String(value));
    told
}

/// What the flag takes; none where the error says it.
fn expected(error: &Error) -> Option<String> {
    let source = error.source()?;
    if let Some(error) = source.downcast_ref::<ParseIntError>() {
        return Some(whole_number(error));
    }
    if source.is::<ParseFloatError>() {
        return Some("give a number, such as 0.9".to_owned());
    }
    if source.is::<AddrParseError>() {
        return Some("give an address and a port, such as 127.0.0.1:7420".to_owned());
    }
    // The parser's `7 is not in 1..=5`.
    let said = source.to_string();
    let (least, most) = said.split_once(" is not in ")?.1.split_once("..=")?;
    Some(format!("give a whole number from {least} to {most}"))
}

/// What to give where a text is no whole number.
pub(crate) fn whole_number(error: &ParseIntError) -> String {
    match error.kind() {
        IntErrorKind::PosOverflow => "the number is too large".to_owned(),
        _ => "give a whole number, such as 10".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;
    use crate::Familiar;

    /// What parsers of the standard library and of the command line say.
    const OF_PARSERS: [&str; 6] =
        ["digit", "float literal", "in string", "fit in target", "invalid socket", " is not in "];

    #[test]
    fn no_flag_answers_with_the_words_of_a_parser() {
        let mut told = 0;
        check(&Familiar::command(), &[], &mut told);
        assert!(told > 20, "only {told} flags were asked");
    }

    fn check(command: &Command, verbs: &[&str], told: &mut usize) {
        for verb in command.get_subcommands() {
            check(verb, &[verbs, &[verb.get_name()]].concat(), told);
        }
        let takes = |flag: &&clap::Arg| flag.get_action().takes_values() && flag.get_long().is_some();
        for name in command.get_arguments().filter(takes).filter_map(clap::Arg::get_long) {
            for value in ["x", "-1", "1.5.2", "99999999999999999999999"] {
                let flag = format!("--{name}={value}");
                let words = ["familiar"].iter().chain(verbs).copied().chain([flag.as_str()]);
                let Err(error) = matches(Familiar::command(), words) else { continue };
                let said = error.to_string();
                assert!(!OF_PARSERS.iter().any(|words| said.contains(words)), "{verbs:?} {flag}: {said}");
                *told += usize::from(said.contains("give a"));
            }
        }
    }
}
