//! A reply that describes a transformation.

use familiar_endpoint::blocks;
use familiar_transform::catalog;
use serde::Deserialize;

/// A name in a list has no more characters, a folder's no more bytes, and a description no more bytes. Real models write up to 14,000.
const MOST_TITLE: usize = 100;
const MOST_NAME: usize = 60;
const MOST_DESCRIPTION: usize = 32_000;
/// Names of devices, which no file of Windows may have.
const DEVICES: [&str; 4] = ["con", "prn", "aux", "nul"];

/// What a model designed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Description {
    /// The name of its folder and in recipes: lower-case letters, digits and dashes.
    pub(crate) name: String,
    /// The name as the model wrote it.
    pub(crate) title: String,
    pub(crate) text: String,
}

#[derive(Deserialize)]
struct Json {
    name: String,
    description: String,
}

impl Description {
    /// Reads a reply: lines that begin with `Name:` and `Description:`, in whatever layout, or an object with these keys. `None` where
    /// the reply has no name that can be used, or no description.
    pub(crate) fn of(reply: &str) -> Option<Self> {
        let mut objects = blocks(reply).into_iter().map(|block| block.code).chain([reply.to_owned()]);
        let json = objects.find_map(|text| serde_json::from_str::<Json>(text.trim()).ok());
        let (title, text) = match json {
            Some(Json { name, description }) => (name, description),
            None => labeled(reply)?,
        };
        let title: String = title.chars().filter(|letter| !letter.is_control()).collect();
        let title = title.trim().trim_matches(['"', '\'', '`', '*', '_', '<', '>', ' ']).trim();
        let title: String = title.chars().take(MOST_TITLE).collect();
        let name = name_of(&title)?;
        let text = text.trim();
        let end = (0..=MOST_DESCRIPTION.min(text.len())).rev().find(|&end| text.is_char_boundary(end))?;
        let text = text[..end].trim_end().to_owned();
        (!text.is_empty()).then_some(Self { name, title, text })
    }

    /// Whether both are one transformation: by name, or word by word.
    pub(crate) fn is(&self, other: &Self) -> bool {
        self.name == other.name || self.text.split_whitespace().eq(other.text.split_whitespace())
    }
}

/// What stands behind the labels of name and description.
fn labeled(reply: &str) -> Option<(String, String)> {
    let mut lines = reply.lines();
    let title = loop {
        if let Some(rest) =
            behind(lines.next()?, &["transformation name", "name of the transformation", "name", "title"])
        {
            break match rest.trim_matches(['*', '_', ' ']) {
                "" => lines.by_ref().find(|line| !line.trim().is_empty())?.trim(),
                title => title,
            };
        }
    };
    let first = loop {
        if let Some(rest) = behind(lines.next()?, &["description", "exact description"]) {
            break rest.trim_start_matches(['*', '_', ' ']);
        }
    };
    let rest: Vec<&str> = std::iter::once(first).chain(lines).collect();
    Some((title.to_owned(), rest.join("\n")))
}

/// What stands behind one of these labels and its colon, where the line begins with it.
fn behind<'l>(line: &'l str, labels: &[&str]) -> Option<&'l str> {
    let decoration = |letter: char| letter.is_ascii_digit() || " \t-*#>.)_`".contains(letter);
    let line = line.trim_start_matches(decoration);
    labels.iter().find_map(|label| {
        let start = line.get(..label.len()).filter(|start| start.eq_ignore_ascii_case(label))?;
        let rest = line[start.len()..].trim_start_matches(['*', '_', ' ']);
        Some(rest.strip_prefix(':')?.trim_start_matches(['*', '_']).trim())
    })
}

/// The name of a folder: no separators, no dots, nothing that a shell or a file system understands. `None` where nothing is left.
fn name_of(title: &str) -> Option<String> {
    let mut name = String::new();
    for letter in title.chars() {
        match letter {
            _ if letter.is_ascii_alphanumeric() => name.push(letter.to_ascii_lowercase()),
            _ if !name.is_empty() && !name.ends_with('-') => name.push('-'),
            _ => {}
        }
    }
    name.truncate(MOST_NAME);
    let name = name.trim_end_matches('-');
    let is_port = name.len() == 4 && (name.starts_with("com") || name.starts_with("lpt"));
    if name.is_empty() {
        None
    } else if is_port || DEVICES.contains(&name) || catalog::transformation(name).is_some() {
        // A set may have both it and that of the catalogue.
        Some(format!("{name}-designed"))
    } else {
        Some(name.to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(reply: &str) -> Option<(String, String, String)> {
        Description::of(reply).map(|it| (it.name, it.title, it.text))
    }

    #[test]
    fn descriptions_are_read_in_all_layouts() {
        let expected = Some((
            "loop-peeling".to_owned(),
            "Loop Peeling".to_owned(),
            "Take one.\nThen the rest.".to_owned(),
        ));
        for reply in [
            "Name: Loop Peeling\nDescription: Take one.\nThen the rest.",
            "- Transformation Name: Loop Peeling\n- Description: Take one.\nThen the rest.\n",
            "Here you are!\n\n**Name:** Loop Peeling\n\n**Description:** Take one.\nThen the rest.",
            "**Name**: \"Loop Peeling\"\n**Description**:\nTake one.\nThen the rest.",
            "### Name:\n\nLoop Peeling\n\n### Description:\nTake one.\nThen the rest.",
            "1. NAME: `Loop Peeling`\n2. DESCRIPTION: Take one.\nThen the rest.",
            "{\"name\": \"Loop Peeling\", \"description\": \"Take one.\\nThen the rest.\"}",
            "Sure:\n```json\n{\"name\": \"Loop Peeling\", \"description\": \"Take one.\\nThen the rest.\"}\n```",
        ] {
            assert_eq!(read(reply), expected, "{reply}");
        }
    }

    #[test]
    fn prose_describes_nothing() {
        for reply in [
            "",
            "I cannot help with that.",
            "Name: A",
            "Description: without a name",
            "Name: A\nDescription:  \n",
            "Name: ../..\nDescription: b",
            "Name:\nDescription: b",
            "Name: 变换\nDescription: b",
        ] {
            assert_eq!(read(reply), None, "{reply}");
        }
    }

    #[test]
    fn names_of_folders_are_harmless() {
        for (title, expected) in [
            ("../../etc/passwd", "etc-passwd"),
            ("/tmp/x", "tmp-x"),
            ("C:\\Windows", "c-windows"),
            ("a\u{0}b; rm -rf ~", "a-b-rm-rf"),
            (".hidden", "hidden"),
            ("CON", "con-designed"),
            ("lpt1", "lpt1-designed"),
            ("For While", "for-while-designed"),
            ("Über–Loop", "ber-loop"),
        ] {
            assert_eq!(name_of(title).as_deref(), Some(expected), "{title}");
        }
        assert_eq!(name_of(&"long ".repeat(50)).map(|name| name.len()), Some(MOST_NAME - 1));
        let long =
            Description::of(&format!("Name: {}\nDescription: {}", "x".repeat(500), "é".repeat(20_000)));
        let long = long.expect("a name and a description");
        assert_eq!((long.title.len(), long.text.len()), (MOST_TITLE, MOST_DESCRIPTION));
    }

    #[test]
    fn one_transformation_is_known_by_its_name_or_by_its_words() {
        let of = |name: &str, text: &str| {
            Description::of(&format!("Name: {name}\nDescription: {text}")).expect("both")
        };
        assert!(of("A b", "x").is(&of("a-B!", "y")));
        assert!(of("a", "x y").is(&of("b", "x\n y")));
        assert!(!of("a", "x y").is(&of("b", "x z")));
    }
}
