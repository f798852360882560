//! Links to posts, repositories and packages, in the forms in which people write them.

use super::Original;

/// A post on a site of Stack Exchange.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Post {
    /// Its host, such as `stackoverflow.com`; empty where it is not known.
    pub site: String,
    /// The question itself, or the one that the post answers.
    pub question: Option<u64>,
    /// Where the post is an answer.
    pub answer: Option<u64>,
}

/// What a link leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Found {
    /// The very post.
    Answer,
    Repository,
    /// The question that the post answers.
    Question,
}

/// What links are looked for.
pub(super) struct Wanted<'a> {
    post: Option<&'a Post>,
    keys: Vec<Key>,
}

impl<'a> Wanted<'a> {
    pub(super) fn new(original: &'a Original) -> Self {
        let addresses = original.links.iter().filter_map(|link| Address::read(link));
        // A host alone is where everything is.
        let keys = addresses.map(|address| address.key()).filter(|key| key.0.len() > 1);
        Self { post: original.post.as_ref(), keys: keys.collect() }
    }

    /// The links of a line that lead to the original, as they stand there.
    pub(super) fn in_line(&self, line: &str) -> Vec<(Found, String)> {
        let mut found = Vec::new();
        for word in line.split(|c: char| c.is_whitespace() || "<>\"'`()[]{}|,\\".contains(c)) {
            let word = word.trim_end_matches(['.', ';', ':', '!', '?']);
            let Some(address) = Address::read(word) else { continue };
            if let Some(what) = self.post.and_then(|post| address.leads_to(post)) {
                found.push((what, word.to_owned()));
            } else if !self.keys.is_empty() {
                let key = address.key();
                if self.keys.iter().any(|wanted| key.is_at(wanted)) {
                    found.push((Found::Repository, word.to_owned()));
                }
            }
        }
        if found.is_empty() {
            found.extend(self.post.and_then(|post| numbered(line, post)));
        }
        found
    }
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

/// `SO answer 12345`, `Stack Overflow question 12345`, `stackoverflow #12345`.
fn numbered(line: &str, post: &Post) -> Option<(Found, String)> {
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
    let answer = || number(post.answer).map(|_| Found::Answer);
    let question =
        || number(post.question).map(|_| if post.answer.is_some() { Found::Question } else { Found::Answer });
    answer().or_else(question).map(|found| (found, line.trim().chars().take(200).collect()))
}

/// An address without scheme and user, in parts.
struct Address<'a> {
    /// In lower case, without `www.`.
    host: String,
    path: Vec<&'a str>,
    fragment: &'a str,
}

/// What two addresses of one thing have in common: a host and the beginning of a path, in lower case.
#[derive(PartialEq)]
struct Key(Vec<String>);

impl Key {
    /// Whether it is `whole` or something below it.
    fn is_at(&self, whole: &Self) -> bool {
        self.0.starts_with(&whole.0)
    }
}

impl<'a> Address<'a> {
    fn read(word: &'a str) -> Option<Self> {
        let rest = word.split_once("://").map_or(word, |(_, rest)| rest);
        let (rest, fragment) = rest.split_once('#').unwrap_or((rest, ""));
        let rest = rest.split('?').next().unwrap_or(rest);
        // `git@github.com:owner/name.git`, `host:8080/path`
        let (authority, path) = rest.split_once(['/', ':'])?;
        let (authority, path) = match authority.split_once('@') {
            Some((_, host)) => (host, path),
            None => (authority, path),
        };
        let valid = authority.contains('.')
            && authority.len() < 256
            && authority.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'-'));
        if !valid {
            return None;
        }
        let host = authority.to_ascii_lowercase();
        let host = host.strip_prefix("www.").unwrap_or(&host).to_owned();
        let mut path: Vec<_> = path.split('/').filter(|segment| !segment.is_empty()).collect();
        if path.first().is_some_and(|port| rest.contains(':') && port.bytes().all(|b| b.is_ascii_digit())) {
            path.remove(0);
        }
        Some(Self { host, path, fragment })
    }

    /// What the address of a post leads to, of `post` and its question.
    fn leads_to(&self, post: &Post) -> Option<Found> {
        if !is_site(&self.host) || !post.site.is_empty() && site(&self.host) != site(&post.site) {
            return None;
        }
        let number = |text: &str| text.parse::<u64>().ok();
        let mut ids = Vec::new();
        match self.path[..] {
            ["a" | "q" | "posts" | "revisions", id, ..] => ids.extend(number(id)),
            ["questions", question, ..] => {
                ids.extend(self.path.get(3).copied().and_then(number));
                ids.extend(number(question));
                // `#12345`, `#answer-12345`, `#comment678_12345`
                ids.extend(self.fragment.rsplit(['-', '_']).next().and_then(number));
            }
            _ => {}
        }
        let leads = |id: Option<u64>| id.is_some_and(|id| ids.contains(&id));
        if leads(post.answer) || post.answer.is_none() && leads(post.question) {
            Some(Found::Answer)
        } else {
            leads(post.question).then_some(Found::Question)
        }
    }

    /// What it has in common with other addresses of the same repository or package.
    fn key(&self) -> Key {
        // `name.git`, `name@branch`
        let lower = |text: &str| {
            let name =
                text.split_once('@').filter(|(name, _)| !name.is_empty()).map_or(text, |(name, _)| name);
            name.strip_suffix(".git").unwrap_or(name).to_ascii_lowercase()
        };
        let package = |name: &str| name.to_ascii_lowercase().replace(['_', '.'], "-");
        let own = |parts: Vec<String>| Key(parts);
        let path = &self.path;
        let segment = |at: usize| path.get(at).copied().unwrap_or_default();
        match (&*self.host, segment(0)) {
            ("pypi.org" | "pypi.python.org" | "pypi.io", "project" | "pypi" | "simple") if path.len() > 1 => {
                own(vec!["pypi".to_owned(), package(segment(1))])
            }
            ("npmjs.com" | "npmjs.org", "package") if path.len() > 1 => {
                let name = path[1..].iter().take(if segment(1).starts_with('@') { 2 } else { 1 });
                own(["npm".to_owned()]
                    .into_iter()
                    .chain(name.map(|part| part.to_ascii_lowercase()))
                    .collect())
            }
            ("crates.io", "crates") if path.len() > 1 => own(vec!["crate".to_owned(), package(segment(1))]),
            ("docs.rs", _) if !path.is_empty() => own(vec!["crate".to_owned(), package(segment(0))]),
            ("raw.githubusercontent.com" | "api.github.com" | "codeload.github.com" | "github.com", _) => {
                let skip = usize::from(self.host == "api.github.com" && segment(0) == "repos");
                let repository = path.iter().skip(skip).take(2).map(|part| lower(part));
                own(["github.com".to_owned()].into_iter().chain(repository).collect())
            }
            ("gist.github.com" | "gist.githubusercontent.com", _) => {
                // The owner may be left out; the number says it all.
                let id = path.iter().find(|part| part.len() >= 20).or(path.last());
                own(["gist".to_owned()].into_iter().chain(id.map(|part| lower(part))).collect())
            }
            _ => {
                let before =
                    path.iter().take_while(|part| !matches!(**part, "-" | "blob" | "tree" | "raw" | "src"));
                own([self.host.clone()].into_iter().chain(before.map(|part| lower(part))).collect())
            }
        }
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
