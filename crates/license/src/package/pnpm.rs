//! `pnpm-workspace.yaml`, as far as it lists packages in the ways that people write: one on a line, or all in brackets.

use super::manifest::{Manifest, Members};

pub(super) fn read(text: &str) -> Manifest {
    let mut listed: Vec<&str> = Vec::new();
    let mut is_inside = false;
    for line in text.lines() {
        let line = without_comment(line).trim_end();
        if let Some(rest) = line.strip_prefix("packages:") {
            is_inside = true;
            let list = rest.trim().strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
            listed.extend(list.into_iter().flat_map(|list| list.split(',')));
        } else if let Some(item) = line.trim_start().strip_prefix("- ").filter(|_| is_inside) {
            listed.push(item);
        } else if !line.trim().is_empty() {
            is_inside &= line.starts_with([' ', '\t']);
        }
    }
    let plain = |text: &'_ str| text.trim().trim_matches(['"', '\'']).to_owned();
    let listed: Vec<String> = listed.into_iter().map(plain).collect();
    Manifest { members: Some(Members::of_patterns(listed.iter().map(String::as_str))), ..Manifest::default() }
}

/// A comment begins a line or comes after a space.
fn without_comment(line: &str) -> &str {
    let at = if line.starts_with('#') { Some(0) } else { line.find(" #") };
    &line[..at.unwrap_or(line.len())]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packages_are_listed_on_lines_or_in_brackets() {
        for text in [
            "# all\npackages:\n  # ours\n  - 'packages/*' # x\n  - \"!packages/x\"\n\ncatalog:\n  - no\n",
            "packages:\n- packages/*\n- '!packages/x'\n",
            "catalog: {}\npackages: ['packages/*', \"!packages/x\"]\n",
        ] {
            let members = read(text).members.expect("a workspace");
            let expected = (vec!["packages/*".to_owned()], vec!["packages/x".to_owned()]);
            assert_eq!((members.listed, members.excluded), expected, "{text}");
        }
        assert!(!read("packages:").is_package);
    }
}
