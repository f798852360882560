//! One row of `Posts.xml`, `PostHistory.xml` or `Users.xml`.

use quick_xml::escape::{EscapeError, resolve_xml_entity, unescape_with};
use quick_xml::events::BytesStart;
use quick_xml::events::attributes::AttrError;

/// Why a row cannot be read.
#[derive(Debug, thiserror::Error)]
pub(super) enum RowError {
    #[error("a row has no Id")]
    NoId,
    #[error("`{0}` is not a number")]
    Number(String),
    #[error(transparent)]
    Attribute(#[from] AttrError),
    #[error(transparent)]
    Value(#[from] EscapeError),
}

/// What the columns of a row say, as far as it matters here.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Row {
    pub(super) id: u64,
    /// 1 for a question, 2 for an answer.
    pub(super) kind: u64,
    /// The question of an answer.
    pub(super) parent: Option<u64>,
    pub(super) created: String,
    pub(super) edited: Option<String>,
    pub(super) owner: Option<String>,
    pub(super) tags: String,
    /// Under which the site has the text, such as `CC BY-SA 4.0`.
    pub(super) license: Option<String>,
    /// HTML.
    pub(super) body: String,
}

impl Row {
    pub(super) fn read(element: &BytesStart<'_>) -> Result<Self, RowError> {
        let mut row = Self::default();
        let mut name = None;
        attributes(element, |key, value| {
            match key {
                "Id" => row.id = number(&value()?)?,
                "PostTypeId" => row.kind = number(&value()?)?,
                "ParentId" => row.parent = Some(number(&value()?)?),
                "CreationDate" => row.created = value()?,
                "LastEditDate" => row.edited = Some(value()?),
                "OwnerUserId" => row.owner = Some(value()?),
                "OwnerDisplayName" => name = Some(value()?),
                "Tags" => row.tags = value()?,
                "Body" => row.body = value()?,
                "ContentLicense" => row.license = Some(value()?).filter(|license| !license.is_empty()),
                _ => {}
            }
            Ok(())
        })?;
        // The name says whose the post is; the number is that of a page, which may be gone.
        row.owner = name.filter(|name| !name.trim().is_empty()).or(row.owner);
        if row.id == 0 { Err(RowError::NoId) } else { Ok(row) }
    }

    /// `questions/ID`, `questions/ID/answers/ID`, or `answers/ID` of an answer that does not say to what; what else there is,
    /// such as the wiki of a tag, is `posts/ID`.
    pub(super) fn path(&self) -> String {
        let id = self.id;
        match (self.kind, self.parent) {
            (1, _) => format!("questions/{id}"),
            (2, Some(question)) => format!("questions/{question}/answers/{id}"),
            (2, None) => format!("answers/{id}"),
            _ => format!("posts/{id}"),
        }
    }

    /// Where the post can be looked at.
    pub(super) fn link(&self, host: &str) -> String {
        let kind = if self.kind == 1 { 'q' } else { 'a' };
        format!("https://{host}/{kind}/{}", self.id)
    }

    /// `<a><b>` or `|a|b|`.
    pub(super) fn tags(&self) -> impl Iterator<Item = &str> + Clone {
        self.tags.split(['<', '>', '|']).filter(|tag| !tag.is_empty())
    }
}

/// A revision of a post, as far as it matters here.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Revision {
    /// 2, 5 and 8 for those of the text: the first, edits, and edits taken back.
    pub(super) kind: u64,
    pub(super) post: u64,
    pub(super) created: String,
    /// Markdown.
    pub(super) text: String,
}

impl Revision {
    pub(super) fn read(element: &BytesStart<'_>) -> Result<Self, RowError> {
        let mut revision = Self::default();
        attributes(element, |key, value| {
            match key {
                "PostHistoryTypeId" => revision.kind = number(&value()?)?,
                "PostId" => revision.post = number(&value()?)?,
                "CreationDate" => revision.created = value()?,
                "Text" => revision.text = value()?,
                _ => {}
            }
            Ok(())
        })?;
        Ok(revision)
    }

    /// Whether it is one of the text, and not of the title, the tags or the state.
    pub(super) fn is_of_text(&self) -> bool {
        matches!(self.kind, 2 | 5 | 8)
    }
}

/// A row of `Users.xml`: number and name.
pub(super) fn user(element: &BytesStart<'_>) -> Result<(u64, String), RowError> {
    let (mut id, mut name) = (0, String::new());
    attributes(element, |key, value| {
        match key {
            "Id" => id = value()?.parse().unwrap_or_default(),
            "DisplayName" => name = value()?,
            _ => {}
        }
        Ok(())
    })?;
    Ok((id, name))
}

/// Calls `each` with the name of every attribute of a row and what gives its value. Only the entities that XML itself defines
/// and numeric ones are resolved: any other is an error, whatever a document type declares.
fn attributes(
    element: &BytesStart<'_>,
    mut each: impl FnMut(&str, &dyn Fn() -> Result<String, RowError>) -> Result<(), RowError>,
) -> Result<(), RowError> {
    // The dump does not repeat attributes; the check would compare each with all others.
    for attribute in element.attributes().with_checks(false) {
        let attribute = attribute?;
        let value = || Ok(unescape_with(&attribute.value, resolve_xml_entity)?.into_owned());
        each(attribute.key.as_ref(), &value)?;
    }
    Ok(())
}

fn number(text: &str) -> Result<u64, RowError> {
    text.parse().map_err(|_| RowError::Number(text.to_owned()))
}
