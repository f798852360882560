//! Where the functions of a release come from, and under which licenses they stand: most licenses ask for that beside the code.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use super::content::Release;
use super::files::write_file;
use crate::error::DatasetError;
use crate::seed::Seed;

pub(super) fn write(release: &Release<'_>, folder: &Path) -> Result<(), DatasetError> {
    write_file(&folder.join("NOTICE"), &text(release.seeds.values()))
}

/// The seeds by license. Each has its place, and the lines of its code that name who holds the rights.
fn text<'s>(seeds: impl Iterator<Item = &'s Seed>) -> String {
    let mut licenses: BTreeMap<&str, Vec<&Seed>> = BTreeMap::new();
    for seed in seeds {
        licenses.entry(seed.license.as_deref().unwrap_or("unknown")).or_default().push(seed);
    }
    let mut out = String::from(
        "The functions of this release were taken from the places below, and stand under the licenses that are named there. The\n\
         texts of the licenses and the names of those who hold the rights stand at these places. Implementations of a function by a\n\
         model may count as derived from it.\n",
    );
    for (license, seeds) in licenses {
        // Writing to a string does not fail.
        let _ = writeln!(out, "\n{license}\n");
        for seed in seeds {
            let place = match &seed.origin {
                Some(origin) => format!("{}, {}, line {}", origin.project, origin.path, origin.line),
                None => "from an unknown place".to_owned(),
            };
            let _ = writeln!(out, "  {}: {place}", seed.seed_id);
            let held = |line: &&str| {
                line.to_ascii_lowercase().contains("copyright") || line.contains("SPDX-License-Identifier")
            };
            for line in seed.code.lines().filter(held) {
                let _ = writeln!(out, "    {}", line.trim());
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::seed::Origin;

    #[test]
    fn each_function_has_its_place_and_its_license() {
        let origin = Origin { project: "six".into(), path: "six.py".into(), line: 7 };
        let mut first = Seed::of_code("python", "def f(x):\n    # Copyright 2020 Ada\n    return x\n");
        (first.seed_id, first.origin, first.license) = ("s1".into(), Some(origin), Some("MIT".into()));
        let mut second = Seed::of_code("python", "def g(x):\n    return x\n");
        second.seed_id = "s2".into();
        let text = text([&first, &second].into_iter());
        let (_, parts) = text.split_once("derived from it.\n").expect("a head");
        let expected = "\nMIT\n\n  s1: six, six.py, line 7\n    # Copyright 2020 Ada\n\nunknown\n\n  s2: from an unknown place\n";
        assert_eq!(parts, expected);
    }
}
