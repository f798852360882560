//! Whether a statement of copyright stands at a mark, and what it claims.

use super::before::Before;
use super::holder::{Holder, Manner, holder};
use super::marks::{Mark, MarkKind};
use super::tokens::{Kind, Token, Tokens};
use super::words::{NO_HOLDER, is_company, is_constant, is_name};
use super::years::{Years, years};

/// What was read at a mark.
pub(super) struct Read {
    pub claims: Vec<Claim>,
    /// The byte after it.
    pub end: usize,
}

pub(super) struct Claim {
    pub statement: String,
    pub holder: Option<String>,
    pub years: Option<String>,
    /// First and last line, counted from the line of the mark.
    pub lines: (u32, u32),
}

/// What a statement begins with.
#[derive(Default)]
struct Head {
    word: bool,
    sign: bool,
    letter: bool,
    tag: bool,
    /// `Copyright:`, as in `debian/copyright`.
    field: bool,
    /// `copyright` in small letters.
    small: bool,
    capitals: bool,
    /// `by`, `is held by`.
    by: bool,
    /// `is held by`: it stands in prose, where names go on in the next line.
    held: bool,
    /// The number of the first token after it, and after the marks alone.
    next: usize,
    marks: usize,
}

/// The statement at a mark, if there is one.
pub(super) fn read(text: &str, mark: Mark) -> Option<Read> {
    let before = Before::new(text, mark.at);
    let mut tokens = Tokens::new(text, mark);
    let mut head = head(&mut tokens)?;
    let first = years(&mut tokens, head.next);
    let mut at = first.as_ref().map_or(head.next, |years| years.next);
    if first.is_some() {
        at = skip_joining(&mut tokens, at, &mut head);
    }
    let name = skip_line(&mut tokens, at, &head, first.is_some());
    let held = holder(&mut tokens, name, Manner { dated: first.is_some(), prose: head.by && head.held });
    if first.is_none() && held.name.is_none() && held.years.is_none() {
        return None;
    }
    if !is_statement(&mut tokens, &head, &before, first.as_ref(), &held) {
        return None;
    }
    let years = first.map(|years| years.text);
    let next = if held.name.is_some() { held.next } else { at };
    let prefix = before.portions();
    let mut claims = vec![claim(&mut tokens, &prefix, 0..next, held, years)];
    let next = more(&mut tokens, &head, &before, next, &mut claims);
    let end = tokens.get(next - 1).end;
    Some(Read { claims, end })
}

/// More marks in a row than this are no statement.
const MOST_MARKS: usize = 6;

/// Reads the marks that the statement begins with.
fn head(tokens: &mut Tokens<'_>) -> Option<Head> {
    let mut head = Head::default();
    let mut at = 0;
    loop {
        let token = tokens.get(at).clone();
        match token.kind {
            Kind::Mark(MarkKind::Word) => {
                // `copyright: Copyright 2001 …`: the last one begins the statement.
                if head.field || head.word {
                    return None;
                }
                head.word = true;
                head.field = token.trail == Some(':');
                head.small = token.text.starts_with('c');
                head.capitals = token.text.starts_with("CO");
            }
            Kind::Mark(MarkKind::Sign) => head.sign = true,
            Kind::Mark(MarkKind::Letter) => head.letter = true,
            Kind::Mark(MarkKind::Tag | MarkKind::Macro) => head.tag = true,
            Kind::Line
                if head.word
                    && matches!(tokens.kind(at + 1), Kind::Mark(MarkKind::Sign | MarkKind::Letter)) => {}
            Kind::Word if head.word && token.text == "-" => {}
            _ => break,
        }
        at += 1;
        if at > MOST_MARKS {
            return None;
        }
    }
    if at == 0 {
        return None;
    }
    // The years may stand in the next line.
    if tokens.kind(at) == Kind::Line
        && (years(tokens, at + 1).is_some() || (head.field && tokens.kind(at + 1) == Kind::Word))
    {
        at += 1;
    }
    head.marks = at;
    head.next = skip_joining(tokens, at, &mut head);
    Some(head)
}

/// Skips `by`, `held by`, `is owned by`.
fn skip_joining(tokens: &mut Tokens<'_>, mut at: usize, head: &mut Head) -> usize {
    let start = at;
    loop {
        let word =
            if tokens.kind(at) == Kind::Line && at > start { tokens.lower(at + 1) } else { tokens.lower(at) };
        match word.trim_end_matches('.') {
            "by" => {
                head.by = true;
                return if tokens.kind(at) == Kind::Line { at + 2 } else { at + 1 };
            }
            "is" | "are" | "was" | "held" | "owned" | "remains" if at < start + 4 => {
                head.held = true;
                at += 1;
            }
            "-" | "–" => return at + 1,
            "to" if head.letter || head.sign => return at + 1,
            _ => return start,
        }
    }
}

/// The holder may stand in the line after the years.
fn skip_line(tokens: &mut Tokens<'_>, at: usize, head: &Head, dated: bool) -> usize {
    let next = tokens.get(at + 1).clone();
    let follows = tokens.kind(at) == Kind::Line && matches!(next.kind, Kind::Word | Kind::Contact);
    let named = is_name(&next.text) || matches!(tokens.lower(at + 1).as_str(), "the" | "by");
    let by = usize::from(tokens.lower(at + 1) == "by");
    if follows && named && (dated || head.by || head.sign || head.letter) { at + 1 + by } else { at }
}

/// What stands behind the beginning of a statement.
struct Beginning<'t> {
    head: &'t Head,
    before: &'t Before<'t>,
    held: &'t Holder,
    first: Token,
    second: Token,
    dated: bool,
    /// Where the name begins, after the years.
    name_at: usize,
}

impl Beginning<'_> {
    /// Words of the holder's name.
    fn words(&self) -> usize {
        self.held.name.as_deref().map_or(0, |name| name.split_whitespace().count())
    }

    fn is_contact(&self) -> bool {
        self.first.kind == Kind::Contact
    }

    /// Whether `the` comes before the name.
    fn has_article(&self) -> bool {
        matches!(self.first.text.as_str(), "the" | "The") && self.second.kind == Kind::Word
    }

    /// Whether it goes on with a name.
    fn is_named(&self) -> bool {
        self.held.name.is_some() && (is_name(&self.first.text) || self.is_contact() || self.has_article())
    }
}

fn is_statement(
    tokens: &mut Tokens<'_>,
    head: &Head,
    before: &Before<'_>,
    years: Option<&Years>,
    held: &Holder,
) -> bool {
    let filled = |tokens: &mut Tokens<'_>, at: usize| tokens.kind(at) != Kind::Placeholder;
    let name_at = years.map_or(head.next, |years| years.next);
    if !filled(tokens, head.next) || (held.name.is_none() && !filled(tokens, name_at)) {
        return false;
    }
    let (first, second) = (tokens.get(head.next).clone(), tokens.get(head.next + 1).clone());
    let dated = years.is_some() || held.years.is_some();
    let it = Beginning { head, before, held, first, second, dated, name_at };
    if !dated && held.name.as_deref().is_some_and(is_constant) {
        return false;
    }
    if head.tag {
        return dated || held.name.is_some();
    }
    if head.word && (head.sign || head.letter) {
        let call = head.letter && head.small && !dated && before.is_code();
        let prose = it.words() == 1 && tokens.get(held.next).text.starts_with(char::is_lowercase);
        return dated || (it.is_named() && !call && !prose);
    }
    if head.word && years.is_none() && NO_HOLDER.hold(&it.first.text.trim_end_matches('.').to_lowercase()) {
        return false;
    }
    if head.word && dated {
        return held.name.is_some() || !head.small;
    }
    if head.by && !dated {
        return it.is_named() && !before.is_relative();
    }
    if head.word && head.small && matches!(before.word().as_str(), "is" | "are" | "portions") {
        return it.is_named() && it.words() > 1 && !it.is_contact();
    }
    if head.word { is_undated(tokens, &it) } else { is_without_word(tokens, &it) }
}

/// Whether a holder follows the word `Copyright`, with no year and no sign between them.
fn is_undated(tokens: &mut Tokens<'_>, it: &Beginning<'_>) -> bool {
    let Beginning { head, before, held, first, second, .. } = it;
    let named = is_name(&first.text) || (it.has_article() && is_name(&second.text)) || it.is_contact();
    let reached = tokens.get(held.next - 1).kind == Kind::Contact;
    let whole = reached || ends(tokens, held) || tokens.lower(held.next) == "all";
    let long = it.words() > 1 || head.field || whole && reached;
    named && long && whole && !head.small && before.begins() && !head.capitals && first.trail != Some(':')
}

/// Whether a sign alone begins a statement.
fn is_without_word(tokens: &mut Tokens<'_>, it: &Beginning<'_>) -> bool {
    let Beginning { head, before, held, first, dated, name_at, .. } = it;
    let name = held.name.as_deref().unwrap_or_default();
    let long =
        name.split_whitespace().nth(1).is_some() || name.chars().any(char::is_lowercase) && name.len() > 3;
    let reached = tokens.get(held.next - 1).kind == Kind::Contact;
    let known = name.split_whitespace().any(is_company) || reached;
    let trailed = tokens.get(head.next - 1).trail.is_some();
    let alone = it.is_named()
        && before.begins()
        && !trailed
        && first.trail.is_none()
        && !it.is_contact()
        && (ends(tokens, held) || reached);
    (*dated && held.name.is_some() && named_after(tokens, *name_at))
        || (alone && (known || (head.sign && long && before.is_bare())))
}

/// Whether the line or the sentence ends behind the holder.
fn ends(tokens: &mut Tokens<'_>, held: &Holder) -> bool {
    matches!(tokens.kind(held.next), Kind::Line | Kind::Stop | Kind::Mark(_))
}

/// Whether a name, and not just any word, stands after the years.
fn named_after(tokens: &mut Tokens<'_>, at: usize) -> bool {
    let at = if tokens.kind(at) == Kind::Line || matches!(tokens.lower(at).as_str(), "by" | "the" | "-") {
        at + 1
    } else {
        at
    };
    let token = tokens.get(at);
    token.kind == Kind::Contact || is_name(&token.text) || token.text == "the"
}

/// Reads claims of the lines that follow and go on with years and a name; under `Copyright:` an indented name will do.
fn more(
    tokens: &mut Tokens<'_>,
    head: &Head,
    before: &Before<'_>,
    mut next: usize,
    claims: &mut Vec<Claim>,
) -> usize {
    let prefix = marks(tokens, head);
    // `1999 Holder, 2001 Other`, `Holder 1999, Other 2001`.
    while matches!(tokens.kind(next), Kind::Word) && claims.len() < 1000 {
        let leading = years(tokens, next);
        let at = leading.as_ref().map_or(next, |years| years.next);
        if tokens.kind(at) != Kind::Word || !is_name(&tokens.get(at).text) {
            break;
        }
        let held = holder(tokens, at, Manner { dated: leading.is_some(), prose: false });
        let dated = claims.last().is_some_and(|claim| claim.years.is_some());
        if held.name.is_none() || !dated || (leading.is_none() && held.years.is_none()) {
            break;
        }
        let end = held.next;
        claims.push(claim(tokens, &prefix, next..end, held, leading.map(|years| years.text)));
        next = end;
    }
    let field = (head.field && before.line.is_empty()) || before.line.trim_end() == "Copyright:";
    loop {
        let line = if field { line_end(tokens, next) } else { next };
        if tokens.kind(line) != Kind::Line || claims.len() >= 1000 {
            return next;
        }
        let leader = &tokens.get(line).text;
        let indented = field && leader.starts_with([' ', '\t']) && leader.trim().is_empty();
        let dates = years(tokens, line + 1);
        let mut at = dates.as_ref().map_or(line + 1, |years| years.next);
        if dates.is_some() && (tokens.kind(at) == Kind::Line || tokens.lower(at) == "by") {
            at += 1;
        }
        let first = tokens.get(at).clone();
        if first.kind != Kind::Word
            || !is_name(&first.text)
            || !(dates.is_some() || indented)
            || first.trail == Some(':')
        {
            return next;
        }
        let held = holder(tokens, at, Manner { dated: dates.is_some(), prose: false });
        let reached = tokens.get(held.next - 1).kind == Kind::Contact;
        let ends = (field && (dates.is_some() || reached))
            || matches!(tokens.kind(held.next), Kind::Line | Kind::Stop);
        if held.name.is_none() || !ends {
            return next;
        }
        next = held.next;
        claims.push(claim(tokens, &prefix, line + 1..next, held, dates.map(|years| years.text)));
    }
}

/// The end of the line, where that is near.
fn line_end(tokens: &mut Tokens<'_>, from: usize) -> usize {
    (from..from + 12)
        .find(|&at| !matches!(tokens.kind(at), Kind::Word | Kind::Contact | Kind::Placeholder))
        .unwrap_or(from)
}

/// The marks of the head, for claims that go without.
fn marks(tokens: &mut Tokens<'_>, head: &Head) -> String {
    let mut marks = Vec::new();
    for at in 0..head.marks {
        let token = tokens.get(at);
        if token.kind != Kind::Line {
            marks.push(format!("{}{}", token.text, token.trail.map(String::from).unwrap_or_default()));
        }
    }
    marks.join(" ")
}

/// The claim that stands in these tokens.
fn claim(
    tokens: &mut Tokens<'_>,
    prefix: &str,
    range: std::ops::Range<usize>,
    held: Holder,
    years: Option<String>,
) -> Claim {
    let mut statement = prefix.to_owned();
    let mut lines = None;
    let mut trail = None;
    for at in range {
        let token = tokens.get(at);
        if token.kind == Kind::Line {
            continue;
        }
        statement.extend(trail);
        if !statement.is_empty() {
            statement.push(' ');
        }
        statement.push_str(&token.text);
        trail = token.trail;
        lines = Some((lines.map_or(token.line, |(first, _)| first), token.line));
    }
    let statement = statement.trim_end_matches([' ', ',']);
    let statement = statement.strip_suffix(" -").unwrap_or(statement).to_owned();
    Claim { statement, holder: held.name, years: years.or(held.years), lines: lines.unwrap_or_default() }
}
