//! Copies that hide where they come from: a notice that was dropped, a permissive header where the original has copyleft.

use familiar_license::copyright::have_common_holder;
use familiar_license::{Expression, Layer, LayerKind, License};

use crate::Category;

/// What is known of one side of a copy.
#[derive(Clone, Debug, Default)]
pub struct Side {
    /// What each layer says, the word that counts most first.
    pub layers: Vec<(LayerKind, Expression)>,
    /// Who the copyright statements in the file name; of a copy, those of the license files that speak for it, too.
    pub holders: Vec<String>,
    /// The package or repository.
    pub project: Option<String>,
}

impl Side {
    /// A side by its layers; those that say nothing that can be read are left out.
    pub fn new(layers: &[Layer], holders: Vec<String>, project: Option<String>) -> Self {
        let license = |layer: &Layer| layer.expression.clone().map(|expression| (layer.kind, expression));
        Self { layers: layers.iter().filter_map(license).collect(), holders, project }
    }
}

/// A sign that a copy hides its origin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Sign {
    /// The original is copyleft; the copy's own header says that it is not.
    PermissiveHeader,
    /// The original's file names a license and the copy's file none.
    LicenseNoticeDropped,
    /// The original's file names holders and the copy's file none of them.
    CopyrightDropped,
}

impl Sign {
    pub const fn name(self) -> &'static str {
        match self {
            Self::PermissiveHeader => "permissive-header",
            Self::LicenseNoticeDropped => "license-notice-dropped",
            Self::CopyrightDropped => "copyright-dropped",
        }
    }
}

/// A sign with its reason in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    pub sign: Sign,
    pub reason: String,
}

/// The signs that `copy` hides that it comes from `original`. Only for a pair of which it is known which side is older.
///
/// There are none between files of one project or with a holder in common (who may give the code under another license, too), where the
/// original may be had under a license without copyleft, and where the license asks for no notice. A dropped notice counts only if the
/// original's file itself has one: a package's license file is not part of the code that was copied. A notice of a license counts as
/// kept where the copy's file says that the same license holds.
pub fn laundering(original: &Side, copy: &Side) -> Vec<Finding> {
    if same_project(original, copy) || have_common_holder(&original.holders, &copy.holders) {
        return Vec::new();
    }
    let mut findings = Vec::new();
    let of_file = |side: &Side| {
        side.layers
            .iter()
            .filter(|(kind, _)| kind.is_of_file())
            .map(|(_, license)| license.clone())
            .collect::<Vec<_>>()
    };
    let (in_original, in_copy) = (of_file(original), of_file(copy));
    let permissive_header = permissive_header(original, &in_copy);
    let noticed = in_original.iter().find(|license| asks_for_notice(license));
    if permissive_header.is_none()
        && let Some(noticed) = noticed
        && !in_copy.iter().any(|license| keeps(license, noticed))
    {
        let reason = if in_copy.is_empty() {
            format!("the original file names {noticed}; the copy names no license")
        } else {
            format!("the original file names {noticed}; the copy names {} instead", listed(&in_copy))
        };
        findings.push(Finding { sign: Sign::LicenseNoticeDropped, reason });
    }
    findings.extend(permissive_header);
    findings.extend(copyright_dropped(original, copy));
    findings
}

fn permissive_header(original: &Side, in_copy: &[Expression]) -> Option<Finding> {
    let (_, licensed) = original.layers.first()?;
    let header = in_copy.first()?;
    if !Category::of_expression(licensed).is_copyleft()
        || !Category::of_expression(header).is_permissive()
        || in_copy.iter().any(|license| keeps(license, licensed))
    {
        return None;
    }
    let reason = format!("the original is under {licensed}, but the header of the copy says {header}");
    Some(Finding { sign: Sign::PermissiveHeader, reason })
}

fn copyright_dropped(original: &Side, copy: &Side) -> Option<Finding> {
    let asks = original.layers.first().is_none_or(|(_, license)| asks_for_notice(license));
    if original.holders.is_empty() || !asks {
        return None;
    }
    let names = original.holders.join(", ");
    let reason = if copy.holders.is_empty() {
        format!("the original names {names} as copyright holder; the copy names nobody")
    } else {
        format!(
            "the original names {names} as copyright holder; the copy names {} instead",
            copy.holders.join(", ")
        )
    };
    Some(Finding { sign: Sign::CopyrightDropped, reason })
}

/// Whether the license wants its notice kept: all do but dedications to the public domain, and what is no license.
fn asks_for_notice(license: &Expression) -> bool {
    let category = Category::of_expression(license);
    !matches!(
        category,
        Category::PublicDomain | Category::Unlicensed | Category::Unknown | Category::Agreement
    )
}

/// Whether a file under `stated` says that the license `noticed` holds; of several that may be chosen one is enough.
fn keeps(stated: &Expression, noticed: &Expression) -> bool {
    let stated = stated.licenses();
    let same = |one: &str, other: &str| stem(one) == stem(other);
    let kept = |license: &License| stated.iter().any(|one| same(one.name(), license.name()));
    let any_kept = |one: &Expression| one.licenses().into_iter().any(kept);
    match noticed {
        Expression::And(parts) => parts.iter().all(|part| !asks_for_notice(part) || any_kept(part)),
        one => any_kept(one),
    }
}

/// Notices do not always tell `-only` from `-or-later`.
fn stem(id: &str) -> &str {
    id.strip_suffix("-only").or_else(|| id.strip_suffix("-or-later")).unwrap_or(id)
}

fn listed(expressions: &[Expression]) -> String {
    expressions.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

fn same_project(original: &Side, copy: &Side) -> bool {
    original.project.is_some() && original.project == copy.project
}

#[cfg(test)]
mod tests {
    use super::*;

    fn side(layers: &[(LayerKind, &str)], holders: &[&str]) -> Side {
        let layer = |(kind, text): &(LayerKind, &str)| Layer {
            kind: *kind,
            expression: Some(Expression::parse(text).expect(text)),
            evidence: String::new(),
            path: None,
            lines: None,
            score: None,
            rule: None,
        };
        let layers: Vec<_> = layers.iter().map(layer).collect();
        Side::new(&layers, holders.iter().map(|holder| (*holder).to_owned()).collect(), None)
    }

    fn signs(original: &Side, copy: &Side) -> String {
        laundering(original, copy).iter().map(|finding| finding.sign.name()).collect::<Vec<_>>().join(" ")
    }

    use LayerKind::{FileNotice, FileTag, LicenseFile, PackageMetadata, Platform};

    #[test]
    fn a_permissive_header_on_copyleft_code_is_a_sign() {
        let original = side(&[(LicenseFile, "GPL-3.0-only")], &[]);
        let copy = side(&[(FileTag, "MIT")], &["Somebody"]);
        assert_eq!(signs(&original, &copy), "permissive-header");
        assert_eq!(
            laundering(&original, &copy)[0].reason,
            "the original is under GPL-3.0-only, but the header of the copy says MIT"
        );
        let post = side(&[(Platform, "CC-BY-SA-4.0")], &[]);
        assert_eq!(signs(&post, &copy), "permissive-header");
    }

    #[test]
    fn a_license_that_the_package_has_is_no_header() {
        let original = side(&[(LicenseFile, "GPL-3.0-only")], &[]);
        assert_eq!(signs(&original, &side(&[(LicenseFile, "MIT")], &[])), "");
        assert_eq!(signs(&original, &side(&[(PackageMetadata, "MIT")], &[])), "");
    }

    #[test]
    fn a_notice_that_was_in_the_file_is_missed_in_the_copy() {
        let original = side(&[(FileNotice, "Apache-2.0")], &["ACME Inc."]);
        assert_eq!(signs(&original, &side(&[], &[])), "license-notice-dropped copyright-dropped");
        assert_eq!(
            signs(&original, &side(&[(FileNotice, "MIT")], &["Other"])),
            "license-notice-dropped copyright-dropped"
        );
        assert_eq!(signs(&original, &side(&[(FileTag, "MIT AND Apache-2.0")], &["Acme"])), "");
        let only_license_file = side(&[(LicenseFile, "Apache-2.0")], &[]);
        assert_eq!(signs(&only_license_file, &side(&[], &[])), "");
    }

    #[test]
    fn a_file_under_gpl_whose_copy_says_another_version_kept_its_notice() {
        let original = side(&[(FileNotice, "GPL-2.0-or-later")], &[]);
        assert_eq!(signs(&original, &side(&[(FileTag, "GPL-2.0-only")], &[])), "");
        assert_eq!(signs(&original, &side(&[(FileTag, "GPL-3.0-only")], &[])), "license-notice-dropped");
    }

    #[test]
    fn whoever_may_give_the_code_under_another_license_hides_nothing() {
        let original = side(&[(FileNotice, "GPL-3.0-only")], &["Copyright Holder, ACME Inc. <a@b.c>"]);
        assert_eq!(signs(&original, &side(&[(FileTag, "MIT")], &["ACME, Copyright Holder"])), "");
        let dual = side(&[(FileNotice, "MIT OR GPL-3.0-only")], &[]);
        assert_eq!(signs(&dual, &side(&[(FileTag, "MIT")], &[])), "");
        let mut one = side(&[(FileNotice, "GPL-3.0-only")], &["Somebody"]);
        let mut other = side(&[(FileTag, "MIT")], &[]);
        one.project = Some("pypi/one".to_owned());
        other.project = Some("pypi/one".to_owned());
        assert_eq!(signs(&one, &other), "");
    }

    #[test]
    fn what_asks_for_no_notice_is_not_missed() {
        let original = side(&[(FileNotice, "CC0-1.0")], &["Somebody"]);
        assert_eq!(signs(&original, &side(&[(FileTag, "MIT")], &[])), "");
        assert_eq!(signs(&side(&[], &[]), &side(&[(FileTag, "MIT")], &[])), "");
        assert_eq!(signs(&side(&[], &["Somebody"]), &side(&[], &[])), "copyright-dropped");
    }

    #[test]
    fn holders_that_are_no_names_are_not_common() {
        let original = side(&[(FileNotice, "MIT")], &["the authors", "2001, Inc."]);
        let copy = side(&[(FileNotice, "MIT")], &["Inc. 2002", "The Authors"]);
        assert_eq!(signs(&original, &copy), "copyright-dropped");
    }
}
