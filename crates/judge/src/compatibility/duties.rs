//! What whoever takes code under a license has to do, by license, with the clause that says so.

use std::fmt;

use crate::Category;

/// A kind of thing to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DutyKind {
    KeepNotice,
    IncludeLicense,
    NameAuthor,
    LinkSource,
    StateChanges,
    SummarizeChanges,
    KeepNoticeFile,
    ShareAlike,
    /// In the place of [`DutyKind::ShareAlike`] where the license lets the code pass to another one.
    PassOn,
    DiscloseSource,
    NetworkSource,
    NoEndorsement,
    Advertise,
    /// The two parts stay under their own licenses.
    KeepApart,
    /// Of several licenses the work as a whole goes on under this one.
    ChooseLicense,
    /// The receiving work's exception does not hold for the code.
    DropException,
}

/// One thing to do for code under one license.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Duty {
    pub kind: DutyKind,
    /// The license that asks for it; for [`DutyKind::PassOn`] the one that the code passes to, and for [`DutyKind::ChooseLicense`] the
    /// one that is left.
    pub license: String,
    /// The clause that it stands in.
    pub source: String,
}

impl DutyKind {
    pub const fn name(self) -> &'static str {
        match self {
            Self::KeepNotice => "keep-notice",
            Self::IncludeLicense => "include-license",
            Self::NameAuthor => "name-author",
            Self::LinkSource => "link-source",
            Self::StateChanges => "state-changes",
            Self::SummarizeChanges => "summarize-changes",
            Self::KeepNoticeFile => "keep-notice-file",
            Self::ShareAlike => "share-alike",
            Self::PassOn => "pass-on",
            Self::DiscloseSource => "disclose-source",
            Self::NetworkSource => "network-source",
            Self::NoEndorsement => "no-endorsement",
            Self::Advertise => "acknowledge-in-advertising",
            Self::KeepApart => "keep-apart",
            Self::ChooseLicense => "choose-license",
            Self::DropException => "drop-exception",
        }
    }

    const fn sentence(self) -> &'static str {
        match self {
            Self::KeepNotice => "keep the copyright notices",
            Self::IncludeLicense => {
                "include the text of the license, or a link to it if the license allows that"
            }
            Self::NameAuthor => "name the author",
            Self::LinkSource => "link to the source of the code",
            Self::StateChanges => "state that the code was changed, and where",
            Self::SummarizeChanges => "include a short summary of the changes",
            Self::KeepNoticeFile => "include the contents of the NOTICE file",
            Self::ShareAlike => "distribute what is made with the code under the same license",
            Self::PassOn => {
                "distribute what is made with the code under this license, as the code's own license allows"
            }
            Self::DiscloseSource => "give the source code to everyone who gets the program",
            Self::NetworkSource => "offer the source code to everyone who uses the program over a network",
            Self::NoEndorsement => "do not advertise with the authors' names",
            Self::Advertise => "name the authors wherever features are advertised",
            Self::KeepApart => "keep the two parts in separate files, each under its own license",
            Self::ChooseLicense => "distribute the work as a whole under this license only",
            Self::DropException => {
                "remove the exception of the receiving work from the part that gets the code"
            }
        }
    }
}

impl fmt::Display for Duty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({}; {})", self.kind.sentence(), self.license, self.source)
    }
}

impl Duty {
    pub(super) fn new(kind: DutyKind, license: &str, source: &str) -> Self {
        Self { kind, license: license.to_owned(), source: source.to_owned() }
    }

    /// Makes of the duty to keep the license that to pass the code on under `other`.
    pub(super) fn pass_on(&mut self, other: &str) {
        if self.kind == DutyKind::ShareAlike {
            *self = Self::new(DutyKind::PassOn, other, &format!("for {}, {}", self.license, self.source));
        }
    }
}

use DutyKind::{
    Advertise, DiscloseSource, IncludeLicense, KeepNotice, KeepNoticeFile, LinkSource, NameAuthor,
    NetworkSource, NoEndorsement, ShareAlike, StateChanges, SummarizeChanges,
};

/// A kind and where the license asks for it.
type Clause = (DutyKind, &'static str);

/// Identifiers or, with `*`, their beginnings, and what their texts ask for where. The first that fits counts.
const TABLE: &[(&[&str], &[Clause])] = &[
    (&["CC0-1.0", "Unlicense", "0BSD", "MIT-0", "WTFPL", "blessing", "SAX-PD", "CC-PDDC"], &[]),
    (
        &["MIT", "ISC", "BSD-1-Clause", "BSD-2-Clause*", "HPND", "NTP", "PostgreSQL", "MIT-CMU"],
        &[(KeepNotice, "the condition on copies"), (IncludeLicense, "the condition on copies")],
    ),
    (
        &["BSD-4-Clause*", "BSD-4.3TAHOE", "OpenSSL", "Apache-1.0", "MIT-advertising"],
        &[
            (KeepNotice, "first and second condition"),
            (IncludeLicense, "first and second condition"),
            (Advertise, "the clause on advertising materials"),
            (NoEndorsement, "the clause on names"),
        ],
    ),
    (
        &[
            "BSD-3-Clause*",
            "Apache-1.1",
            "NCSA",
            "PHP-3.01",
            "ZPL-2.0",
            "ZPL-2.1",
            "OLDAP-2.8",
            "X11",
            "curl",
            "ICU",
        ],
        &[
            (KeepNotice, "the conditions on redistribution"),
            (IncludeLicense, "the conditions on redistribution"),
            (NoEndorsement, "the condition on names"),
        ],
    ),
    (
        &["Apache-2.0", "ECL-2.0"],
        &[
            (IncludeLicense, "section 4(a)"),
            (StateChanges, "section 4(b)"),
            (KeepNotice, "section 4(c)"),
            (KeepNoticeFile, "section 4(d)"),
        ],
    ),
    (
        &["Zlib", "Libpng", "libpng-2.0", "zlib-acknowledgement", "bzip2-1.0.5", "bzip2-1.0.6"],
        &[
            (StateChanges, "altered versions must be marked as such"),
            (KeepNotice, "the notice may not be removed"),
        ],
    ),
    (
        &["BSL-1.0"],
        &[(KeepNotice, "second paragraph, for source"), (IncludeLicense, "second paragraph, for source")],
    ),
    (
        &["PSF-2.0", "Python-2.0*", "CNRI-Python*"],
        &[
            (KeepNotice, "section 2"),
            (IncludeLicense, "section 2"),
            (SummarizeChanges, "section 3"),
            (NoEndorsement, "section 7"),
        ],
    ),
    (
        &["CC-BY-SA-4.0*"],
        &[
            (NameAuthor, "section 3(a)(1)(A)(i)"),
            (KeepNotice, "section 3(a)(1)(A)(ii)"),
            (LinkSource, "section 3(a)(1)(A)(v)"),
            (StateChanges, "section 3(a)(1)(B)"),
            (IncludeLicense, "section 3(a)(1)(C)"),
            (ShareAlike, "section 3(b)"),
        ],
    ),
    (
        &["CC-BY-SA-3.0*"],
        &[
            (IncludeLicense, "section 4(a)"),
            (ShareAlike, "section 4(b)"),
            (KeepNotice, "section 4(c)"),
            (NameAuthor, "section 4(c)(i)"),
            (LinkSource, "section 4(c)(iii)"),
            (StateChanges, "section 4(c)(iv)"),
        ],
    ),
    (
        &["CC-BY-SA-*"],
        &[
            (IncludeLicense, "section 4(a)"),
            (ShareAlike, "section 4(b)"),
            (KeepNotice, "section 4(c)"),
            (NameAuthor, "section 4(c)"),
            (LinkSource, "section 4(c)"),
            (StateChanges, "section 4(c)"),
        ],
    ),
    (
        &["CC-BY-4.0*"],
        &[
            (NameAuthor, "section 3(a)(1)(A)(i)"),
            (KeepNotice, "section 3(a)(1)(A)(ii)"),
            (LinkSource, "section 3(a)(1)(A)(v)"),
            (StateChanges, "section 3(a)(1)(B)"),
            (IncludeLicense, "section 3(a)(1)(C)"),
        ],
    ),
    (
        &["CC-BY-3.0*", "CC-BY-2.*", "CC-BY-1.0"],
        &[
            (IncludeLicense, "section 4(a)"),
            (KeepNotice, "section 4(b)"),
            (NameAuthor, "section 4(b)"),
            (LinkSource, "section 4(b)"),
            (StateChanges, "section 4(b)"),
        ],
    ),
    (
        &["GPL-3.0-*"],
        &[
            (KeepNotice, "sections 4 and 5"),
            (IncludeLicense, "section 4"),
            (StateChanges, "section 5(a)"),
            (ShareAlike, "section 5(c)"),
            (DiscloseSource, "section 6"),
        ],
    ),
    (
        &["AGPL-3.0-*"],
        &[
            (KeepNotice, "sections 4 and 5"),
            (IncludeLicense, "section 4"),
            (StateChanges, "section 5(a)"),
            (ShareAlike, "section 5(c)"),
            (DiscloseSource, "section 6"),
            (NetworkSource, "section 13"),
        ],
    ),
    (
        &["GPL-1.0-*", "GPL-2.0-*"],
        &[
            (KeepNotice, "section 1"),
            (IncludeLicense, "section 1"),
            (StateChanges, "section 2(a)"),
            (ShareAlike, "section 2(b)"),
            (DiscloseSource, "section 3"),
        ],
    ),
    (
        &["LGPL-2.*"],
        &[
            (KeepNotice, "section 1"),
            (IncludeLicense, "section 1"),
            (StateChanges, "section 2(b)"),
            (ShareAlike, "section 2(c)"),
            (DiscloseSource, "section 4"),
        ],
    ),
    (
        &["LGPL-3.0-*"],
        &[
            (KeepNotice, "GPL-3.0 sections 4 and 5"),
            (IncludeLicense, "section 4(b)"),
            (StateChanges, "GPL-3.0 section 5(a)"),
            (ShareAlike, "section 2"),
            (DiscloseSource, "GPL-3.0 section 6"),
        ],
    ),
    (
        &["MPL-2.0*"],
        &[
            (ShareAlike, "section 3.1, for the files that hold the code"),
            (DiscloseSource, "section 3.2"),
            (KeepNotice, "section 3.4"),
        ],
    ),
    (
        &["MPL-1.*", "CDDL-1.*"],
        &[
            (ShareAlike, "section 3.1, for the files that hold the code"),
            (DiscloseSource, "sections 3.1 and 3.2"),
            (StateChanges, "section 3.3"),
            (KeepNotice, "section 3.3 and following"),
        ],
    ),
    (
        &["EPL-*", "CPL-1.0", "IPL-1.0"],
        &[(ShareAlike, "section 3"), (DiscloseSource, "section 3"), (KeepNotice, "section 3")],
    ),
    (
        &["EUPL-1.*"],
        &[
            (KeepNotice, "section 5, attribution right"),
            (StateChanges, "section 5, attribution right"),
            (ShareAlike, "section 5, copyleft clause"),
            (DiscloseSource, "section 5, provision of source code"),
        ],
    ),
];

/// What taking code under `id` asks for. Of licenses that are not in the table, what their category always asks for.
pub(super) fn of(id: &str) -> Vec<Duty> {
    let id = id.strip_suffix('+').unwrap_or(id);
    let fits = |pattern: &&str| pattern.strip_suffix('*').map_or(*pattern == id, |stem| id.starts_with(stem));
    let listed = TABLE.iter().find(|(patterns, _)| patterns.iter().any(fits));
    let (duties, by_category) = match listed {
        Some((_, duties)) => (*duties, false),
        None => (of_category(Category::of(id)), true),
    };
    let source = |clause: &str| {
        if by_category { format!("{clause}; read the license for details") } else { clause.to_owned() }
    };
    duties.iter().map(|(kind, clause)| Duty::new(*kind, id, &source(clause))).collect()
}

const fn of_category(category: Category) -> &'static [Clause] {
    const WHY: &str = "licenses of its category require it";
    match category {
        Category::PublicDomain | Category::Agreement | Category::Unlicensed | Category::Unknown => &[],
        Category::WeakCopyleft | Category::ShareAlike | Category::StrongCopyleft => {
            &[(KeepNotice, WHY), (IncludeLicense, WHY), (ShareAlike, WHY), (DiscloseSource, WHY)]
        }
        Category::NetworkCopyleft => &[
            (KeepNotice, WHY),
            (IncludeLicense, WHY),
            (ShareAlike, WHY),
            (DiscloseSource, WHY),
            (NetworkSource, WHY),
        ],
        Category::Permissive | Category::SourceAvailable | Category::Restricted | Category::Proprietary => {
            &[(KeepNotice, WHY), (IncludeLicense, WHY)]
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(id: &str) -> String {
        of(id).iter().map(|duty| duty.kind.name()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn duties_are_those_of_the_license() {
        assert_eq!(kinds("MIT"), "keep-notice include-license");
        assert_eq!(kinds("Apache-2.0+"), "include-license state-changes keep-notice keep-notice-file");
        assert_eq!(kinds("BSD-3-Clause-Clear"), "keep-notice include-license no-endorsement");
        assert_eq!(kinds("CC0-1.0"), "");
        assert_eq!(
            kinds("CC-BY-SA-3.0"),
            "include-license share-alike keep-notice name-author link-source state-changes"
        );
        assert_eq!(kinds("AGPL-3.0-or-later").split(' ').next_back(), Some("network-source"));
        assert_eq!(
            kinds("OSL-3.0"),
            "keep-notice include-license share-alike disclose-source network-source"
        );
    }

    #[test]
    fn a_duty_names_its_clause() {
        assert_eq!(
            of("Apache-2.0")[1].to_string(),
            "state that the code was changed, and where (Apache-2.0; section 4(b))"
        );
        assert_eq!(
            of("TCL")[0].to_string(),
            "keep the copyright notices (TCL; licenses of its category require it; read the license for details)"
        );
    }
}
