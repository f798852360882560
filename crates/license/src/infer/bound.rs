//! How much is kept of one folder, so that a folder of thousands of declaring files says no more of each file than another.

use rustc_hash::FxHashSet;

use super::license_file::MAX_LICENSES;
use super::weight::is_specific;
use crate::{Expression, Layer};

/// Layers of license files, and of metadata, that are kept of one folder or package.
pub(super) const MAX_KEPT: usize = 16;

/// What several license files beyond those that are kept say together ([`Layer::rule`]).
pub(super) const JOINED: &str = "joined";

/// Of the license files of one folder those that are kept: beyond [`MAX_KEPT`], the first that says each thing, and a last
/// layer in which the rest hold together. More licenses than a text may name are a list here, too.
pub(super) fn license_files(layers: Vec<Layer>) -> Vec<Layer> {
    let count = layers.len();
    if count <= MAX_KEPT {
        return layers;
    }
    let mut kept = distinct(layers);
    let licenses = kept.iter().filter(|layer| layer.expression.is_some()).count();
    if licenses > MAX_LICENSES {
        return kept.into_iter().take(1).map(|first| list(first, count, licenses)).collect();
    }
    if kept.len() > MAX_KEPT {
        let rest = kept.split_off(MAX_KEPT - 1);
        kept.extend(joined(rest));
    }
    if let Some(last) = kept.last_mut() {
        let evidence = std::mem::take(&mut last.evidence);
        last.evidence =
            format!("{evidence}; {count} license files lie here, and files that say the same appear once");
    }
    kept
}

/// Of what metadata say those layers that are kept: beyond [`MAX_KEPT`], the first that says each thing, as far as there is room.
pub(super) fn metadata(layers: Vec<Layer>) -> Vec<Layer> {
    let count = layers.len();
    if count <= MAX_KEPT {
        return layers;
    }
    let mut kept = distinct(layers);
    kept.truncate(MAX_KEPT);
    let left = count - kept.len();
    if let Some(last) = kept.last_mut() {
        let evidence = std::mem::take(&mut last.evidence);
        last.evidence = format!("{evidence}; {left} more statements here are left out");
    }
    kept
}

/// The first layer that says each thing.
fn distinct(mut layers: Vec<Layer>) -> Vec<Layer> {
    let mut seen = FxHashSet::default();
    layers.retain(|layer| seen.insert(layer.expression.clone()));
    layers
}

/// What files with more licenses than a text may name say, the first of which says `first`.
fn list(first: Layer, count: usize, licenses: usize) -> Layer {
    let evidence = format!(
        "{count} license files with {licenses} different licenses lie here, a list that does not say what stands under which"
    );
    Layer { expression: None, evidence, lines: None, score: None, rule: None, ..first }
}

/// What the rest of the license files say together.
fn joined(rest: Vec<Layer>) -> Option<Layer> {
    let count = rest.len();
    let is_specific = |layer: &&Layer| layer.expression.as_ref().is_some_and(is_specific);
    let mut says: Vec<&Layer> = rest.iter().filter(is_specific).collect();
    if says.is_empty() {
        says = rest.iter().collect();
    }
    let expression = says.iter().filter_map(|layer| layer.expression.clone()).reduce(Expression::and);
    let evidence = format!("this and {} other things that license files here say, taken together", count - 1);
    let first = rest.into_iter().next()?;
    Some(Layer { expression, evidence, lines: None, score: None, rule: Some(JOINED.to_owned()), ..first })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::infer::conclude;
    use crate::infer::testing::declarations;

    /// The bytes that are said of `count` declaring files and as many others.
    fn length_of(count: usize, of: impl Fn(usize) -> (String, String)) -> usize {
        let files: Vec<(String, String)> = (0..count).map(of).collect();
        let declarations = declarations(&files);
        let others = (0..count).map(|n| format!("a/{n}.py"));
        let layers = files
            .iter()
            .map(|(path, _)| path.clone())
            .chain(others)
            .flat_map(|path| declarations.layers(&path));
        layers.map(|layer| format!("{layer:?}").len()).sum()
    }

    /// Whether twice the files say no more than about twice as much.
    #[track_caller]
    fn is_linear(of: impl Fn(usize) -> (String, String)) {
        let (one, two) = (length_of(100, &of), length_of(200, &of));
        assert!(0 < one && two < one * 9 / 4, "{one} bytes, then {two}");
    }

    fn nuspec(n: usize, id: usize) -> (String, String) {
        let text = format!(
            "<package><metadata><id>A{id}</id><license>LicenseRef-{n}</license></metadata></package>"
        );
        (format!("a{n}.nuspec"), text)
    }

    #[test]
    fn what_is_said_of_a_folders_files_does_not_grow_with_their_number() {
        is_linear(|n| nuspec(n, n));
        is_linear(|n| nuspec(n, 0));
        is_linear(|n| {
            (
                format!("{n}.pom"),
                "<project><licenses><license><name>MIT</name></license></licenses></project>".to_owned(),
            )
        });
        is_linear(|n| (format!("LICENSE-{n}"), format!("TEXT LicenseRef-{n}")));
        is_linear(|n| (format!("LICENSE-{n}"), format!("TEXT LicenseRef-{}", n % 40)));
        let info = |path: &str, text: String| (format!("a-1.dist-info/{path}"), text);
        is_linear(|n| match n {
            0 => info("METADATA", "Name: a\n".to_owned()),
            n => info(&format!("licenses/{n}"), format!("TEXT LicenseRef-{n}")),
        });
    }

    #[test]
    fn of_several_packages_each_speaks_for_its_own_metadata_file_alone() {
        let files = [nuspec(1, 1), nuspec(2, 2), nuspec(3, 3), nuspec(4, 4), nuspec(5, 5)];
        let declarations = declarations(&files);
        let [of_file] = declarations.layers("a3.nuspec").try_into().expect("one layer");
        assert_eq!(of_file.expression.map(|said| said.to_string()).as_deref(), Some("LicenseRef-3"));
        let [of_others] = declarations.layers("lib/x.dll").try_into().expect("one layer");
        assert_eq!((of_others.expression, of_others.path.as_deref()), (None, Some("a1.nuspec")));
        assert_eq!(
            of_others.evidence,
            "5 packages lie here (`a1`, `a2`, `a3` and 2 more), and nothing says which files are whose"
        );
    }

    /// What follows of a file beside license files with these texts, and how many of their layers are kept.
    fn beside(texts: impl Iterator<Item = String>, more: &[(String, String)]) -> (String, usize, String) {
        let mut files: Vec<_> = (10..).zip(texts).map(|(n, text)| (format!("LICENSE-{n}"), text)).collect();
        files.extend_from_slice(more);
        let layers = declarations(&files).layers("x.c");
        let concluded = conclude(&layers).expression.map_or("-".to_owned(), |said| said.to_string());
        let of_files = layers.iter().filter(|layer| layer.kind == crate::LayerKind::LicenseFile);
        (concluded, of_files.count(), layers.last().map(|layer| layer.evidence.clone()).unwrap_or_default())
    }

    #[test]
    fn every_license_of_a_folder_counts_however_many_files_say_it() {
        let (concluded, kept, evidence) =
            beside((0..100).map(|n| format!("TEXT LicenseRef-{}", n % 20)), &[]);
        assert_eq!(concluded.split(" AND ").count(), 20);
        assert_eq!(kept, MAX_KEPT);
        assert!(evidence.contains("100 license files lie here"), "{evidence}");
        let (concluded, kept, _) = beside((0..100).map(|_| "TEXT MIT".to_owned()), &[]);
        assert_eq!((concluded.as_str(), kept), ("MIT", 1));
        let (concluded, kept, evidence) = beside((0..100).map(|n| format!("TEXT LicenseRef-{n}")), &[]);
        assert_eq!((concluded.as_str(), kept), ("-", 1));
        assert!(evidence.contains("a list"), "{evidence}");
    }

    #[test]
    fn metadata_say_how_many_license_files_go_together_if_they_name_some_license_of_each() {
        let ids = "0BSD AAL AFL-1.1 BSL-1.0 CPL-1.0 ECL-1.0 ECL-2.0 EFL-1.0 EFL-2.0 EPL-1.0 EPL-2.0 ISC MIT MIT-0 NCSA NTP Zlib";
        let ids: Vec<&str> = ids.split(' ').collect();
        let texts = || ids.iter().map(|id| format!("TEXT {id}"));
        let metadata = |count: usize| {
            let text = format!("[package]\nname = 'a'\nlicense = '{}'", ids[..count].join(" OR "));
            ("Cargo.toml".to_owned(), text)
        };
        assert!(beside(texts(), &[metadata(17)]).0.contains(" OR "));
        assert!(beside(texts(), &[metadata(16)]).0.contains(" AND "), "nothing is said of the last");
    }
}
