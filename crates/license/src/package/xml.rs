//! Small XML documents as trees.

use quick_xml::Reader;
use quick_xml::escape::{EscapeError, resolve_xml_entity};
use quick_xml::events::attributes::AttrError;
use quick_xml::events::{BytesStart, Event};

use super::field::filled;

/// Elements within each other, and elements in all, of metadata that people keep.
const MAX_DEPTH: usize = 64;
const MAX_ELEMENTS: usize = 200_000;

/// Why a text is no XML document that is read here.
#[derive(Debug, thiserror::Error)]
pub(crate) enum XmlError {
    #[error(transparent)]
    Syntax(#[from] quick_xml::Error),
    #[error(transparent)]
    Attribute(#[from] AttrError),
    #[error(transparent)]
    Entity(#[from] EscapeError),
    #[error("more than {MAX_DEPTH} elements within each other")]
    TooDeep,
    #[error("more than {MAX_ELEMENTS} elements")]
    TooManyElements,
    #[error("an end without a start")]
    EndWithoutStart,
    #[error("it has no single outermost element")]
    NoSingleRoot,
    #[error("it ends within an element")]
    EndsWithinElement,
}

/// An element with the text that stands in it directly.
#[derive(Debug, Default)]
pub(super) struct Element {
    /// Without its prefix.
    pub(super) name: String,
    attributes: Vec<(String, String)>,
    pub(super) text: String,
    pub(super) children: Vec<Element>,
}

impl Element {
    pub(super) fn child(&self, name: &str) -> Option<&Self> {
        self.children.iter().find(|child| child.name == name)
    }

    /// The text of a child, where it says something.
    pub(super) fn text_of(&self, name: &str) -> Option<String> {
        self.child(name).and_then(|child| filled(&child.text))
    }

    pub(super) fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    fn of(start: &BytesStart<'_>) -> Result<Self, XmlError> {
        let mut element = Self { name: start.local_name().as_ref().to_owned(), ..Self::default() };
        for attribute in start.attributes() {
            let attribute = attribute?;
            let value = quick_xml::escape::unescape(&attribute.value)?;
            element.attributes.push((attribute.key.local_name().as_ref().to_owned(), value.into_owned()));
        }
        Ok(element)
    }
}

/// The outermost element of a document.
pub(super) fn parse(text: &str) -> Result<Element, XmlError> {
    let mut reader = Reader::from_str(text);
    // The outermost stands for the document.
    let mut open = vec![Element::default()];
    let mut elements = 0;
    loop {
        let event = reader.read_event()?;
        let inner = open.last_mut().ok_or(XmlError::EndWithoutStart)?;
        match event {
            Event::Start(start) => {
                if open.len() > MAX_DEPTH {
                    return Err(XmlError::TooDeep);
                }
                open.push(Element::of(&start)?);
                elements += 1;
            }
            Event::Empty(start) => {
                inner.children.push(Element::of(&start)?);
                elements += 1;
            }
            Event::End(_) => {
                let element = open.pop().ok_or(XmlError::EndWithoutStart)?;
                open.last_mut().ok_or(XmlError::EndWithoutStart)?.children.push(element);
            }
            Event::Text(text) => inner.text.push_str(&text.xml10_content()),
            Event::CData(text) => inner.text.push_str(&text.xml10_content()),
            Event::GeneralRef(reference) => {
                let named = || resolve_xml_entity(&reference).map(str::to_owned);
                let character = reference.resolve_char_ref()?;
                inner.text.push_str(&character.map(String::from).or_else(named).unwrap_or_default());
            }
            Event::Eof => break,
            Event::Comment(_) | Event::Decl(_) | Event::PI(_) | Event::DocType(_) => {}
        }
        if elements > MAX_ELEMENTS {
            return Err(XmlError::TooManyElements);
        }
    }
    match open.as_mut_slice() {
        [document] if document.children.len() == 1 => Ok(document.children.remove(0)),
        [_] => Err(XmlError::NoSingleRoot),
        _ => Err(XmlError::EndsWithinElement),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_attributes_and_entities_are_read() {
        let root = parse("<?xml version='1.0'?><p:a x='1 &lt; 2'><b>x &amp; <![CDATA[<y>]]>&#33;</b></p:a>");
        let root = root.expect("well-formed");
        assert_eq!((root.name.as_str(), root.attribute("x")), ("a", Some("1 < 2")));
        assert_eq!(root.text_of("b").as_deref(), Some("x & <y>!"));
    }

    #[test]
    fn what_is_not_well_formed_says_why() {
        for text in ["", "<a>", "<a></b>", "</a>", "<a/><b/>", "<a x=1/>", "<a>&#x110000;</a>"] {
            assert!(parse(text).is_err(), "{text}");
        }
    }
}
