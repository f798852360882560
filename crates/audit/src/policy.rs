//! What a project says may be in it: which licenses, where, and which findings somebody accepted.

use std::collections::{BTreeMap, BTreeSet};

use familiar_license::{Expression, License};
use familiar_report::audit::Decision;
use familiar_review::Decisions;

/// The policies of what is audited.
#[derive(Clone, Debug, Default)]
pub struct Policies {
    /// Of each tree, in their order.
    pub trees: Vec<Policy>,
    /// Of corpora and of a snippet: that of the current folder.
    pub here: Policy,
    /// What was decided elsewhere, by fingerprint; it holds for all that is audited.
    pub decided: BTreeMap<String, Accepted>,
}

impl Policies {
    /// That of a root.
    pub(crate) fn of(&self, root: u32) -> &Policy {
        self.trees.get(root as usize).unwrap_or(&self.here)
    }

    /// The policies that accept what was settled, too.
    #[must_use]
    pub fn with(mut self, decisions: &Decisions) -> Self {
        let settled = decisions.standing().filter(|decision| decision.decision.settles());
        self.decided.extend(settled.map(|decision| {
            let accepted = Accepted {
                fingerprint: decision.fingerprint.clone(),
                reason: decision.reason(),
                date: decision.day().to_owned(),
                ..Accepted::default()
            };
            (decision.fingerprint.clone(), accepted)
        }));
        self
    }

    /// Who accepted a finding in a root's file at `path`, of code under `inbound`.
    pub(crate) fn acceptance(
        &self,
        root: u32,
        path: &str,
        fingerprint: &str,
        inbound: &Expression,
    ) -> Option<&Accepted> {
        let of_root = self.of(root).acceptance(path, fingerprint, inbound);
        of_root.or_else(|| self.decided.get(fingerprint))
    }

    /// The fingerprints that some of them accept, each once.
    pub(crate) fn accepted(&self) -> BTreeSet<&str> {
        let all = self.trees.iter().chain([&self.here]);
        all.flat_map(|policy| &policy.accepted).map(|accepted| accepted.fingerprint.as_str()).collect()
    }
}

/// The policy of a project; by default there is none.
#[derive(Clone, Debug, Default)]
pub struct Policy {
    /// What stands before a root's paths, from the policy's folder: nothing, or a path with `/` at its end.
    pub prefix: String,
    /// Under which license the project's code goes out, whatever its files say.
    pub license: Option<Expression>,
    pub rules: Rules,
    /// For some paths, before what holds for all; the last that fits counts.
    pub paths: Vec<PathRules>,
    pub accepted: Vec<Accepted>,
    /// What fails beside conflicts and denied licenses.
    pub fail: BTreeSet<Fail>,
}

/// What a policy may fail that does not fail by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fail {
    /// The sources disagree.
    Contested,
    /// No source says whether the code may be here.
    Unknown,
    /// The copy hides or changes the original's terms.
    Laundering,
    /// The code may be here, and nothing says where it is from.
    Attribution,
}

impl Fail {
    pub const ALL: [Self; 4] = [Self::Contested, Self::Unknown, Self::Laundering, Self::Attribution];

    /// What such code is, in words.
    pub(crate) fn state(self) -> &'static str {
        match self {
            Self::Contested | Self::Unknown => self.name(),
            Self::Laundering => "without the original's notices",
            Self::Attribution => "without attribution",
        }
    }

    /// The name in a policy.
    pub fn name(self) -> &'static str {
        match self {
            Self::Contested => "contested",
            Self::Unknown => "unknown",
            Self::Laundering => "laundering",
            Self::Attribution => "attribution",
        }
    }
}

/// Which licenses code may come in under.
#[derive(Clone, Debug, Default)]
pub struct Rules {
    /// Only these, where there are any.
    pub allowed: Option<Vec<Pattern>>,
    pub denied: Vec<Pattern>,
}

/// What holds for some paths.
#[derive(Clone, Debug, Default)]
pub struct PathRules {
    pub paths: Vec<Pattern>,
    pub license: Option<Expression>,
    /// What is not said here is as for all.
    pub allowed: Option<Vec<Pattern>>,
    pub denied: Option<Vec<Pattern>>,
}

/// A finding that somebody accepted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Accepted {
    pub fingerprint: String,
    pub reason: String,
    /// As `2026-01-31`.
    pub date: String,
    /// Of code under this license only, where one is named.
    pub license: Option<Expression>,
    /// In these files only, where any are named.
    pub paths: Vec<Pattern>,
}

/// A license, an expression, or with `*` and `?` a pattern of identifiers; of paths, `*` stops at `/` and `**` does not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern(String);

impl Pattern {
    pub fn new(text: &str) -> Self {
        Self(text.trim().to_owned())
    }

    /// Whether it is a pattern, and no license of SPDX's list fits it, with one of the `exceptions` or without. Somebody's own license
    /// or exception may.
    fn fits_none(&self, listed: &BTreeSet<String>, exceptions: &BTreeSet<&str>) -> bool {
        let pattern = self.0.to_ascii_lowercase();
        let Some(at) = pattern.find(['*', '?']) else { return false };
        let start = &pattern[..at];
        if OWN.iter().any(|own| pattern.contains(own) || own.starts_with(start)) {
            return false;
        }
        let begins = |id: &&String| {
            let id = id.to_ascii_lowercase();
            id.starts_with(start) || start.starts_with(&id)
        };
        let fits = |id: &String| {
            self.fits(id)
                || self.fits(&format!("{id}+"))
                || exceptions.iter().any(|exception| self.fits(&format!("{id} WITH {exception}")))
        };
        !self.fits("NONE") && !self.fits("NOASSERTION") && !listed.iter().filter(begins).any(fits)
    }

    /// Whether it names the license, in any case of letters.
    fn names(&self, license: &License) -> bool {
        self.fits(&license.to_string()) || license.exception.is_none() && self.fits(license.name())
    }

    /// Whether it names the license, or that which the license is with an exception.
    fn names_base(&self, license: &License) -> bool {
        self.fits(&license.to_string()) || self.fits(license.name())
    }

    fn fits(&self, text: &str) -> bool {
        fits(self.0.to_ascii_lowercase().as_bytes(), text.to_ascii_lowercase().as_bytes())
    }

    /// Whether it is the expression, in whatever order the parts of either are written.
    fn is(&self, expression: &Expression) -> bool {
        let pattern = Expression::parse(&self.0).ok();
        pattern.is_some_and(|pattern| ordered(pattern) == ordered(expression.clone()))
    }

    fn holds(&self, path: &str) -> bool {
        let pattern = self.0.trim_start_matches("./").trim_start_matches('/');
        let literal = &pattern[..pattern.find(['*', '?']).unwrap_or(pattern.len())];
        let Some(rest) = path.strip_prefix(literal.trim_end_matches('/')) else { return false };
        if literal == pattern {
            // A file, or a folder with all below it.
            return rest.starts_with('/') || rest.is_empty() && !pattern.ends_with('/');
        }
        fits(pattern.as_bytes(), path.as_bytes())
    }
}

/// Whether a text fits a pattern of `*`, `**` and `?`.
fn fits(pattern: &[u8], text: &[u8]) -> bool {
    // For each length of the text read, whether the pattern read so far fits it.
    let mut fitting = vec![false; text.len() + 1];
    fitting[0] = true;
    let mut at = 0;
    while at < pattern.len() {
        let (token, crosses) = (pattern[at], pattern[at..].starts_with(b"**"));
        at += if crosses { 2 } else { 1 };
        if crosses && at < pattern.len() && pattern[at] == b'/' {
            // `**/a` fits `a` too.
            at += 1;
            let before = fitting.clone();
            let mut open = false;
            for length in 0..text.len() {
                open |= before[length];
                if text[length] == b'/' && open {
                    fitting[length + 1] = true;
                }
            }
            continue;
        }
        let mut next = vec![false; text.len() + 1];
        for length in 0..=text.len() {
            let extends = length > 0 && (crosses || text[length - 1] != b'/');
            next[length] = match token {
                b'*' => fitting[length] || extends && next[length - 1],
                b'?' => extends && fitting[length - 1],
                byte => length > 0 && fitting[length - 1] && text[length - 1] == byte,
            };
        }
        fitting = next;
    }
    fitting[text.len()]
}

/// How identifiers begin that SPDX does not list.
const OWN: [&str; 3] = ["licenseref-", "additionref-", "documentref-"];

/// Most patterns that are held beside all licenses: nobody writes as many by hand.
const LOOKED_AT: usize = 200;

impl Policy {
    /// The patterns of licenses that no known license fits: they allow and deny nothing.
    pub fn in_vain(&self) -> BTreeSet<&str> {
        let of_paths = self.paths.iter().flat_map(|rules| [&rules.allowed, &rules.denied]);
        let lists = of_paths.chain([&self.rules.allowed]).flatten().chain([&self.rules.denied]);
        let (listed, exceptions) = (License::listed(), License::listed_exceptions());
        let patterns =
            lists.flatten().take(LOOKED_AT).filter(|pattern| pattern.fits_none(&listed, &exceptions));
        patterns.map(|pattern| pattern.0.as_str()).collect()
    }

    /// Under which license the file at `path` goes out, where the policy says.
    pub(crate) fn license_of(&self, path: &str) -> Option<&Expression> {
        let mut rules = self.rules_of(path);
        rules.find_map(|rules| rules.license.as_ref()).or(self.license.as_ref())
    }

    /// Whether code under `inbound` may come into the file at `path`; if not, why.
    pub(crate) fn refuses(&self, path: &str, inbound: &Expression) -> Option<String> {
        let denied =
            self.rules_of(path).find_map(|rules| rules.denied.as_ref()).unwrap_or(&self.rules.denied);
        let allowed = self.rules_of(path).find_map(|rules| rules.allowed.as_ref());
        let is_named = |list: &[Pattern]| list.iter().any(|pattern| pattern.is(inbound));
        if is_named(denied)
            || refused(inbound, &|license| denied.iter().any(|pattern| pattern.names_base(license)))
        {
            return Some(format!("the policy denies {inbound}"));
        }
        let allowed = allowed.or(self.rules.allowed.as_ref())?;
        let is_refused = refused(inbound, &|license| !allowed.iter().any(|pattern| pattern.names(license)));
        (is_refused && !is_named(allowed)).then(|| format!("the policy does not allow {inbound}"))
    }

    /// Who accepted the finding with this fingerprint in a root's file at `path`, of code under `inbound`.
    fn acceptance(&self, path: &str, fingerprint: &str, inbound: &Expression) -> Option<&Accepted> {
        let path = format!("{}{path}", self.prefix);
        self.accepted.iter().find(|accepted| {
            let license = accepted.license.clone().map(ordered);
            accepted.fingerprint == fingerprint
                && license.is_none_or(|license| license == ordered(inbound.clone()))
                && (accepted.paths.is_empty() || accepted.paths.iter().any(|pattern| pattern.holds(&path)))
        })
    }

    /// The rules for a root's file at `path`, those that count first.
    fn rules_of(&self, path: &str) -> impl Iterator<Item = &PathRules> + use<'_> {
        let path = format!("{}{path}", self.prefix);
        self.paths.iter().rev().filter(move |rules| rules.paths.iter().any(|pattern| pattern.holds(&path)))
    }
}

/// The expression with the parts of every AND and OR in one order.
fn ordered(expression: Expression) -> Expression {
    let sorted = |parts: Vec<Expression>| {
        let mut parts: Vec<Expression> = parts.into_iter().map(ordered).collect();
        parts.sort();
        parts
    };
    match expression.simplified() {
        Expression::And(parts) => Expression::And(sorted(parts)),
        Expression::Or(parts) => Expression::Or(sorted(parts)),
        license @ Expression::License(_) => license,
    }
}

/// Whether an expression cannot be had without a refused license: of a choice all, of what holds together one. What the text of a GNU
/// license leaves open, that version only or later ones too, is no choice: of the two, one that is refused is enough.
fn refused(expression: &Expression, license: &dyn Fn(&License) -> bool) -> bool {
    match expression {
        Expression::License(one) => license(one),
        Expression::And(parts) => parts.iter().any(|part| refused(part, license)),
        Expression::Or(parts) => parts.iter().all(|part| {
            let left_open = parts.iter().filter(|other| *other == part || leave_open(part, other));
            left_open.into_iter().any(|part| refused(part, license))
        }),
    }
}

/// Whether two branches are the same license, the one as it is and the other with its later versions.
fn leave_open(one: &Expression, other: &Expression) -> bool {
    let (Expression::License(one), Expression::License(other)) = (one, other) else { return false };
    let version = |id: &str| {
        let version = id.strip_suffix("-only").or_else(|| id.strip_suffix("-or-later"));
        version.map(str::to_owned)
    };
    one.exception == other.exception
        && one.id != other.id
        && version(&one.id).is_some_and(|version_of_one| version(&other.id) == Some(version_of_one))
}

/// What is decided, why, and where it is for what the policy fails, for which.
pub(crate) struct Decided {
    pub(crate) decision: Decision,
    pub(crate) reason: String,
    pub(crate) failed: Option<Fail>,
}

impl Decided {
    pub(crate) fn of(decision: Decision, reason: impl Into<String>) -> Self {
        Self { decision, reason: reason.into(), failed: None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn patterns(list: &[&str]) -> Vec<Pattern> {
        list.iter().map(|text| Pattern::new(text)).collect()
    }

    #[test]
    fn patterns_stop_at_folders_unless_doubled() {
        let holds = |pattern: &str, path: &str| Pattern::new(pattern).holds(path);
        for (pattern, path) in [
            ("src/*.py", "src/a.py"),
            ("vendor/", "vendor/x/y.c"),
            ("**/test_*.py", "a/b/test_x.py"),
            ("**/test_*.py", "test_x.py"),
            ("a/**", "a/b/c"),
            ("./a?c", "abc"),
            ("/vendor", "vendor/x.c"),
            ("a/b.py", "a/b.py"),
        ] {
            assert!(holds(pattern, path), "{pattern} {path}");
        }
        for (pattern, path) in
            [("src/*.py", "src/x/a.py"), ("vendor/", "vendor"), ("a?c", "a/c"), ("*", "a/b")]
        {
            assert!(!holds(pattern, path), "{pattern} {path}");
        }
    }

    #[test]
    fn choices_pass_with_one_branch_and_sums_with_all() {
        let policy = |allowed: Option<&[&str]>, denied: &[&str]| Policy {
            rules: Rules { allowed: allowed.map(patterns), denied: patterns(denied) },
            ..Policy::default()
        };
        let refuses = |policy: &Policy, text: &str| {
            policy.refuses("a.py", &Expression::parse(text).expect("an expression")).is_some()
        };
        let strict = policy(Some(&["MIT", "BSD-*"]), &[]);
        assert!(!refuses(&strict, "MIT") && !refuses(&strict, "BSD-3-Clause"));
        assert!(!refuses(&strict, "MIT OR GPL-3.0-only"));
        assert!(refuses(&strict, "MIT AND GPL-3.0-only") && refuses(&strict, "NONE"));
        let open = policy(None, &["gpl-*", "NONE"]);
        assert!(refuses(&open, "GPL-2.0-or-later") && refuses(&open, "NONE"));
        assert!(!refuses(&open, "GPL-2.0-or-later OR MIT") && !refuses(&open, "Apache-2.0"));
        let only = policy(None, &["GPL-3.0-only", "MIT OR ISC"]);
        assert!(refuses(&only, "GPL-3.0-only OR GPL-3.0-or-later") && refuses(&only, "MIT OR ISC"));
        assert!(!refuses(&only, "GPL-3.0-only OR GPL-3.0-or-later OR MIT") && !refuses(&only, "MIT"));
        // What is denied is so with an exception, too, and in whatever order; what is allowed is as it is written.
        assert!(refuses(&only, "ISC OR MIT") && refuses(&only, "GPL-3.0-only WITH GCC-exception-3.1"));
        let strict = policy(Some(&["GPL-3.0-only", "MIT AND ISC"]), &[]);
        assert!(refuses(&strict, "GPL-3.0-only WITH GCC-exception-3.1") && !refuses(&strict, "ISC AND MIT"));
    }

    #[test]
    fn an_acceptance_may_ask_for_a_license_and_files() {
        let expression = |text: &str| Expression::parse(text).expect("an expression");
        let accepted = Accepted {
            fingerprint: "f".to_owned(),
            license: Some(expression("MIT OR GPL-2.0-only")),
            paths: patterns(&["src/*.py"]),
            ..Accepted::default()
        };
        let policy = Policy { prefix: "src/".to_owned(), accepted: vec![accepted], ..Policy::default() };
        let accepts = |path: &str, fingerprint: &str, license: &str| {
            policy.acceptance(path, fingerprint, &expression(license)).is_some()
        };
        assert!(accepts("a.py", "f", "GPL-2.0-only OR MIT"));
        assert!(!accepts("a.py", "g", "GPL-2.0-only OR MIT"));
        assert!(!accepts("a.py", "f", "AGPL-3.0-only") && !accepts("b/a.py", "f", "GPL-2.0-only OR MIT"));
    }

    #[test]
    fn the_last_rules_of_a_path_count() {
        let rules = |path: &str, allowed: &[&str], license: Option<&str>| PathRules {
            paths: patterns(&[path]),
            allowed: Some(patterns(allowed)),
            license: license.map(|text| Expression::parse(text).expect("an expression")),
            ..PathRules::default()
        };
        let policy = Policy {
            rules: Rules { allowed: Some(patterns(&["MIT"])), ..Rules::default() },
            paths: vec![rules("vendor/", &["*"], None), rules("vendor/x/**", &["ISC"], Some("ISC"))],
            ..Policy::default()
        };
        let gpl = Expression::parse("GPL-3.0-only").expect("an expression");
        let refuses = |path: &str| policy.refuses(path, &gpl).is_some();
        assert!(refuses("src/a.c") && !refuses("vendor/y/a.c") && refuses("vendor/x/a.c"));
        assert_eq!(policy.license_of("vendor/x/a.c").map(ToString::to_string).as_deref(), Some("ISC"));
        assert_eq!(policy.license_of("src/a.c"), None);
        let below = Policy { prefix: "vendor/".to_owned(), ..policy };
        assert!(below.refuses("y/a.c", &gpl).is_none() && below.refuses("x/a.c", &gpl).is_some());
    }
}
