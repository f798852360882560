//! What follows from all that speaks for a file.

use std::collections::BTreeSet;

use super::bound::JOINED;
use super::weight::decides;
use crate::{Expression, Layer, LayerKind};

/// The license of a file as far as it can be told.
#[derive(Clone, Debug, PartialEq)]
pub struct Conclusion {
    pub expression: Option<Expression>,
    /// Whose word counted; [`LayerKind::None`] where nobody's did.
    pub by: LayerKind,
    /// The layers that say something else, as they were given.
    pub disagreements: Vec<Layer>,
}

/// What an annotation of REUSE.toml adds to what the file itself says ([`Layer::rule`]).
pub(super) const AGGREGATE: &str = "aggregate";

/// The license of whatever all of `layers` speak for, by the order of [`LayerKind`]. The first kind of which some layer says which
/// license it is counts; words that some license is meant count where nothing else does, and references beside stronger words of a file
/// not at all.
///
/// Tags, notices and license files of one kind hold together (AND). Where a folder has several license files, or one that leaves
/// something open, package metadata that name some license of each of them, and no other, say how they go together, and count.
/// Of the other kinds, the first layer counts: the nearest, or of one file the field that is most precise. An annotation
/// of REUSE.toml that aggregates holds together with what the file itself says.
pub fn conclude(layers: &[Layer]) -> Conclusion {
    let is_decided = layers.iter().any(decides);
    let counts = |layer: &&Layer| if is_decided { decides(layer) } else { layer.expression.is_some() };
    let Some(by) = layers.iter().filter(counts).map(|layer| layer.kind).min() else {
        return Conclusion { expression: None, by: LayerKind::None, disagreements: Vec::new() };
    };
    let of = |kind: LayerKind| {
        let of_kind = layers.iter().filter(counts).filter(move |layer| layer.kind == kind);
        of_kind.filter_map(|layer| layer.expression.as_ref())
    };
    let all = |expressions: &mut dyn Iterator<Item = &Expression>| {
        let mut distinct: Vec<&Expression> = Vec::new();
        for expression in expressions {
            if !distinct.iter().any(|known| same(known, expression)) {
                distinct.push(expression);
            }
        }
        distinct.into_iter().cloned().reduce(Expression::and)
    };
    let mut expression = match by {
        LayerKind::LicenseFile => {
            let files = license_files(layers.iter().filter(counts).filter(|layer| layer.kind == by));
            let precise = of(LayerKind::PackageMetadata).next().filter(|declared| says_how(declared, &files));
            precise.cloned().or_else(|| all(&mut files.into_iter()))
        }
        kind if kind.is_of_file() => all(&mut of(kind)),
        kind => of(kind).next().cloned(),
    };
    let is_aggregate = |layer: &&Layer| layer.rule.as_deref() == Some(AGGREGATE);
    if by.is_of_file() {
        let added = layers.iter().filter(is_aggregate).filter_map(|layer| layer.expression.clone());
        expression = added.fold(expression, |all, added| all.map(|all| all.and(added)));
    }
    let disagrees = |layer: &&Layer| match (&layer.expression, &expression) {
        (Some(declared), Some(concluded)) => counts(layer) && !agree(declared, concluded),
        _ => false,
    };
    Conclusion { disagreements: layers.iter().filter(disagrees).cloned().collect(), expression, by }
}

/// The license of a file as a whole, some lines of which have their own: those of the snippets hold together with the rest's.
pub fn conclude_file(layers: &[Layer]) -> Conclusion {
    let is_snippet = |layer: &&Layer| layer.kind == LayerKind::SnippetTag && layer.expression.is_some();
    let snippets: Vec<&Layer> = layers.iter().filter(is_snippet).collect();
    let rest: Vec<Layer> =
        layers.iter().filter(|layer| layer.kind != LayerKind::SnippetTag).cloned().collect();
    let whole = conclude(&rest);
    if snippets.is_empty() || whole.by <= LayerKind::ReuseOverride {
        return whole;
    }
    if whole.expression.is_none() {
        return conclude(layers);
    }
    let parts = snippets.into_iter().filter_map(|layer| layer.expression.clone());
    let expression = whole.expression.map(|whole| parts.fold(whole, Expression::and));
    Conclusion { expression, ..whole }
}

/// The license of the work that a file is a part of: what its package's license file or metadata say, whatever the file itself does.
pub fn conclude_work(layers: &[Layer]) -> Option<Expression> {
    let of_work = |layer: &&Layer| matches!(layer.kind, LayerKind::LicenseFile | LayerKind::PackageMetadata);
    conclude(&layers.iter().filter(of_work).cloned().collect::<Vec<_>>()).expression
}

/// Lines from the start of a file within which a notice speaks for all of it.
const HEAD_LINES: u32 = 100;

/// What of the layers of a file speaks for its lines from `start` to `end`: all but the tags of snippets that lie elsewhere, and in a
/// file with a notice at its head, notices that begin below the lines.
pub fn within(layers: &[Layer], (start, end): (u32, u32)) -> Vec<Layer> {
    let has_head = has_head(layers);
    let speaks = |layer: &&Layer| match (layer.kind, layer.lines) {
        (LayerKind::SnippetTag, Some((first, last))) => first <= end && start <= last,
        (LayerKind::FileTag | LayerKind::FileNotice, Some((first, _))) => {
            !has_head || first <= end.max(HEAD_LINES)
        }
        _ => true,
    };
    layers.iter().filter(speaks).cloned().collect()
}

/// Whether the layers of a file speak for all its lines alike.
pub fn speak_for_all(layers: &[Layer]) -> bool {
    let has_head = has_head(layers);
    layers.iter().all(|layer| match layer.kind {
        LayerKind::SnippetTag => false,
        _ => !(has_head && is_notice(layer) && layer.lines.is_some_and(|(first, _)| first > HEAD_LINES)),
    })
}

/// Whether a file names its license at its head.
fn has_head(layers: &[Layer]) -> bool {
    let is_head = |layer: &Layer| layer.lines.is_some_and(|(first, _)| first <= HEAD_LINES);
    layers.iter().any(|layer| is_notice(layer) && decides(layer) && is_head(layer))
}

fn is_notice(layer: &Layer) -> bool {
    matches!(layer.kind, LayerKind::FileTag | LayerKind::FileNotice)
}

/// What license files of one folder say. The LGPL-3.0 is the GPL-3.0 with permissions added, and comes with its text: beside
/// it, the text of the GPL-3.0 is no license of its own.
fn license_files<'l>(layers: impl Iterator<Item = &'l Layer>) -> Vec<&'l Expression> {
    let each = |layer: &'l Layer| match &layer.expression {
        Some(Expression::And(parts)) if layer.rule.as_deref() == Some(JOINED) => parts.as_slice(),
        declared => declared.as_slice(),
    };
    let files: Vec<&Expression> = layers.flat_map(each).collect();
    let is_only_of = |file: &Expression, name: &str| file.ids().iter().all(|id| id.starts_with(name));
    let has_lesser = files.iter().any(|file| is_only_of(file, "LGPL-3.0-"));
    files.iter().copied().filter(|file| !(has_lesser && is_only_of(file, "GPL-3.0-"))).collect()
}

/// Whether package metadata say how what license files hold goes together: they name some of each and nothing else. The text of a later
/// version of a GNU license may stand for one `-or-later`.
fn says_how(declared: &Expression, files: &[&Expression]) -> bool {
    let declared = declared.ids();
    let of_files: Vec<BTreeSet<String>> = files.iter().map(|file| file.ids()).collect();
    let is_of =
        |id: &String, file: &BTreeSet<String>| file.iter().any(|held| held == id || is_later(held, id));
    let is_known = |id: &String| of_files.iter().any(|file| is_of(id, file));
    declared.iter().all(is_known) && of_files.iter().all(|file| declared.iter().any(|id| is_of(id, file)))
}

/// Whether `held` is the same or a later version of the license `said`, which is one `-or-later`.
fn is_later(held: &str, declared: &str) -> bool {
    let stem =
        |id: &str| id.strip_suffix("-or-later").or_else(|| id.strip_suffix("-only")).map(str::to_owned);
    let Some(((family, least), held)) =
        declared.strip_suffix("-or-later").and_then(|declared| declared.rsplit_once('-')).zip(stem(held))
    else {
        return false;
    };
    // Versions of GNU licenses are single digits on both sides of the point.
    held.rsplit_once('-').is_some_and(|(of, version)| of == family && version >= least)
}

/// Whether `said` says how what these license files hold goes together.
pub(super) fn is_explained(files: &[Layer], declared: &Expression) -> bool {
    says_how(declared, &license_files(files.iter().filter(|layer| decides(layer))))
}

/// Whether two expressions are the same but for the order of what they join.
fn same(a: &Expression, b: &Expression) -> bool {
    match (a, b) {
        (Expression::And(some), Expression::And(others)) | (Expression::Or(some), Expression::Or(others)) => {
            some.len() == others.len() && some.iter().all(|one| others.iter().any(|other| same(one, other)))
        }
        (a, b) => a == b,
    }
}

/// Whether two statements can both be right: they are the same, or one is a choice or a part of the other.
fn agree(a: &Expression, b: &Expression) -> bool {
    let holds = |whole: &Expression, part: &Expression| match whole {
        Expression::License(_) => false,
        Expression::And(parts) | Expression::Or(parts) => {
            let of_part = match (whole, part) {
                (Expression::And(_), Expression::And(some)) | (Expression::Or(_), Expression::Or(some)) => {
                    some
                }
                _ => std::slice::from_ref(part),
            };
            of_part.iter().all(|one| parts.contains(one))
        }
    };
    same(a, b) || holds(a, b) || holds(b, a)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::infer::testing::expression;
    use crate::infer::weight::BESIDE;

    fn layer(kind: LayerKind, text: &str) -> Layer {
        Layer {
            kind,
            expression: (!text.is_empty()).then(|| expression(text)),
            evidence: String::new(),
            path: None,
            lines: None,
            score: None,
            rule: None,
        }
    }

    fn check(layers: &[(LayerKind, &str)], expected: &str, by: LayerKind, disagreements: usize) {
        let layers: Vec<Layer> = layers.iter().map(|(kind, text)| layer(*kind, text)).collect();
        let concluded = conclude(&layers);
        let text = concluded.expression.map(|expression| expression.to_string()).unwrap_or_default();
        assert_eq!((text.as_str(), concluded.by), (expected, by), "{layers:?}");
        assert_eq!(concluded.disagreements.len(), disagreements, "{layers:?}");
    }

    use LayerKind::{
        Concluded, Dep5, FileNotice, FileTag, LicenseFile, PackageMetadata, Platform, Reuse, ReuseOverride,
        Sidecar, SnippetTag,
    };

    #[test]
    fn each_kind_counts_before_those_after_it() {
        let order = [
            Concluded,
            ReuseOverride,
            SnippetTag,
            FileTag,
            Sidecar,
            FileNotice,
            Reuse,
            Dep5,
            LicenseFile,
            PackageMetadata,
            Platform,
        ];
        for (at, &kind) in order.iter().enumerate() {
            let mut layers: Vec<_> = order[at..].iter().map(|&kind| (kind, "ISC")).collect();
            layers[0].1 = "MIT";
            layers.reverse();
            check(&layers, "MIT", kind, layers.len() - 1);
        }
        check(&[], "", LayerKind::None, 0);
    }

    #[test]
    fn a_layer_without_an_expression_decides_nothing() {
        check(&[(FileNotice, ""), (LicenseFile, "MIT")], "MIT", LicenseFile, 0);
        check(&[(PackageMetadata, "")], "", LayerKind::None, 0);
    }

    #[test]
    fn words_that_some_license_is_meant_count_where_nothing_else_does() {
        let some = "LicenseRef-scancode-unknown-license-reference";
        check(&[(FileNotice, some), (LicenseFile, "MIT")], "MIT", LicenseFile, 0);
        check(&[(FileNotice, some)], some, FileNotice, 0);
        check(&[(FileNotice, some), (FileNotice, "MIT")], "MIT", FileNotice, 0);
    }

    #[test]
    fn a_reference_beside_stronger_words_decides_nothing() {
        let beside = Layer { evidence: BESIDE.to_owned(), ..layer(FileNotice, "LGPL-2.1-only") };
        let concluded = conclude(&[layer(FileNotice, "MIT"), beside]);
        assert_eq!((concluded.expression, concluded.disagreements.len()), (Some(expression("MIT")), 0));
    }

    #[test]
    fn notices_hold_together_and_of_metadata_the_first_counts() {
        check(&[(FileNotice, "MIT"), (FileNotice, "ISC"), (FileNotice, "MIT")], "MIT AND ISC", FileNotice, 0);
        check(&[(FileNotice, "MIT OR ISC"), (FileNotice, "ISC OR MIT")], "MIT OR ISC", FileNotice, 0);
        check(&[(PackageMetadata, "MIT"), (PackageMetadata, "ISC")], "MIT", PackageMetadata, 1);
    }

    #[test]
    fn metadata_say_how_license_files_go_together() {
        let files = [(LicenseFile, "MIT"), (LicenseFile, "Apache-2.0")];
        check(&files, "MIT AND Apache-2.0", LicenseFile, 0);
        let declared = [files[0], files[1], (PackageMetadata, "MIT OR Apache-2.0")];
        check(&declared, "MIT OR Apache-2.0", LicenseFile, 0);
        let other = [files[0], files[1], (PackageMetadata, "MIT")];
        check(&other, "MIT AND Apache-2.0", LicenseFile, 0);
        let open = "GPL-3.0-only OR GPL-3.0-or-later";
        check(
            &[(LicenseFile, open), (PackageMetadata, "GPL-3.0-or-later")],
            "GPL-3.0-or-later",
            LicenseFile,
            0,
        );
        check(&[(LicenseFile, open), (PackageMetadata, "MIT")], open, LicenseFile, 1);
        let both = "(GPL-2.0-only OR GPL-2.0-or-later) AND (LGPL-2.1-only OR LGPL-2.1-or-later)";
        let choice = "LGPL-2.0-or-later OR GPL-2.0-or-later";
        check(&[(LicenseFile, both), (PackageMetadata, choice)], choice, LicenseFile, 1);
        check(&[(LicenseFile, open), (PackageMetadata, "GPL-2.0-only")], open, LicenseFile, 1);
    }

    #[test]
    fn the_gpl_beside_the_lgpl_is_a_part_of_it() {
        let files = [
            (LicenseFile, "GPL-3.0-only OR GPL-3.0-or-later"),
            (LicenseFile, "LGPL-3.0-only OR LGPL-3.0-or-later"),
        ];
        check(&files, "LGPL-3.0-only OR LGPL-3.0-or-later", LicenseFile, 1);
        let declared = [files[0], files[1], (PackageMetadata, "LGPL-3.0-or-later")];
        check(&declared, "LGPL-3.0-or-later", LicenseFile, 1);
    }

    #[test]
    fn a_choice_and_a_part_are_no_disagreement() {
        check(&[(FileTag, "MIT"), (LicenseFile, "MIT AND ISC"), (Platform, "MIT OR ISC")], "MIT", FileTag, 0);
        check(&[(FileTag, "MIT"), (LicenseFile, "ISC")], "MIT", FileTag, 1);
        check(&[(FileTag, "MIT AND ISC"), (LicenseFile, "ISC AND MIT")], "MIT AND ISC", FileTag, 0);
    }

    #[test]
    fn a_notice_below_the_head_speaks_for_what_follows_it() {
        let at = |line: u32, text: &str| Layer { lines: Some((line, line)), ..layer(FileNotice, text) };
        let concluded = |layers: &[Layer], lines: (u32, u32)| {
            conclude(&within(layers, lines))
                .expression
                .map(|declared| declared.to_string())
                .unwrap_or_default()
        };
        let layers = [at(3, "ISC"), at(488, "MIT")];
        assert_eq!(
            (concluded(&layers, (300, 400)).as_str(), concluded(&layers, (480, 500)).as_str()),
            ("ISC", "ISC AND MIT")
        );
        assert_eq!(concluded(&layers[1..], (300, 400)), "MIT", "a notice at the end is the file's");
        assert!(!speak_for_all(&layers) && speak_for_all(&layers[..1]) && speak_for_all(&layers[1..]));
    }

    #[test]
    fn the_license_of_a_work_does_not_depend_on_the_file() {
        let layers =
            [layer(FileTag, "GPL-3.0-only"), layer(LicenseFile, "MIT"), layer(PackageMetadata, "ISC")];
        assert_eq!(conclude_work(&layers), Some(expression("MIT")));
        assert_eq!(conclude_work(&layers[..1]), None);
    }

    #[test]
    fn an_aggregate_holds_together_with_the_file() {
        let added = Layer { rule: Some(AGGREGATE.to_owned()), ..layer(Reuse, "CC0-1.0") };
        let concluded = conclude(&[layer(FileTag, "MIT"), added.clone()]);
        assert_eq!(concluded.expression, Some(expression("MIT AND CC0-1.0")));
        assert_eq!(conclude(&[added]).expression, Some(expression("CC0-1.0")));
    }

    #[test]
    fn snippets_hold_together_with_the_rest_of_their_file_and_alone_on_their_lines() {
        let snippet = Layer { lines: Some((5, 9)), ..layer(SnippetTag, "CC-BY-SA-4.0") };
        let layers = [snippet, layer(FileTag, "MIT")];
        assert_eq!(conclude_file(&layers).expression, Some(expression("MIT AND CC-BY-SA-4.0")));
        assert_eq!(conclude_file(&layers[..1]).expression, Some(expression("CC-BY-SA-4.0")));
        assert_eq!(conclude(&within(&layers, (6, 20))).expression, Some(expression("CC-BY-SA-4.0")));
        assert_eq!(conclude(&within(&layers, (10, 20))).expression, Some(expression("MIT")));
        let overridden = [layers[0].clone(), layer(Concluded, "MIT")];
        assert_eq!(conclude_file(&overridden).expression, Some(expression("MIT")));
    }
}
