//! Years and ranges of years, as statements of copyright list them.

use super::tokens::{Kind, Tokens};

/// Years as written, and the number of the first token after them.
pub(super) struct Years {
    pub text: String,
    pub next: usize,
}

const MOST_PARTS: usize = 400;

/// The list of years that begins with the token `at`. It may go on over ends of lines after a comma or a dash.
pub(super) fn years(tokens: &mut Tokens<'_>, at: usize) -> Option<Years> {
    let mut at = skip_month(tokens, at);
    let mut parts: Vec<String> = Vec::new();
    let mut next = at;
    let mut open = false;
    while parts.len() < MOST_PARTS {
        let token = tokens.get(at);
        let (kind, trail, text) = (token.kind, token.trail, token.text.clone());
        let bare = text.trim_end_matches(['.', ')']);
        match kind {
            Kind::Line if trail.is_none() && (open || follows_comma(tokens, next)) && !parts.is_empty() => {}
            Kind::Word if is_dash(bare) && !parts.is_empty() && !open => {
                if !continues(tokens, at + 1) {
                    break;
                }
                parts.push("-".to_owned());
                open = true;
            }
            Kind::Word
                if is_years(bare)
                    || (open && is_now(bare))
                    || (!parts.is_empty() && follows_comma(tokens, next) && is_short(bare)) =>
            {
                if parts.is_empty() || open {
                    open = bare.ends_with(['-', '–']) && continues(tokens, at + 1);
                } else {
                    parts.push(", ".to_owned());
                    open = bare.ends_with(['-', '–']) && continues(tokens, at + 1);
                }
                parts.push(bare.replace(',', ", "));
                next = at + 1;
                if text.ends_with('.') || matches!(trail, Some(':' | ';')) {
                    break;
                }
            }
            Kind::Word
                if !parts.is_empty() && matches!(bare, "and" | "&" | "to" | "through" | "thru" | "until") =>
            {
                let after = tokens.get(at + 1);
                if after.kind != Kind::Word || !(is_years(&after.text) || is_now(&after.text)) {
                    break;
                }
                if bare != "and" && bare != "&" {
                    parts.push("-".to_owned());
                    open = true;
                }
            }
            _ => break,
        }
        at += 1;
    }
    (!parts.is_empty()).then(|| {
        if parts.last().is_some_and(|last| last == "-") {
            parts.pop();
        }
        Years { text: parts.concat(), next }
    })
}

fn follows_comma(tokens: &mut Tokens<'_>, next: usize) -> bool {
    next > 0 && tokens.get(next - 1).trail == Some(',')
}

/// Whether a range that is open goes on with the token.
fn continues(tokens: &mut Tokens<'_>, at: usize) -> bool {
    let at = if tokens.kind(at) == Kind::Line { at + 1 } else { at };
    let token = tokens.get(at);
    token.kind == Kind::Word && (is_years(&token.text) || is_now(&token.text))
}

fn skip_month(tokens: &mut Tokens<'_>, at: usize) -> usize {
    const MONTHS: [&str; 12] =
        ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
    let word = tokens.lower(at);
    let month = word.get(..3).is_some_and(|short| MONTHS.contains(&short)) && word.len() <= "september".len();
    if month && is_years(&tokens.get(at + 1).text) { at + 1 } else { at }
}

fn is_dash(word: &str) -> bool {
    matches!(word, "-" | "–" | "—" | "--")
}

fn is_now(word: &str) -> bool {
    let word = word.trim_end_matches(['.', ')']).to_ascii_lowercase();
    matches!(word.as_str(), "present" | "now" | "today" | "current" | "date")
}

/// `98` in `1997, 98`, `2` in `1991-2`.
fn is_short(word: &str) -> bool {
    (1..=2).contains(&word.len()) && word.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether the word is a year, a range or a list of them without spaces: `1999`, `1999-2004`, `2010-present`, `2008+`, `1999,2001-03`.
pub(super) fn is_years(word: &str) -> bool {
    let word = word.trim_end_matches(['.', ')']);
    let mut parts = word.split(['-', '–', '—', '/', ',', '~', '+']);
    let first = parts.next().is_some_and(is_year);
    first && parts.all(|part| part.is_empty() || is_year(part) || is_short(part) || is_now(part))
}

fn is_year(word: &str) -> bool {
    word.len() == 4
        && (word.starts_with("19") || word.starts_with("20"))
        && word.bytes().all(|byte| byte.is_ascii_digit())
}
