//! Patterns of paths, as the formats that speak of many files write them.

/// Longer patterns name nothing that people keep.
const MAX_BYTES: usize = 4096;

/// What stars mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Dialect {
    /// REUSE.toml: `*` within a folder, `**` in any folder.
    Reuse,
    /// DEP-5: `*` is anything, `?` any one character.
    Dep5,
}

/// A pattern of paths.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Glob {
    parts: Vec<Part>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Part {
    Literal(String),
    /// Any one character.
    One,
    /// Anything within a folder.
    Name,
    /// Anything.
    Any,
}

impl Glob {
    /// The pattern that `text` is; none where it is longer than anything that people write.
    pub(crate) fn parse(text: &str, dialect: Dialect) -> Option<Self> {
        if text.len() > MAX_BYTES {
            return None;
        }
        let mut parts = Vec::new();
        let mut literal = String::new();
        let mut rest = text.chars().peekable();
        while let Some(c) = rest.next() {
            let part = match (c, dialect) {
                ('\\', _) => {
                    literal.push(rest.next().unwrap_or('\\'));
                    continue;
                }
                ('*', Dialect::Reuse) if rest.next_if_eq(&'*').is_some() => Part::Any,
                ('*', Dialect::Reuse) => Part::Name,
                ('*', Dialect::Dep5) => Part::Any,
                ('?', Dialect::Dep5) => Part::One,
                (c, _) => {
                    literal.push(c);
                    continue;
                }
            };
            if !literal.is_empty() {
                parts.push(Part::Literal(std::mem::take(&mut literal)));
            }
            if parts.last() != Some(&part) || part == Part::One {
                parts.push(part);
            }
        }
        if !literal.is_empty() {
            parts.push(Part::Literal(literal));
        }
        Some(Self { parts })
    }

    /// Whether it names `path`.
    pub(crate) fn matches(&self, path: &str) -> bool {
        // On a failure the last star takes one character more; one that may not, or of an outer folder, gives way to the last
        // that takes anything. What comes before that is matched for good: it could only end later.
        let (mut at, mut part) = (0, 0);
        let (mut name, mut any) = (None, None);
        loop {
            let rest = &path[at..];
            let step = match self.parts.get(part) {
                Some(Part::Literal(text)) => rest.starts_with(text.as_str()).then_some(text.len()),
                Some(Part::One) => rest.chars().next().map(char::len_utf8),
                Some(Part::Name) => {
                    name = Some((at, part));
                    Some(0)
                }
                Some(Part::Any) => {
                    (name, any) = (None, Some((at, part)));
                    Some(0)
                }
                None if rest.is_empty() => return true,
                None => None,
            };
            if let Some(step) = step {
                (at, part) = (at + step, part + 1);
                continue;
            }
            let longer = |from: usize| path[from..].chars().next();
            name = name.and_then(|(from, part)| {
                longer(from).filter(|&c| c != '/').map(|c| (from + c.len_utf8(), part))
            });
            if name.is_none() {
                any = any.and_then(|(from, part)| longer(from).map(|c| (from + c.len_utf8(), part)));
            }
            match name.or(any) {
                Some((from, star)) => (at, part) = (from, star + 1),
                None => return false,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn matches(pattern: &str, dialect: Dialect, path: &str) -> bool {
        Glob::parse(pattern, dialect).expect("short").matches(path)
    }

    #[test]
    fn stars_of_reuse_stay_in_their_folder_and_two_do_not() {
        for (pattern, path, expected) in [
            ("a.py", "a.py", true),
            ("a.py", "b/a.py", false),
            ("*.py", "a.py", true),
            ("*.py", "b/a.py", false),
            ("**", "b/c/a.py", true),
            ("**.py", "b/c/a.py", true),
            ("b/**/a.py", "b/c/d/a.py", true),
            ("b/**/a.py", "b/a.py", false),
            ("b/*/a*.py", "b/c/ab.py", true),
            ("b/*/a*.py", "b/c/d/ab.py", false),
            ("**/x*z/*.c", "a/xyz/xz/b.c", true),
            ("a\\*b", "a*b", true),
            ("a\\*b", "axb", false),
            ("a?b", "a?b", true),
            ("", "", true),
        ] {
            assert_eq!(matches(pattern, Dialect::Reuse, path), expected, "{pattern} {path}");
        }
    }

    #[test]
    fn stars_of_dep5_cross_folders() {
        for (pattern, path, expected) in [
            ("*", "a/b/c.py", true),
            ("a/*.py", "a/b/c.py", true),
            ("*.?", "a/b.c", true),
            ("*.?", "a/b.cc", false),
            ("a\\?", "a?", true),
        ] {
            assert_eq!(matches(pattern, Dialect::Dep5, path), expected, "{pattern} {path}");
        }
    }

    /// The definition, in exponential time.
    fn defined(parts: &[Part], path: &str) -> bool {
        let Some((part, rest)) = parts.split_first() else { return path.is_empty() };
        let ends = || (0..=path.len()).filter(|&end| path.is_char_boundary(end));
        match part {
            Part::Literal(text) => path.strip_prefix(text.as_str()).is_some_and(|path| defined(rest, path)),
            Part::One => path.chars().next().is_some_and(|c| defined(rest, &path[c.len_utf8()..])),
            Part::Name => ends().any(|end| !path[..end].contains('/') && defined(rest, &path[end..])),
            Part::Any => ends().any(|end| defined(rest, &path[end..])),
        }
    }

    proptest! {
        #[test]
        fn a_path_matches_as_defined(pattern in "[ab/*?]{0,8}", path in "[ab/ü]{0,8}") {
            for dialect in [Dialect::Reuse, Dialect::Dep5] {
                let glob = Glob::parse(&pattern, dialect).expect("short");
                prop_assert_eq!(glob.matches(&path), defined(&glob.parts, &path));
            }
        }
    }
}
