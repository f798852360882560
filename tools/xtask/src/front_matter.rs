//! A text with fields before it, between lines of `---`.

/// The fields of a rule or license, and its text.
#[derive(Debug)]
pub(crate) struct FrontMatter<'t> {
    fields: &'t str,
    pub(crate) text: &'t str,
}

impl<'t> FrontMatter<'t> {
    pub(crate) fn of(file: &'t str) -> Option<Self> {
        let rest = file.trim_start().strip_prefix("---")?;
        let end = rest.find("\n---")?;
        Some(Self { fields: &rest[..end], text: &rest[end + 4..] })
    }

    /// The value of a field, with the lines that go on with it.
    pub(crate) fn value(&self, name: &str) -> Option<String> {
        let mut lines = self.fields.lines();
        let first = lines.find_map(|line| line.strip_prefix(name)?.strip_prefix(':'))?;
        let more = lines.take_while(|line| line.starts_with(' ') && !line.trim_start().starts_with("- "));
        let value = std::iter::once(first).chain(more).map(str::trim).collect::<Vec<_>>().join(" ");
        Some(value.trim_matches(['\'', '"']).to_owned()).filter(|value| !value.is_empty())
    }

    pub(crate) fn is(&self, name: &str) -> bool {
        self.value(name).is_some_and(|value| value == "yes" || value == "true")
    }

    pub(crate) fn number(&self, name: &str) -> Option<u32> {
        self.value(name).and_then(|value| value.parse::<f64>().ok()).map(|value| value as u32)
    }

    /// The items of a field that is a list.
    pub(crate) fn list(&self, name: &str) -> Vec<&'t str> {
        let lines = self
            .fields
            .lines()
            .skip_while(|line| line.strip_prefix(name).is_none_or(|rest| rest.trim_end() != ":"));
        let items = lines.skip(1).map_while(|line| line.trim_start().strip_prefix("- "));
        items.map(|item| item.trim().trim_matches(['\'', '"'])).collect()
    }
}
