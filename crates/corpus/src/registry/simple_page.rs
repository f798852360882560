//! The page of a project in the simple index of Python packages, as JSON (PEP 691, 700) or as HTML (PEP 503, 592).

use std::collections::BTreeMap;
use std::io::Read;

use familiar_http::url::joined;
use html5gum::{Token, Tokenizer};
use serde::Deserialize;

use super::checksum::Checksum;

/// A file of a project.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct File {
    pub(crate) name: String,
    pub(crate) url: String,
    pub(crate) checksum: Option<Checksum>,
    /// Seconds since 1970.
    pub(crate) uploaded: Option<i64>,
    pub(crate) is_yanked: bool,
    pub(crate) size: Option<u64>,
}

#[derive(Deserialize)]
struct Page {
    files: Vec<JsonFile>,
}

#[derive(Deserialize)]
struct JsonFile {
    filename: String,
    url: String,
    #[serde(default)]
    hashes: Option<BTreeMap<String, String>>,
    #[serde(default, rename = "upload-time")]
    uploaded: Option<String>,
    /// A flag, or the reason.
    #[serde(default)]
    yanked: serde_json::Value,
    #[serde(default)]
    size: Option<u64>,
}

/// Reads a page of JSON that came from `base`. Files without a URL are passed over.
pub(crate) fn of_json(base: &str, page: impl Read) -> serde_json::Result<Vec<File>> {
    let page: Page = serde_json::from_reader(page)?;
    let file = |file: JsonFile| {
        let hashes = file.hashes.unwrap_or_default();
        let hash = |name: &str| Checksum::hex(name, hashes.get(name)?);
        Some(File {
            url: joined(base, &file.url)?,
            checksum: hash("sha256").or_else(|| hash("sha512")).or_else(|| hash("sha1")),
            uploaded: file.uploaded.as_deref().and_then(familiar_source::time::parse),
            is_yanked: matches!(file.yanked, serde_json::Value::Bool(true) | serde_json::Value::String(_)),
            size: file.size,
            name: file.filename,
        })
    };
    Ok(page.files.into_iter().filter_map(file).collect())
}

/// Reads a page of HTML that came from `base`. What is no link, or no URL, is passed over.
pub(crate) fn of_html(base: &str, page: &str) -> Vec<File> {
    let mut base = base.to_owned();
    let mut files = Vec::new();
    let mut open: Option<Link> = None;
    for Ok(token) in Tokenizer::new(page) {
        match token {
            Token::StartTag(tag) => {
                files.extend(open.take().and_then(|link| link.file(&base)));
                let attribute = |name: &str| {
                    let value = tag.attributes.get(name.as_bytes())?;
                    Some(String::from_utf8_lossy(value).into_owned())
                };
                match (&**tag.name, attribute("href")) {
                    (b"base", Some(target)) => base = joined(&base, &target).unwrap_or(base),
                    (b"a", Some(target)) => {
                        let is_yanked = attribute("data-yanked").is_some();
                        open = Some(Link { target, is_yanked, text: String::new() });
                    }
                    _ => {}
                }
            }
            Token::String(text) => {
                if let Some(link) = &mut open {
                    link.text.push_str(&String::from_utf8_lossy(&text));
                }
            }
            Token::EndTag(_) => files.extend(open.take().and_then(|link| link.file(&base))),
            _ => {}
        }
    }
    files.extend(open.and_then(|link| link.file(&base)));
    files
}

/// A link whose text is being read.
struct Link {
    target: String,
    is_yanked: bool,
    text: String,
}

impl Link {
    /// The file that it leads to.
    fn file(self, base: &str) -> Option<File> {
        let url = joined(base, &self.target)?;
        let fragment = self.target.split_once('#').map_or("", |(_, fragment)| fragment);
        let checksum = fragment.split('&').find_map(|part| part.split_once('='));
        let text = self.text.trim();
        let last = url.split('?').next().and_then(|path| path.rsplit('/').next()).unwrap_or_default();
        Some(File {
            name: if text.is_empty() { last.to_owned() } else { text.to_owned() },
            checksum: checksum.and_then(|(name, digits)| Checksum::hex(name, digits)),
            uploaded: None,
            is_yanked: self.is_yanked,
            size: None,
            url,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHA: &str = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

    #[test]
    fn json_and_html_say_the_same() {
        let json = format!(
            "{{\"meta\":{{\"api-version\":\"1.1\"}},\"files\":[{{\"filename\":\"a-1.zip\",\"url\":\"../../f/a-1.zip\",\
             \"hashes\":{{\"md5\":\"x\",\"sha256\":\"{SHA}\"}},\"yanked\":\"broken\"}}]}}"
        );
        let html = format!(
            "<!DOCTYPE html><html><a>no link</a>\n<A data-requires-python='>=3' data-yanked=\"broken > bad\"\n \
             href=\"../../f/a-1.zip#sha256={SHA}\" >a-1.zip</A><a href=no-end"
        );
        let base = "https://host/simple/a/";
        let expected = File {
            name: "a-1.zip".to_owned(),
            url: "https://host/f/a-1.zip".to_owned(),
            checksum: Checksum::hex("sha256", SHA),
            uploaded: None,
            is_yanked: true,
            size: None,
        };
        let expected = std::slice::from_ref(&expected);
        assert_eq!(of_json(base, json.as_bytes()).expect("sound"), expected);
        assert_eq!(of_html(base, &html), expected);
    }

    #[test]
    fn a_page_may_have_a_base_and_references() {
        let page = "<base href='https://other/x/'><a href='a-1.zip?a=1&amp;b=2'> </a><a href=b.zip data-yanked>b&#46;zip</a>";
        let files = of_html("https://host/simple/a/", page);
        let found: Vec<_> = files.iter().map(|file| (&*file.name, &*file.url, file.is_yanked)).collect();
        let expected =
            [("a-1.zip", "https://other/x/a-1.zip?a=1&b=2", false), ("b.zip", "https://other/x/b.zip", true)];
        assert_eq!(found, expected);
    }

    #[test]
    fn upload_times_are_read_and_what_is_no_page_is_an_error() {
        let json = "{\"files\":[{\"filename\":\"a\",\"url\":\"b\",\"yanked\":false,\"size\":3,\
                    \"upload-time\":\"2010-06-29T19:56:36.719942Z\"}]}";
        let files = of_json("https://host/", json.as_bytes()).expect("sound");
        assert_eq!((files[0].uploaded, files[0].is_yanked), (Some(1_277_841_396), false));
        for bad in ["", "[]", "{}", "{\"files\":[{}]}", "<html>"] {
            assert!(of_json("https://host/", bad.as_bytes()).is_err(), "{bad}");
        }
    }
}
