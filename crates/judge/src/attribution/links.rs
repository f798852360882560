//! Links to posts, repositories and packages, in the forms in which people write them.

use super::address::{Address, Key, Kind};
use super::evidence::EvidenceKind;
use super::names::Project;
use super::original::{Original, Post};

/// A link of a line.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Link {
    pub(super) kind: EvidenceKind,
    /// As it stands there.
    pub(super) text: String,
    /// Whether it says where code is from only together with a word of credit: it leads to an issue, or only its name is the origin's.
    pub(super) needs_credit: bool,
}

/// What links are looked for.
pub(super) struct Wanted<'a> {
    post: Option<&'a Post>,
    keys: Vec<Key>,
    projects: &'a [Project],
}

impl<'a> Wanted<'a> {
    pub(super) fn new(original: &'a Original, projects: &'a [Project]) -> Self {
        let addresses = original.links.iter().filter_map(|link| Address::read(link));
        let keys = addresses.map(|address| address.key()).filter(|key| !key.is_host());
        Self { post: original.post.as_ref(), keys: keys.collect(), projects }
    }

    /// The links to the post in a line.
    pub(super) fn posts(&self, line: &str) -> Vec<Link> {
        let Some(post) = self.post else { return Vec::new() };
        if !line.contains(|c: char| c.is_ascii_digit()) {
            return Vec::new();
        }
        let of = |kind: EvidenceKind, text: String| Link { kind, text, needs_credit: false };
        let found =
            words(line).filter_map(|word| Some(of(leads_to(&Address::read(word)?, post)?, word.to_owned())));
        let mut found: Vec<Link> = found.collect();
        if found.is_empty() {
            found.extend(numbered(line, post).map(|(kind, text)| of(kind, text)));
        }
        found
    }

    /// The links to the repository, package or page in a comment.
    pub(super) fn places(&self, comment: &str) -> Vec<Link> {
        if !comment.contains('/') && !comment.contains('@') {
            return Vec::new();
        }
        let link = |word: &str| {
            let address = Address::read(word).filter(|address| !is_site(&address.host))?;
            let key = address.key();
            let is_place = self.keys.iter().any(|wanted| key.is_at(wanted));
            let mut projects = self.projects.iter().filter(|_| !is_place);
            // Who has the origin from a registry may name its repository, and the other way round.
            let named = projects.find(|project| key.names().iter().any(|name| project.is_called(name)));
            let is_plain_page = key.kind == Kind::Page || named.is_some_and(Project::may_be_a_word);
            (is_place || named.is_some()).then(|| Link {
                kind: evidence_kind(key.kind),
                text: word.to_owned(),
                needs_credit: address.is_talk() || !is_place && is_plain_page,
            })
        };
        words(comment).filter_map(link).collect()
    }
}

fn evidence_kind(kind: Kind) -> EvidenceKind {
    match kind {
        Kind::Package => EvidenceKind::PackageLink,
        Kind::Repository => EvidenceKind::RepositoryLink,
        Kind::Page => EvidenceKind::PageLink,
    }
}

/// What may be an address.
fn words(line: &str) -> impl Iterator<Item = &str> {
    line.split(|c: char| c.is_whitespace() || "<>\"'`()[]{}|,\\".contains(c))
        .map(|word| word.trim_end_matches(['.', ';', ':', '!', '?']))
}

/// `comment` without addresses, whose parts are no names, but for the name at the end of a user's page: `/users/22656/jon-skeet`.
pub(super) fn without_addresses(comment: &str) -> String {
    let parts = comment.split(|c: char| c.is_whitespace() || "<>()[]\"".contains(c));
    let kept = parts.map(|part| match Address::read(part) {
        Some(Address { path, .. }) if !path.is_empty() => match path[..] {
            ["users", _, name, ..] => format!("user {name}"),
            _ => String::new(),
        },
        _ => part.to_owned(),
    });
    kept.collect::<Vec<_>>().join(" ")
}

/// The link in a line to the page of the author of the original's post.
pub(super) fn author_page(line: &str, number: u64, original: &Original) -> Option<String> {
    let post = original.post.as_ref()?;
    let is_page = |word: &&str| {
        Address::read(word).is_some_and(|address| {
            is_of(&address, post)
                && matches!(address.path[..], ["users" | "u", id, ..] if id.parse() == Ok(number))
        })
    };
    words(line).find(is_page).map(str::to_owned)
}

/// Whether an address may be of the post's site.
fn is_of(address: &Address<'_>, post: &Post) -> bool {
    is_site(&address.host) && (post.site.is_empty() || site(&address.host) == site(&post.site))
}

/// `SO answer 12345`, `Stack Overflow question 12345`, `stackoverflow #12345`.
fn numbered(line: &str, post: &Post) -> Option<(EvidenceKind, String)> {
    let words = super::words::spread(line);
    let has = |word: &str| words.contains(&format!(" {word} "));
    let site = has("so")
        || has("stackoverflow")
        || has("stack overflow")
        || has("stackexchange")
        || has("stack exchange");
    let noun = has("answer") || has("question") || has("post") || has("id");
    if !site {
        return None;
    }
    let number =
        |id: Option<u64>| id.filter(|id| has(&id.to_string()) && (noun || line.contains(&format!("#{id}"))));
    let answer = || number(post.answer).map(|_| EvidenceKind::AnswerLink);
    let question = || {
        number(post.question).map(|_| {
            if post.answer.is_some() { EvidenceKind::QuestionLink } else { EvidenceKind::AnswerLink }
        })
    };
    answer().or_else(question).map(|found| (found, line.trim().chars().take(200).collect()))
}

/// What the address of a post leads to, of `post` and its question.
fn leads_to(address: &Address<'_>, post: &Post) -> Option<EvidenceKind> {
    if !is_of(address, post) {
        return None;
    }
    let number = |text: &str| text.parse::<u64>().ok();
    let mut ids = Vec::new();
    match address.path[..] {
        ["a" | "q" | "posts" | "revisions", id, ..] => ids.extend(number(id)),
        ["questions", question, ..] => {
            ids.extend(address.path.get(3).copied().and_then(number));
            ids.extend(number(question));
            // `#12345`, `#answer-12345`, `#comment678_12345`
            ids.extend(address.fragment.rsplit(['-', '_']).next().and_then(number));
        }
        _ => {}
    }
    let leads = |id: Option<u64>| id.is_some_and(|id| ids.contains(&id));
    if leads(post.answer) || post.answer.is_none() && leads(post.question) {
        Some(EvidenceKind::AnswerLink)
    } else {
        leads(post.question).then_some(EvidenceKind::QuestionLink)
    }
}

/// `stackoverflow.com` of a site's host, name or address.
fn site(name: &str) -> String {
    let name = name.trim().to_ascii_lowercase();
    let name = name.split_once("://").map_or(&*name, |(_, rest)| rest);
    let name = name.split('/').next().unwrap_or(name);
    let name = name.strip_prefix("www.").unwrap_or(name);
    let name = name.strip_suffix(".stackexchange.com").or_else(|| name.strip_suffix(".com")).unwrap_or(name);
    name.strip_suffix(".net").unwrap_or(name).to_owned()
}

fn is_site(host: &str) -> bool {
    const OWN: &[&str] = &[
        "stackoverflow.com",
        "stackexchange.com",
        "superuser.com",
        "serverfault.com",
        "askubuntu.com",
        "mathoverflow.net",
        "stackapps.com",
    ];
    OWN.iter().any(|own| host == *own || host.strip_suffix(own).is_some_and(|rest| rest.ends_with('.')))
}
