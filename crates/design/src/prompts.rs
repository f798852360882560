//! The words of requests. Whoever changes them changes all requests: what was recorded is then asked again.

use std::fmt::Write;

/// Bytes of a description in the list of transformations that stand.
const LISTED_BYTES: usize = 300;

/// Asks for a transformation that can be done in all `examples` and that is none of `known`, names with their descriptions.
pub(crate) fn design(examples: &[&str], known: &[(&str, &str)]) -> String {
    let mut text = format!(
        "You know the Python language to its last detail. We collect ways to rewrite programs. A rewriting changes how a program is \
written, and never what it does: for every input the new program prints the same, returns the same, and raises exceptions of the same \
classes.

Below stand {} programs. Invent one rewriting that is possible in every one of them. It should reach deep into their structure, so that \
whoever lays both versions side by side finds little that is alike. It adds no output, and it needs no random numbers, clocks, files, \
networks or packages.

Answer in this form and with nothing else:

Name: at most eight words
Description: which pieces of code are looked for, what is put in their place, step by step, and when a piece has to stay as it is. Be so \
exact that a programmer who has only this description can write the tool.

",
        examples.len()
    );
    if known.is_empty() {
        text.push_str("There is no rewriting in our collection yet.\n");
    } else {
        text.push_str(
            "These rewritings are in our collection. Yours has to work by another idea than each of them:\n",
        );
        for (name, description) in known {
            // Writing to a string does not fail.
            let _ = writeln!(text, "- {name}: {}", first_words(description));
        }
    }
    for (number, example) in (1..).zip(examples) {
        let fence = fence_for(example);
        let _ = write!(text, "\nProgram {number}:\n{fence}python\n{}\n{fence}\n", example.trim_end());
    }
    text
}

/// Asks for a program that does what a transformation says.
pub(crate) fn implement(title: &str, description: &str) -> String {
    format!(
        "Write a tool in Python 3 that rewrites Python programs. The tool reads the source text of one program, all of its lines, from \
standard input. It writes the source text of the rewritten program to standard output, and nothing besides.

The rewriting is called \"{title}\":

{description}

What matters:
- The result is valid Python, and it behaves as the program that was read, for every input: in what it prints, in what its functions \
return, and in the classes of exceptions.
- Functions and classes of the program keep their names and parameters, since others call them.
- A piece of code for which the rewriting is not possible, or not surely safe, stays as it is.
- Names that the tool adds occur nowhere in the program.
- The tool uses the standard library only, above all `ast`. Equal input gives equal output: no random numbers, clocks, files or networks.

Answer with the whole tool in one block of code.
"
    )
}

/// The start of a text on one line.
fn first_words(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.len() <= LISTED_BYTES {
        return line;
    }
    let end = (0..=LISTED_BYTES).rev().find(|&end| line.is_char_boundary(end)).unwrap_or_default();
    format!("{}…", &line[..end])
}

/// A fence that is longer than each in the text.
fn fence_for(text: &str) -> String {
    let longest = text.split(|letter| letter != '`').map(str::len).max().unwrap_or_default();
    "`".repeat(longest.max(2) + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_has_the_programs_and_the_list() {
        let text = design(&["a = 1\n", "b = '```'\n"], &[("Two Words", "Some\n  text.")]);
        assert!(text.contains("Below stand 2 programs."), "{text}");
        assert!(text.contains("\n- Two Words: Some text.\n"), "{text}");
        assert!(text.contains("\nProgram 1:\n```python\na = 1\n```\n"), "{text}");
        assert!(text.contains("\nProgram 2:\n````python\nb = '```'\n````\n"), "{text}");
        assert!(design(&["a"], &[]).contains("no rewriting in our collection"));
    }

    #[test]
    fn long_descriptions_are_shortened_between_characters() {
        let shortened = first_words(&"é".repeat(LISTED_BYTES));
        assert_eq!(shortened.chars().count(), LISTED_BYTES / 2 + 1);
    }
}
