//! Versions of Python packages, in the order of PEP 440.

use std::cmp::Ordering;

/// A version. Equal are those that PEP 440 calls equal, `1.0` and `v1.0.0`.
#[derive(Clone, Debug)]
pub(crate) struct Version {
    epoch: u64,
    /// Without zeros at the end.
    release: Vec<u64>,
    /// `a`, `b` or `rc`, and a number.
    pre: Option<(char, u64)>,
    post: Option<u64>,
    dev: Option<u64>,
    local: Option<Vec<LocalPart>>,
}

/// See [`Version::key`]: epoch, release, pre-release, post-release, development release, local version.
type Key<'v> = (u64, &'v [u64], (u8, char, u64), Option<u64>, (u8, u64), Option<&'v [LocalPart]>);

/// Words are before numbers.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum LocalPart {
    Word(String),
    Number(u64),
}

impl Version {
    /// `None` for what PEP 440 does not allow.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let text = text.trim().to_ascii_lowercase();
        let text = text.strip_prefix('v').unwrap_or(&text);
        let (text, local) = match text.split_once('+') {
            Some((text, local)) => (text, Some(local_of(local)?)),
            None => (text, None),
        };
        let (epoch, text) = match text.split_once('!') {
            Some((epoch, text)) => (epoch.parse().ok()?, text),
            None => (0, text),
        };
        let mut rest = Rest(text);
        let mut release = vec![rest.number()?];
        while let Some(part) = rest.after_dot() {
            release.push(part);
        }
        while release.last() == Some(&0) {
            release.pop();
        }
        let pre = [
            ("alpha", 'a'),
            ("a", 'a'),
            ("beta", 'b'),
            ("b", 'b'),
            ("preview", 'r'),
            ("pre", 'r'),
            ("rc", 'r'),
            ("c", 'r'),
        ];
        let pre = pre.iter().find_map(|&(word, kind)| Some((kind, rest.word(word)?)));
        let post = ["post", "rev", "r"].iter().find_map(|word| rest.word(word)).or_else(|| rest.after_dash());
        let dev = rest.word("dev");
        rest.0.is_empty().then_some(Self { epoch, release, pre, post, dev, local })
    }

    /// Whether it is a release that was meant for everyone.
    pub(crate) fn is_final(&self) -> bool {
        self.pre.is_none() && self.dev.is_none()
    }

    /// What is compared: a development release is before what it leads to, a pre-release before the release, a
    /// post-release after it.
    fn key(&self) -> Key<'_> {
        let pre = match self.pre {
            None if self.post.is_none() && self.dev.is_some() => (0, 'a', 0),
            Some((kind, number)) => (1, kind, number),
            None => (2, 'a', 0),
        };
        let dev = self.dev.map_or((1, 0), |dev| (0, dev));
        (self.epoch, &self.release, pre, self.post, dev, self.local.as_deref())
    }
}

impl Ord for Version {
    fn cmp(&self, other: &Self) -> Ordering {
        self.key().cmp(&other.key())
    }
}

impl PartialOrd for Version {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Version {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Version {}

fn local_of(text: &str) -> Option<Vec<LocalPart>> {
    let part = |part: &str| match part.parse() {
        _ if part.is_empty() || !part.bytes().all(|byte| byte.is_ascii_alphanumeric()) => None,
        Ok(number) => Some(LocalPart::Number(number)),
        Err(_) => Some(LocalPart::Word(part.to_owned())),
    };
    text.split(['.', '-', '_']).map(part).collect()
}

/// What of a version is not read yet.
struct Rest<'t>(&'t str);

impl Rest<'_> {
    fn number(&mut self) -> Option<u64> {
        let end = self.0.bytes().take_while(u8::is_ascii_digit).count();
        let (digits, rest) = self.0.split_at(end);
        let number = digits.parse().ok()?;
        self.0 = rest;
        Some(number)
    }

    fn after_dot(&mut self) -> Option<u64> {
        self.0 = self.0.strip_prefix('.').filter(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))?;
        self.number()
    }

    /// `-1` means `.post1`.
    fn after_dash(&mut self) -> Option<u64> {
        self.0 = self.0.strip_prefix('-').filter(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))?;
        self.number()
    }

    /// A word and its number, which is 0 where it is left out; separators may stand before both.
    fn word(&mut self, word: &str) -> Option<u64> {
        let separators = ['.', '-', '_'];
        let rest = self.0.strip_prefix(separators).unwrap_or(self.0).strip_prefix(word)?;
        self.0 = rest;
        let numbered = rest.strip_prefix(separators).unwrap_or(rest);
        if numbered.starts_with(|c: char| c.is_ascii_digit()) {
            self.0 = numbered;
            return self.number();
        }
        Some(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn version(text: &str) -> Version {
        Version::parse(text).unwrap_or_else(|| panic!("{text} is a version"))
    }

    #[test]
    fn versions_have_the_order_of_the_specification() {
        let ordered = [
            "1.dev0",
            "1.0.dev456",
            "1.0a1",
            "1.0a2.dev456",
            "1.0a12.dev456",
            "1.0a12",
            "1.0b1.dev456",
            "1.0b2",
            "1.0b2.post345.dev456",
            "1.0b2.post345",
            "1.0rc1.dev456",
            "1.0rc1",
            "1.0",
            "1.0+abc.5",
            "1.0+abc.7",
            "1.0+5",
            "1.0.post456.dev34",
            "1.0.post456",
            "1.0.15",
            "1.1.dev1",
            "1!0.1",
        ];
        for pair in ordered.windows(2).skip(1) {
            assert!(version(pair[0]) < version(pair[1]), "{pair:?}");
        }
    }

    #[test]
    fn spellings_do_not_matter() {
        for (a, b) in [
            ("1.0", "v1.0.0"),
            ("1.0-alpha.1", "1a1"),
            ("1.0-1", "1.0.post1"),
            ("1.0C2", "1.0rc2"),
            ("1.0.rev", "1.0.post0"),
            ("1.0+Ubuntu-1", "1.0+ubuntu.1"),
            ("0!1_dev", "1.dev0"),
        ] {
            assert_eq!(version(a), version(b));
        }
        assert!(
            version("1.0.post1").is_final() && !version("1.0b1").is_final() && !version("1.dev1").is_final()
        );
    }

    #[test]
    fn what_is_no_version_is_none() {
        for text in [
            "",
            "x",
            "1.0.linux",
            "1.0-beta-x",
            "1..0",
            "1.0+",
            "1.0+a b",
            "99999999999999999999",
            "1.0.",
            "é1",
        ] {
            assert!(Version::parse(text).is_none(), "{text}");
        }
    }
}
