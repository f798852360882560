//! Whatever declaring files hold, they are read or a reason is recorded, and what they say of a file is valid and in order. The
//! first byte chooses the kind of file; a line of four bytes FF begins the next one.
#![no_main]

use familiar_license::infer::{conclude, conclude_file};
use familiar_license::{Declarations, Detector, Expression};
use libfuzzer_sys::fuzz_target;

const PATHS: [&str; 27] = [
    "LICENSE",
    "a/COPYING",
    "REUSE.toml",
    "a/REUSE.toml",
    "familiar.toml",
    ".reuse/dep5",
    "debian/copyright",
    "a/x.c.license",
    "Cargo.toml",
    "a/Cargo.toml",
    "a/package.json",
    "package.json",
    "pom.xml",
    "a/pom.xml",
    "x.nuspec",
    "go.mod",
    "setup.cfg",
    "setup.py",
    "pyproject.toml",
    "PKG-INFO",
    "a-1.dist-info/METADATA",
    "a-1.dist-info/RECORD",
    "a.egg-info/top_level.txt",
    "META-INF/maven/g/a/pom.xml",
    "pnpm-workspace.yaml",
    "a/pyproject.toml",
    "y.nuspec",
];

fuzz_target!(|bytes: &[u8]| {
    let detector = Detector::embedded();
    let mut files = Vec::new();
    let mut rest = bytes;
    while let Some((kind, text)) = rest.split_first() {
        let end = text.windows(4).position(|window| window == [0xFF; 4]);
        let path = PATHS[usize::from(*kind) % PATHS.len()];
        files.push((path.to_owned(), text[..end.unwrap_or(text.len())].to_vec()));
        rest = end.map_or(&[][..], |end| &text[end + 4..]);
    }
    let declarations = Declarations::read(files, detector);
    for package in declarations.packages() {
        assert!(package.purl.starts_with("pkg:"));
    }
    assert!(declarations.unreadable().iter().all(|(_, reason)| !reason.is_empty()));
    for path in ["a/x.c", "x.c", "a/b/vendor/y.c", "LICENSE"] {
        let layers = declarations.layers(path);
        assert!(layers.is_sorted_by_key(|layer| layer.kind));
        for expression in layers.iter().filter_map(|layer| layer.expression.as_ref()) {
            assert!(Expression::parse(&expression.to_string()).is_ok());
        }
        let concluded = [conclude(&layers), conclude_file(&layers)];
        for expression in concluded.into_iter().filter_map(|concluded| concluded.expression) {
            assert!(Expression::parse(&expression.to_string()).is_ok());
        }
    }
});
