//! What a project may be called in a comment: `npm/lodash` is also `Lo-Dash` and `lodash.js`.

/// A project that has the original.
#[derive(Debug)]
pub(super) struct Project {
    /// The name as its registry or forge has it.
    written: String,
    /// Ways to write it, squashed: in lower case, letters and digits alone.
    forms: Vec<String>,
}

/// The shortest name that is told from an abbreviation of something else.
const SHORTEST: usize = 3;

/// What names of packages begin and end with that people leave out.
const BEFORE: &[&str] = &["python-", "node-", "golang-", "go-", "rust-", "ruby-", "py"];
const BEHIND: &[&str] = &["-js", ".js", "js", "-py", "-python", "-rs", "-go", "-ruby", "-php", "-net"];

impl Project {
    /// A project by what a corpus calls it: `pypi/six`, `npm/@babel/core`, `github.com/pallets/flask`, a folder's path.
    pub(super) fn of(project: &str) -> Option<Self> {
        let parts: Vec<&str> =
            project.split('/').filter(|part| !part.is_empty() && !is_version(part)).collect();
        let (last, before) = parts.split_last()?;
        let last = without_version(last);
        let mut forms = Vec::new();
        let mut push = |form: &str| {
            let form = squashed(form);
            let counts = form.chars().count() >= SHORTEST && form.chars().any(char::is_alphabetic);
            if counts && !forms.contains(&form) {
                forms.push(form);
            }
        };
        push(last);
        let lower = last.to_ascii_lowercase();
        let shorter = BEFORE.iter().filter_map(|start| lower.strip_prefix(start));
        let shorter = shorter.chain(BEHIND.iter().filter_map(|end| lower.strip_suffix(end)));
        // `jinja2`
        let undated = lower.trim_end_matches(|c: char| c.is_ascii_digit());
        for form in shorter.chain([undated]).filter(|form| form.len() > SHORTEST && !is_word(&squashed(form)))
        {
            push(form);
        }
        // With whose it is: `pallets/flask`, `@babel/core`.
        if let Some(owner) = before.last().filter(|owner| before.len() > 1 || owner.starts_with('@')) {
            push(&format!("{owner}{last}"));
        }
        (!forms.is_empty()).then(|| Self { written: last.to_owned(), forms })
    }

    pub(super) fn as_written(&self) -> &str {
        &self.written
    }

    /// Whether somebody who writes so means it.
    pub(super) fn is_called(&self, written: &str) -> bool {
        self.is_squashed(&squashed(written))
    }

    /// The same of a name that is squashed already.
    pub(super) fn is_squashed(&self, name: &str) -> bool {
        let plain =
            name.strip_suffix("js").or_else(|| name.strip_suffix("py")).filter(|name| name.len() >= SHORTEST);
        self.forms.iter().any(|form| form == name || Some(form.as_str()) == plain)
    }

    /// Whether its name is a word of any text: `queue`, `requests`.
    pub(super) fn may_be_a_word(&self) -> bool {
        self.forms.first().is_some_and(|form| is_word(form))
    }
}

/// Letters and digits in lower case.
pub(super) fn squashed(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// `v2`, as Go's modules end.
fn is_version(part: &str) -> bool {
    part.strip_prefix('v').is_some_and(|rest| !rest.is_empty() && rest.bytes().all(|b| b.is_ascii_digit()))
}

/// `six` of `six-1.16.0`, `yaml` of `yaml.v2`.
fn without_version(name: &str) -> &str {
    let is_dotted = |rest: &str| rest.contains('.') && rest.bytes().all(|b| b.is_ascii_digit() || b == b'.');
    match name.rsplit_once('-') {
        Some((name, version)) if !name.is_empty() && is_dotted(version.trim_start_matches('v')) => name,
        _ => match name.rsplit_once('.') {
            Some((name, version)) if !name.is_empty() && is_version(version) => name,
            _ => name,
        },
    }
}

pub(super) fn is_word(name: &str) -> bool {
    WORDS.lines().any(|word| word == name)
}

/// Words of comments that are names of packages, too, a line each.
const WORDS: &str = include_str!("words.txt");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_in_order() {
        assert!(WORDS.lines().is_sorted());
    }

    #[test]
    fn a_project_is_called_by_its_name_in_any_form() {
        for (project, written) in [
            ("npm/lodash", "Lo-Dash"),
            ("npm/lodash", "lodash.js"),
            ("npm/@babel/core", "@babel/core"),
            ("github.com/pallets/flask", "pallets/flask"),
            ("github.com/pallets/flask", "Flask"),
            ("pypi/python-dateutil", "dateutil"),
            ("pypi/jinja2", "Jinja"),
            ("github.com/jashkenas/underscore.js", "Underscore"),
            ("github.com/go-yaml/yaml/v3", "go-yaml/yaml"),
            ("maven/com.google.guava/guava", "Guava"),
            ("/home/ann/six-1.16.0", "six"),
        ] {
            assert!(Project::of(project).expect(project).is_called(written), "{project} {written}");
        }
        for (project, written) in [
            ("npm/lodash", "lodash-es"),
            ("npm/node-fetch", "fetch"),
            ("npm/@babel/core", "core"),
            ("pypi/python-dateutil", "python"),
            ("github.com/pallets/flask", "pallets"),
        ] {
            let project = Project::of(project).expect(project);
            assert!(!project.is_called(written) || project.may_be_a_word(), "{written}");
        }
        assert!(Project::of("").is_none() && Project::of("a/b").is_none());
    }
}
