//! `[audit]` in `familiar.toml`: which licenses a project takes in, and what of the findings somebody accepted.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail, ensure};
use familiar_audit::policy::{Accepted, Fail, PathRules, Pattern, Policies, Policy, Rules};
use familiar_license::{Expression, License};
use familiar_source::words;
use toml::{Table, Value};

use crate::settings_file::{self, file_of, text_of};
use crate::settings_names::{self, ACCEPTED_KEYS, PATH_KEYS};

/// The policies of some trees, and of the current folder: each that of the nearest settings file. A snippet is as a file of the folder.
pub(crate) fn of(trees: &[PathBuf], has_snippet: bool) -> anyhow::Result<Policies> {
    let of_tree = |tree: &PathBuf| {
        let Some(file) = file_of(Some(tree)) else { return Ok(Policy::default()) };
        Ok(Policy { prefix: below(tree, &file), ..read(&file)? })
    };
    Ok(Policies {
        trees: trees.iter().map(of_tree).collect::<anyhow::Result<_>>()?,
        here: match file_of(None) {
            Some(file) if has_snippet => Policy { prefix: below(Path::new("."), &file), ..read(&file)? },
            Some(file) => read(&file)?,
            None => Policy::default(),
        },
        ..Policies::default()
    })
}

/// What to say of the patterns of licenses that no known license fits.
pub(crate) fn in_vain(policies: &Policies) -> Vec<String> {
    let all = policies.trees.iter().chain([&policies.here]);
    let patterns: BTreeSet<&str> = all.flat_map(Policy::in_vain).collect();
    let said = |pattern: &str| {
        let (file, meant) = (settings_file::FILE, meant(pattern));
        format!(
            "in {file}: [audit]: the pattern {pattern} has no effect, since no known license fits it{meant}"
        )
    };
    patterns.into_iter().map(said).collect()
}

/// Which licenses a pattern may mean that none fits: those that are called so but for `v`, signs and spaces, or that have a like name.
fn meant(pattern: &str) -> String {
    let plain =
        |text: &str| text.to_ascii_lowercase().replace(|c: char| !c.is_ascii_alphanumeric() || c == 'v', "");
    let listed = License::listed();
    let sought = plain(pattern);
    let called = listed.iter().filter(|id| !sought.is_empty() && plain(id).starts_with(&sought));
    let called: Vec<&str> = called.take(3).map(String::as_str).collect();
    if called.is_empty() {
        words::suggestion(&pattern.replace(['*', '?'], ""), listed.iter().map(String::as_str))
    } else {
        words::did_you_mean(&called)
    }
}

/// What stands before the paths of `tree`, from the folder of the settings file that holds for it.
fn below(tree: &Path, file: &Path) -> String {
    let Ok(tree) = tree.canonicalize() else { return String::new() };
    let folder = if tree.is_dir() { Some(tree.as_path()) } else { tree.parent() };
    let inner = folder.and_then(|folder| folder.strip_prefix(file.parent()?).ok());
    let mut below = String::new();
    for part in inner.into_iter().flat_map(Path::components) {
        below.push_str(&part.as_os_str().to_string_lossy());
        below.push('/');
    }
    below
}

/// The policy in the settings file `file`. A policy that stands where nobody looks for it is an error.
fn read(file: &Path) -> anyhow::Result<Policy> {
    let text = text_of(file)?;
    let checked = settings_names::check(&text);
    checked.with_context(|| format!("in {}", file.display()))?;
    let whole: Table = text.parse().with_context(|| format!("in {}", file.display()))?;
    let Some(Value::Table(audit)) = whole.get("audit") else { return Ok(Policy::default()) };
    policy(audit).with_context(|| format!("in {}: [audit]", file.display()))
}

fn policy(audit: &Table) -> anyhow::Result<Policy> {
    Ok(Policy {
        license: license(audit)?,
        rules: Rules {
            allowed: patterns(audit, "allowed")?,
            denied: patterns(audit, "denied")?.unwrap_or_default(),
        },
        paths: entries(audit, "path", path_rules)?,
        accepted: entries(audit, "accepted", accepted)?,
        fail: fail(audit)?,
        prefix: String::new(),
    })
}

/// What fails that does not by itself.
fn fail(audit: &Table) -> anyhow::Result<BTreeSet<Fail>> {
    let Some(value) = audit.get("fail") else { return Ok(BTreeSet::new()) };
    let known = Fail::ALL.map(Fail::name).join(", ");
    let list = value.as_array().with_context(|| format!("fail has to be a list; its values are {known}"))?;
    let one = |value: &Value| {
        let found = Fail::ALL.into_iter().find(|fail| value.as_str() == Some(fail.name()));
        found.with_context(|| {
            let name = value.as_str().unwrap_or_default();
            let meant = words::suggestion(name, Fail::ALL.map(Fail::name));
            format!("fail: there is no value {value}{meant}; the values are {known}")
        })
    };
    list.iter().map(one).collect()
}

/// The tables of a list of tables.
fn entries<T>(
    audit: &Table,
    key: &str,
    read: impl Fn(&Table) -> anyhow::Result<T>,
) -> anyhow::Result<Vec<T>> {
    let Some(value) = audit.get(key) else { return Ok(Vec::new()) };
    let Value::Array(list) = value else { bail!("{key} has to be a list of tables; write [[audit.{key}]]") };
    let one = |(number, value): (usize, &Value)| {
        let table = value
            .as_table()
            .with_context(|| format!("{key} has to contain tables only; write [[audit.{key}]]"))?;
        read(table).with_context(|| format!("{key} {number}"))
    };
    (1..).zip(list).map(one).collect()
}

fn path_rules(table: &Table) -> anyhow::Result<PathRules> {
    only(table, &PATH_KEYS)?;
    let paths = patterns(table, "paths")?.unwrap_or_default();
    ensure!(!paths.is_empty(), "paths are missing; give them as in paths = [\"vendor/**\"]");
    Ok(PathRules {
        paths,
        license: license(table)?,
        allowed: patterns(table, "allowed")?,
        denied: patterns(table, "denied")?,
    })
}

fn accepted(table: &Table) -> anyhow::Result<Accepted> {
    only(table, &ACCEPTED_KEYS)?;
    let text = |key: &str, what: &str| -> anyhow::Result<String> {
        let text = match table.get(key) {
            Some(Value::String(text)) => text.trim().to_owned(),
            Some(Value::Datetime(date)) if key == "date" => date.to_string(),
            Some(_) => bail!("{key} has to be a text"),
            None => String::new(),
        };
        ensure!(!text.is_empty(), "{key} is missing; give {what}");
        Ok(text)
    };
    let fingerprint = text("fingerprint", "the fingerprint of the finding")?.to_ascii_lowercase();
    ensure!(
        fingerprint.len() == 32 && fingerprint.bytes().all(|byte| byte.is_ascii_hexdigit()),
        "{fingerprint} is not a fingerprint; fingerprints have 32 hexadecimal digits, and --format json shows them"
    );
    let date = text("date", "the day of the decision, as in date = 2026-01-31")?;
    ensure!(
        familiar_source::time::parse(&date).is_some(),
        "date {date} is not a day; write it as in 2026-01-31"
    );
    Ok(Accepted {
        fingerprint,
        reason: text("reason", "the reason why the code may stay")?,
        date,
        license: license(table)?,
        paths: patterns(table, "paths")?.unwrap_or_default(),
    })
}

fn only(table: &Table, known: &[&str]) -> anyhow::Result<()> {
    match table.keys().find(|key| !known.contains(&key.as_str())) {
        Some(key) => bail!(
            "there is no key {key}{}; the keys are {}",
            words::suggestion(key, known.iter().copied()),
            known.join(", ")
        ),
        None => Ok(()),
    }
}

fn license(table: &Table) -> anyhow::Result<Option<Expression>> {
    let Some(value) = table.get("license") else { return Ok(None) };
    let text = value.as_str().context("license has to be a text; give an SPDX expression")?;
    Ok(Some(Expression::parse(text).with_context(|| format!("license {text}"))?))
}

fn patterns(table: &Table, key: &str) -> anyhow::Result<Option<Vec<Pattern>>> {
    let Some(value) = table.get(key) else { return Ok(None) };
    let wrong = || format!("{key} has to be a list of texts; write it as in {key} = [\"MIT\", \"BSD-*\"]");
    let list = value.as_array().with_context(wrong)?;
    let pattern = |value: &Value| -> anyhow::Result<Vec<Pattern>> {
        let text = value.as_str().with_context(wrong)?;
        if key == "paths" {
            return Ok(vec![path_pattern(text.trim())?]);
        }
        // A license that nobody knows would be denied in vain; one of several names is known by SPDX's.
        if text.contains(['*', '?']) {
            let is_of_names = |c: char| c.is_ascii_alphanumeric() || "*?.+-: ".contains(c);
            ensure!(text.chars().all(is_of_names), "{key}: no license has a name that fits {text}");
            return Ok(vec![Pattern::new(text)]);
        }
        let license = Expression::parse(text.trim()).with_context(|| format!("{key}: {text}"))?;
        let name = license.to_string();
        let mut all = vec![Pattern::new(&name)];
        // An old name of a GNU license, `GPL-3.0`, leaves open whether later versions are meant: whoever denies it means them, too.
        if key == "denied"
            && let Some(version) = name.strip_suffix("-only")
            && text.trim().eq_ignore_ascii_case(version)
        {
            all.push(Pattern::new(&format!("{version}-or-later")));
        }
        Ok(all)
    };
    let all: Vec<Vec<Pattern>> = list.iter().map(pattern).collect::<anyhow::Result<_>>()?;
    Ok(Some(all.concat()))
}

/// A pattern of paths. All but `*` and `?` stands for itself, brackets too: `[id].ts` is one file.
fn path_pattern(text: &str) -> anyhow::Result<Pattern> {
    ensure!(!text.is_empty(), "paths has an empty text; give a path or a pattern");
    let (open, close) = (text.matches('[').count(), text.matches(']').count());
    ensure!(
        open == close && !text.starts_with('!'),
        "paths: {text} is not a pattern; patterns have * and ?, and all else stands for itself"
    );
    Ok(Pattern::new(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Policy, String> {
        let table: Table = text.parse().expect("TOML");
        policy(&table).map_err(|error| format!("{error:#}"))
    }

    #[test]
    fn a_policy_is_read_whole() {
        let text = "license = 'MIT'\nallowed = ['BSD-*']\ndenied = ['GPL-*']\n[[path]]\npaths = ['a/']\n\
                    license = 'ISC'\n[[accepted]]\nfingerprint = '0123456789ABCDEF0123456789abcdef'\nreason = 'ours'\ndate = 2026-01-31\n\
                    license = 'MIT'\npaths = ['a/b.py']\n";
        let policy = read(text).expect("it is right");
        assert_eq!(policy.license.map(|license| license.to_string()).as_deref(), Some("MIT"));
        assert_eq!(policy.rules.allowed, Some(vec![Pattern::new("BSD-*")]));
        assert_eq!((policy.rules.denied.len(), policy.paths.len()), (1, 1));
        assert_eq!(policy.accepted[0].date, "2026-01-31");
        assert_eq!(policy.accepted[0].license.as_ref().map(ToString::to_string).as_deref(), Some("MIT"));
        assert_eq!(policy.accepted[0].paths, [Pattern::new("a/b.py")]);
        assert_eq!(policy.accepted[0].fingerprint, "0123456789abcdef0123456789abcdef");
    }

    #[test]
    fn old_names_of_gnu_licenses_deny_later_versions_too() {
        let patterns = |list: &[&str]| list.iter().map(|text| Pattern::new(text)).collect::<Vec<_>>();
        let policy =
            read("allowed = ['GPL-3.0']\ndenied = ['gpl-3.0', 'LGPL-2.1-only', 'MIT']").expect("right");
        assert_eq!(policy.rules.allowed, Some(patterns(&["GPL-3.0-only"])));
        assert_eq!(
            policy.rules.denied,
            patterns(&["GPL-3.0-only", "GPL-3.0-or-later", "LGPL-2.1-only", "MIT"])
        );
    }

    #[test]
    fn a_pattern_that_no_license_fits_is_told() {
        let told =
            |text: &str| in_vain(&Policies { here: read(text).expect("right"), ..Policies::default() });
        let fine = "allowed = ['mit*', 'LicenseRef-ours-*', '*', 'GPL-?.0-only', 'GPL-2.0-only WITH Class*', 'MIT', \
             'Apache-2.0+*', 'NONE*', 'GPL-2.0-only WITH LicenseRef-*']";
        assert!(told(fine).is_empty(), "{:?}", told(fine));
        let vain = "denied = ['GPLv3*']\n[[path]]\npaths = ['a']\nallowed = ['Apache2*', 'Xyzzy*']";
        let [apache, gpl, other] = told(vain).try_into().expect("three");
        assert!(
            gpl.contains("the pattern GPLv3* has no effect")
                && gpl.contains("it (did you mean GPL-3.0-only or GPL-3.0-or-later?)"),
            "{gpl}"
        );
        assert!(apache.contains("did you mean Apache-2.0"), "{apache}");
        assert!(other.ends_with("Xyzzy* has no effect, since no known license fits it"), "{other}");
    }

    #[test]
    fn what_is_wrong_is_named() {
        let entry = |rest: &str| format!("[[accepted]]\nfingerprint = '{}'\n{rest}", "9f".repeat(16));
        for (text, parts) in [
            ("license = 'My license'", "license My license"),
            ("allowed = 'MIT'", "allowed has to be a list of texts"),
            ("[[path]]\nallowed = ['MIT']", "path 1: paths are missing"),
            ("[path]\npaths = ['a']", "write [[audit.path]]"),
            (&entry("date = 2026-01-31"), "accepted 1: reason is missing"),
            (&entry("reason = 'x'"), "accepted 1: date is missing"),
            (&entry("reason = 'x'\ndate = 'soon'"), "date soon is not a day"),
            ("[[accepted]]\nfingerprint = '9f'", "accepted 1: 9f is not a fingerprint"),
            ("[[path]]\npaths = ['[']", "path 1: paths: [ is not a pattern"),
            ("[[path]]\npaths = ['a', '']", "path 1: paths has an empty text"),
            ("denied = ['GPL-[23]*']", "denied: no license has a name that fits GPL-[23]*"),
            ("fail = ['all']", "the values are contested, unknown, laundering, attribution"),
            (
                "[[accepted]]\nfinger = '9f'",
                "there is no key finger (did you mean fingerprint?); the keys are fingerprint",
            ),
        ] {
            let error = read(text).expect_err(text);
            assert!(error.contains(parts), "{error}");
        }
    }
}
