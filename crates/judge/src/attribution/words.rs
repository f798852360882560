//! Names as whole words.

/// The words of a text in lower case, with one space around each. A word is letters, digits and `_`, so that parts of identifiers are
/// none; `.` and `+` stay within versions.
pub(super) fn spread(text: &str) -> String {
    let mut spread = String::with_capacity(text.len() + 2);
    spread.push(' ');
    let chars: Vec<char> = text.chars().collect();
    for (at, c) in chars.iter().enumerate() {
        let digit = |at: Option<usize>| at.and_then(|at| chars.get(at)).is_some_and(char::is_ascii_digit);
        let in_version = *c == '.' && digit(at.checked_sub(1)) && digit(at.checked_add(1));
        if c.is_alphanumeric() || *c == '_' || in_version {
            spread.extend(c.to_lowercase());
        } else if !spread.ends_with(' ') {
            spread.push(' ');
        }
    }
    if !spread.ends_with(' ') {
        spread.push(' ');
    }
    spread
}

/// Somebody's name.
pub(super) struct Name<'a> {
    written: &'a str,
    /// As [`spread`] makes it.
    words: String,
}

/// Words that make a name of one word a name.
const CREDIT: &[&str] = &[
    "author",
    "authors",
    "by",
    "c",
    "copied",
    "copyright",
    "courtesy",
    "credit",
    "credits",
    "from",
    "mailto",
    "thanks",
    "thx",
    "user",
    "via",
    "written",
];

impl<'a> Name<'a> {
    pub(super) fn new(written: &'a str) -> Self {
        Self { written, words: spread(written) }
    }

    pub(super) const fn as_written(&self) -> &'a str {
        self.written
    }

    /// Whether the words of a line's comment hold the name, in a way that means a person. There may be a link on the line, or elsewhere.
    pub(super) fn is_in(&self, comment: &str, with_link: bool, linked: bool) -> bool {
        if self.words.len() <= 2 || !comment.contains(&self.words) {
            return false;
        }
        let several = self.words.trim().contains(' ');
        let letters = self.words.chars().filter(|c| c.is_alphanumeric()).count();
        // The BY of a license gives no credit, and neither does the name itself.
        let around = || comment.replace(" cc by ", " ").replace(&self.words, " ");
        let credited = || {
            let around = around();
            CREDIT.iter().any(|word| around.contains(&format!(" {word} ")))
        };
        match (several, letters >= 4) {
            (true, true) => true,
            (false, true) => with_link || credited(),
            (_, false) => with_link || linked && credited(),
        }
    }
}

/// Other names of licenses, by the beginning of the identifier; in lower case, as [`spread`] leaves them.
const ALSO: &[(&str, &[&str])] = &[
    ("CC-BY-SA-", &["cc by sa", "cc wiki", "by sa", "attribution sharealike", "attribution share alike"]),
    ("CC-BY-", &["cc by", "creative commons attribution"]),
    ("CC0-", &["cc0", "creative commons zero"]),
    (
        "MIT",
        &[
            "mit license",
            "mit licence",
            "mit licensed",
            "license mit",
            "licence mit",
            "under mit",
            "expat license",
        ],
    ),
    ("Apache-2.0", &["apache license", "apache licence", "apache 2", "apache 2.0"]),
    ("AGPL-", &["agpl", "agplv3", "affero general public license"]),
    (
        "LGPL-",
        &[
            "lgpl",
            "lgplv2",
            "lgplv2.1",
            "lgplv3",
            "lesser general public license",
            "library general public license",
        ],
    ),
    ("GPL-", &["gpl", "gplv2", "gplv3", "general public license"]),
    (
        "BSD-",
        &[
            "bsd license",
            "bsd licence",
            "bsd licensed",
            "license bsd",
            "2 clause bsd",
            "3 clause bsd",
            "under bsd",
        ],
    ),
    ("MPL-", &["mpl", "mozilla public license"]),
    ("EPL-", &["eclipse public license"]),
    ("PSF-", &["psf license", "python software foundation license"]),
    ("Python-", &["psf license", "python software foundation license", "python license"]),
];

/// Whether the words of `comment` name `license`, an identifier.
pub(super) fn names_license(comment: &str, license: &str) -> bool {
    let id = spread(license);
    // An identifier of one word without digits may be any word: `mit`, `ruby`.
    let plain = !id.trim().contains(' ') && !id.contains(|c: char| c.is_ascii_digit());
    let says_license = || comment.contains(" licen");
    if comment.contains(&id) && (!plain || says_license()) {
        return true;
    }
    let also =
        ALSO.iter().find(|(prefix, _)| license.starts_with(prefix)).map_or(&[][..], |(_, names)| *names);
    also.iter().any(|name| comment.contains(&format!(" {name} ")))
}
