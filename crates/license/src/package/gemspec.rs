//! `*.gemspec`, of Ruby: a program, of which the plain assignments are read.

use super::field::filled;
use super::manifest::{LicenseValue, Manifest, Statement};

/// Several licenses do not say how they go together.
pub(super) fn read(text: &str) -> Manifest {
    let mut manifest = Manifest { is_package: true, ..Manifest::default() };
    for line in text.lines() {
        let Some((target, value)) = line.split_once('=') else { continue };
        let Some((_, field)) = target.trim().rsplit_once('.').filter(|_| !target.contains('#')) else {
            continue;
        };
        let strings = strings(value.trim());
        let first = strings.first().cloned();
        match field.trim() {
            "name" => manifest.name = manifest.name.or(first),
            "version" => manifest.version = manifest.version.or(first),
            "license" | "licenses" if !strings.is_empty() && manifest.statements.is_empty() => {
                let value = match <[String; 1]>::try_from(strings) {
                    Ok([name]) => LicenseValue::Name(name),
                    Err(names) => LicenseValue::Several(names),
                };
                manifest.statements.push(Statement::new("licenses", value));
            }
            _ => {}
        }
    }
    manifest
}

/// The strings of `"a"`, of `['a', "b"]`, or of `%w[a b]`; with `.freeze` behind each.
fn strings(value: &str) -> Vec<String> {
    if let Some(words) = value.strip_prefix("%w") {
        let end = words.find([']', ')', '}', '>']).unwrap_or(words.len());
        return words.get(1..end).unwrap_or_default().split_whitespace().filter_map(filled).collect();
    }
    let value = value.trim_start_matches('[').trim_start();
    if !value.starts_with(['"', '\'']) {
        return Vec::new();
    }
    let mut strings = Vec::new();
    let mut rest = value;
    while let Some(start) = rest.find(['"', '\'']) {
        let quote = rest.as_bytes()[start] as char;
        // What stands between two strings is a comma, or a method of the first.
        if rest[..start].contains(['#', '+', '(']) {
            break;
        }
        let inner = &rest[start + 1..];
        let Some(end) = inner.find(quote) else { break };
        strings.extend(filled(&inner[..end]).filter(|string| !string.contains("#{")));
        rest = &inner[end + 1..];
    }
    strings
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn assignments_of_strings_are_read() {
        let license = |line: &str| {
            let manifest = read(&format!("Gem::Specification.new do |s|\n  s.name = 'x'\n  {line}\nend\n"));
            assert_eq!(manifest.name.as_deref(), Some("x"));
            manifest.statements.into_iter().next().map(|statement| statement.value)
        };
        let name = |name: &str| Some(LicenseValue::Name(name.to_owned()));
        let two = Some(LicenseValue::Several(vec!["MIT".to_owned(), "GPL-3.0-only".to_owned()]));
        assert_eq!(license("s.license = 'MIT' # or so"), name("MIT"));
        assert_eq!(license("s.licenses = [\"MIT\".freeze]"), name("MIT"));
        assert_eq!(license("s.licenses = ['MIT', \"GPL-3.0-only\"]"), two);
        assert_eq!(license("s.licenses = %w[MIT GPL-3.0-only]"), two);
        assert_eq!(license("s.license = File.read('LICENSE')"), None);
        assert_eq!(license("# s.license = 'MIT'"), None);
    }
}
