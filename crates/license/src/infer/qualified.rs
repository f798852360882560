//! Names of licenses in their normal form, and what stands beside them: bounds of versions, and an exception.

use crate::Expression;

/// Lower case; words that many names hold are left out, what stands between words is one space.
pub(crate) fn normal(text: &str) -> String {
    let lower = text.to_ascii_lowercase();
    let words = lower.split(|c: char| !(c.is_alphanumeric() || c == '.' || c == '+'));
    let words = words.map(|word| word.trim_matches('.')).map(|word| {
        let is_version = |rest: &&str| rest.starts_with(|c: char| c.is_ascii_digit());
        word.strip_prefix('v').filter(is_version).unwrap_or(word)
    });
    let says_nothing = [
        "the", "a", "license", "licence", "licenses", "licensed", "under", "version", "software", "terms", "",
    ];
    words.filter(|word| !says_nothing.contains(word)).collect::<Vec<_>>().join(" ")
}

/// What R and others write for versions, in words that every name may have: `GPL (>= 2)` is `GPL (2+)`, `GPL (== 2)` is `GPL (2 only)`.
/// None of other bounds: no license says `< 3`.
pub(super) fn bounded(text: &str) -> Option<String> {
    let text = text.replace('\u{2265}', ">=").replace('\u{2264}', "<");
    let mut kept = String::with_capacity(text.len());
    let mut rest = text.as_str();
    while let Some(at) = rest.find(['<', '>', '=']) {
        let (before, after) = rest.split_at(at);
        let mark = &after[..after.find(|c| !matches!(c, '<' | '>' | '=')).unwrap_or(after.len())];
        let value = after[mark.len()..].trim_start();
        let end = value.find(|c: char| !(c.is_ascii_digit() || c == '.')).unwrap_or(value.len());
        let version = value[..end].trim_end_matches('.');
        kept.push_str(before);
        rest = &value[version.len()..];
        match mark {
            _ if version.is_empty() => kept.push(' '),
            ">=" => kept.extend([version, "+"]),
            "==" | "=" => kept.extend([version, " only"]),
            _ => return None,
        }
    }
    kept.push_str(rest);
    Some(kept)
}

/// A license, and the exceptions of SPDX's list of which one is meant beside it, each by any of its names: `GPLv2 with the
/// Classpath exception`. None where the text is no such thing.
pub(super) fn excepted(text: &str) -> Option<(&str, Vec<&'static str>)> {
    let (license, exception) = split_at_word(text, " with ").or_else(|| split_at_word(text, " w/"))?;
    let wanted = normal(exception);
    let wanted = wanted.strip_suffix('s').unwrap_or(&wanted);
    let fits = |listed: &&str| {
        let listed = normal(listed);
        let (name, version) = listed.rsplit_once(' ').unwrap_or((&listed, ""));
        listed == wanted || name == wanted && version.starts_with(|c: char| c.is_ascii_digit())
    };
    let all = spdx::identifiers::EXCEPTIONS.iter().map(|exception| exception.name);
    let found: Vec<&str> = all.filter(fits).collect();
    (!found.is_empty()).then_some((license, found))
}

/// A license or a choice of them, each with the one of these exceptions that goes with it.
pub(super) fn with_exception(licenses: &Expression, exceptions: &[&str]) -> Option<Expression> {
    let each = licenses.licenses().into_iter().map(|license| {
        // Where an exception has several versions, that for the license's version is meant.
        let version = license.id.split('-').nth(1).and_then(|version| version.get(..2));
        let of_version = |name: &&&str| version.is_some_and(|version| name.contains(&format!("-{version}")));
        let exception = match exceptions {
            [one] => one,
            several => match several.iter().filter(of_version).collect::<Vec<_>>()[..] {
                [one] => one,
                _ => return None,
            },
        };
        let is_plain = license.exception.is_none();
        is_plain.then(|| Expression::parse(&format!("{license} WITH {exception}")).ok()).flatten()
    });
    let each: Vec<Expression> = each.collect::<Option<_>>()?;
    let is_choice = !matches!(licenses, Expression::And(_));
    each.into_iter().reduce(Expression::or).filter(|_| is_choice)
}

/// What stands before a word, in any case, and after it.
fn split_at_word<'t>(text: &'t str, word: &str) -> Option<(&'t str, &'t str)> {
    let at = text.to_ascii_lowercase().find(word)?;
    Some((&text[..at], &text[at + word.len()..]))
}
