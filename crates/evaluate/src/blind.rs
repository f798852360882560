//! Code without its names, for those who read text: what is left if nobody may rely on what things are called.

use std::collections::HashMap;

use familiar_source::{Language, TokenClass};
use familiar_syntax::{Parser, Want};

/// `text`, which is decoded, with every identifier, those of libraries included, replaced by `v1`, `v2`, … in the order
/// of first appearance, and without comments and docstrings. Keywords, imports and literals stay, with what stands
/// inside of literals; so do marks at either end of a name that tell what it is, such as `$` in PHP and `@` in Ruby, and
/// white space.
pub fn blind(parser: &mut Parser, language: Language, text: &[u8]) -> Vec<u8> {
    let mut numbers: HashMap<&[u8], usize> = HashMap::new();
    let mut blinded = Vec::with_capacity(text.len());
    let mut at = 0;
    for token in parser.parse(language, text, Want::default()).tokens {
        let (start, end) = (token.start as usize, token.end as usize);
        if start < at || end <= start {
            continue;
        }
        push_gap(&text[at..start], &mut blinded);
        let spelled = &text[start..end];
        // What opens a page of PHP is no name.
        if token.class == TokenClass::Identifier && !text[..start].ends_with(b"<?") {
            let [before, name, after] = parts(spelled);
            let next = numbers.len() + 1;
            let number = *numbers.entry(name).or_insert(next);
            blinded.extend_from_slice(before);
            blinded.extend_from_slice(format!("v{number}").as_bytes());
            blinded.extend_from_slice(after);
        } else {
            blinded.extend_from_slice(spelled);
        }
        at = end;
    }
    push_gap(&text[at..], &mut blinded);
    blinded
}

/// What stands between two tokens: white space, continued lines and what opens or ends a page of PHP; a comment leaves the
/// white space in it, or a space.
fn push_gap(gap: &[u8], out: &mut Vec<u8>) {
    for mark in [&b"<?php"[..], b"<?=", b"?>"] {
        if gap.trim_ascii() == mark {
            out.extend_from_slice(gap);
            return;
        }
    }
    if gap.iter().all(|&byte| byte.is_ascii_whitespace() || byte == b'\\') {
        out.extend_from_slice(gap);
        return;
    }
    let before = out.len();
    out.extend(gap.iter().filter(|byte| byte.is_ascii_whitespace()));
    if out.len() == before {
        out.push(b' ');
    }
}

/// The name in an identifier, and the marks before and after it; marks alone are a name.
fn parts(spelled: &[u8]) -> [&[u8]; 3] {
    let of_name = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_' || !byte.is_ascii();
    let (Some(first), Some(last)) = (spelled.iter().position(of_name), spelled.iter().rposition(of_name))
    else {
        return [b"", spelled, b""];
    };
    [&spelled[..first], &spelled[first..=last], &spelled[last + 1..]]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn blinded(language: Language, text: &str) -> String {
        String::from_utf8(blind(&mut Parser::default(), language, text.as_bytes())).expect("it is ASCII")
    }

    #[test]
    fn names_get_numbers_by_first_appearance_and_all_else_stays() {
        assert_eq!(
            blinded(
                Language::Python,
                "def total(items, start=1):\n    return sum(items) + len('items') + start\n"
            ),
            "def v1(v2, v3=1):\n    return v4(v2) + v5('items') + v3\n"
        );
    }

    #[test]
    fn comments_and_docstrings_tell_nothing() {
        assert_eq!(
            blinded(Language::Java, "int a/*the sum*/= b; // of b\nreturn a;"),
            "int v1 = v2;   \nreturn v1;"
        );
        assert_eq!(
            blinded(Language::Python, "def f(x):\n    \"\"\"Adds.\"\"\"\n    return x \\\n        + 1\n"),
            "def v1(v2):\n    \n    return v2 \\\n        + 1\n"
        );
    }

    #[test]
    fn marks_of_variables_stay() {
        assert_eq!(blinded(Language::Php, "<?php $sum = f($x);"), "<?php $v1 = v2($v3);");
    }
}
