//! The formats in which graphs are written.

pub mod dot;
pub mod graphml;
pub mod json;
mod layers;
pub mod svg;
pub mod table;
#[cfg(test)]
mod tests;

use super::{Edge, Graph, When};

/// What stands at an edge: what is more than its kind.
fn mark<'g>(graph: &'g Graph, edge: &Edge) -> &'g str {
    match (edge.variable, edge.when) {
        (Some(variable), _) => &graph.variables[variable as usize],
        (None, When::Always) => "",
        (None, when) => when.name(),
    }
}

/// The text with what is special in XML written out, and without what XML does not allow.
fn escaped(text: &str, out: &mut Vec<u8>) {
    for character in text.chars() {
        match character {
            '&' => out.extend_from_slice(b"&amp;"),
            '<' => out.extend_from_slice(b"&lt;"),
            '>' => out.extend_from_slice(b"&gt;"),
            '"' => out.extend_from_slice(b"&quot;"),
            '\t' | '\n' | '\r' => out.push(b' '),
            '\u{0}'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => out.extend_from_slice("\u{fffd}".as_bytes()),
            other => out.extend_from_slice(other.encode_utf8(&mut [0; 4]).as_bytes()),
        }
    }
}
