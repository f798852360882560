//! `go.mod`: the root of a module. It says nothing of licenses.

use super::manifest::Manifest;

pub(super) fn read(text: &str) -> Manifest {
    let named = |line: &str| {
        let rest = line.trim().strip_prefix("module")?;
        let rest = rest.starts_with([' ', '\t', '"', '`']).then(|| rest.trim())?;
        let name = rest.split("//").next().unwrap_or(rest).trim().trim_matches(['"', '`']);
        (!name.is_empty() && name != "(").then(|| name.to_owned())
    };
    let mut lines = text.lines();
    let name = lines.by_ref().find_map(|line| {
        // `module ( … )` in several lines.
        let opens = line.trim().strip_prefix("module").is_some_and(|rest| rest.trim() == "(");
        if opens { Some(None) } else { named(line).map(Some) }
    });
    let name = name.flatten().or_else(|| {
        let inside = lines.next()?.trim().trim_matches(['"', '`']).to_owned();
        (!inside.is_empty() && inside != ")").then_some(inside)
    });
    Manifest { is_package: name.is_some(), name, ..Manifest::default() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_module_has_a_name() {
        for (text, name) in [
            ("// x\nmodule example.org/a // why\n\ngo 1.22\n", Some("example.org/a")),
            ("module \"example.org/a\"", Some("example.org/a")),
            ("module (\n\texample.org/a\n)", Some("example.org/a")),
            ("modules x", None),
            ("", None),
        ] {
            let manifest = read(text);
            assert_eq!(manifest.name.as_deref(), name, "{text}");
            assert_eq!(manifest.is_package, name.is_some());
        }
    }
}
