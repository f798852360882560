//! Whether a program wrote what a sample says.

/// Whether both outputs are the same, white space at the ends of lines and of the whole apart.
///
/// With a `tolerance` above 0 they are compared word by word, whatever white space stands between, as most judges do: both words are
/// the same text, or numbers of which one has a fraction and which differ by at most `tolerance`, or by that share of the expected one.
pub(super) fn is_same(output: &[u8], expected: &[u8], tolerance: f64) -> bool {
    lines(output) == lines(expected) || tolerance > 0.0 && has_same_words(output, expected, tolerance)
}

/// The lines without white space at their ends, and without empty ones at the end.
fn lines(output: &[u8]) -> Vec<&[u8]> {
    let mut lines: Vec<&[u8]> = output.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii_end).collect();
    while lines.last().is_some_and(|line| line.is_empty()) {
        lines.pop();
    }
    lines
}

fn has_same_words(output: &[u8], expected: &[u8], tolerance: f64) -> bool {
    let (mut output, mut expected) = (words(output), words(expected));
    loop {
        match (output.next(), expected.next()) {
            (None, None) => return true,
            (Some(one), Some(other)) if one == other || is_near(one, other, tolerance) => {}
            _ => return false,
        }
    }
}

fn words(output: &[u8]) -> impl Iterator<Item = &[u8]> {
    output.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty())
}

/// Whether two words are numbers that are nearly the same. Two whole ones are compared as texts.
fn is_near(output: &[u8], expected: &[u8], tolerance: f64) -> bool {
    let has_fraction = |word: &[u8]| word.iter().any(|byte| matches!(byte, b'.' | b'e' | b'E'));
    let Some((output_number, expected_number)) = number(output).zip(number(expected)) else { return false };
    (has_fraction(output) || has_fraction(expected))
        && (output_number - expected_number).abs() <= tolerance * expected_number.abs().max(1.0)
}

/// The number that a word is. Infinite ones, and what is none, are texts.
fn number(word: &[u8]) -> Option<f64> {
    let is_number = word.iter().all(|byte| byte.is_ascii_digit() || b"+-.eE".contains(byte));
    let number = std::str::from_utf8(word).ok().filter(|_| is_number)?.parse::<f64>().ok()?;
    number.is_finite().then_some(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_with_a_fraction_may_differ_a_little() {
        for (output, expected, near, as_text) in [
            ("3 \n\n", "3\n", true, true),
            ("a\r\nb\r\n", "a\nb", true, true),
            ("0.5\n", "0.500\n", true, false),
            ("  0.3333333\n", "0.33333333", true, false),
            ("0.33333", "0.33333333", false, false),
            // A share of a large number.
            ("1000000.5", "1000000.0", true, false),
            ("3.0 x", "3 x", true, false),
            ("1.5e3", "1500", true, false),
            // Whole numbers are exact, and so is all that is no number.
            ("123456789", "123456790", false, false),
            ("7", "07", false, false),
            ("inf", "1.0", false, false),
            ("1e999", "2e999", false, false),
            ("x1.0", "x1.00", false, false),
            ("", "0.0000001", false, false),
            // Judges do not see in which lines words stand.
            ("3\n1\n2\n", "3 1 2\n", true, false),
            ("31 2\n", "3 1 2\n", false, false),
            ("3 1\n", "3 1 2\n", false, false),
        ] {
            assert_eq!(is_same(output.as_bytes(), expected.as_bytes(), 1e-6), near, "{output} {expected}");
            assert_eq!(is_same(output.as_bytes(), expected.as_bytes(), 0.0), as_text, "{output} {expected}");
        }
    }
}
