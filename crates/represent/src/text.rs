//! Numbers and strings as text formats write them.

/// Appends a number.
pub(crate) fn number(number: u32, out: &mut Vec<u8>) {
    let mut digits = [0; 10];
    let (mut at, mut left) = (digits.len(), number);
    loop {
        at -= 1;
        digits[at] = b'0' + (left % 10) as u8;
        left /= 10;
        if left == 0 {
            break;
        }
    }
    out.extend_from_slice(&digits[at..]);
}

/// Appends a string of JSON with its quotes. Bytes that are not UTF-8 are replaced.
pub(crate) fn string(text: &[u8], out: &mut Vec<u8>) {
    out.push(b'"');
    let mut from = 0;
    for (at, &byte) in text.iter().enumerate() {
        if byte >= 0x80 {
            // The rest is looked at as characters.
            out.extend_from_slice(&text[from..at]);
            characters(&String::from_utf8_lossy(&text[at..]), out);
            out.push(b'"');
            return;
        }
        if byte < b' ' || byte == b'"' || byte == b'\\' {
            out.extend_from_slice(&text[from..at]);
            escape(byte, out);
            from = at + 1;
        }
    }
    out.extend_from_slice(&text[from..]);
    out.push(b'"');
}

fn characters(text: &str, out: &mut Vec<u8>) {
    for byte in text.bytes() {
        if byte < b' ' || byte == b'"' || byte == b'\\' {
            escape(byte, out);
        } else {
            out.push(byte);
        }
    }
}

fn escape(byte: u8, out: &mut Vec<u8>) {
    let short = match byte {
        b'"' | b'\\' => byte,
        b'\n' => b'n',
        b'\r' => b'r',
        b'\t' => b't',
        0x08 => b'b',
        0x0c => b'f',
        _ => {
            const DIGITS: &[u8; 16] = b"0123456789abcdef";
            out.extend_from_slice(b"\\u00");
            out.extend([DIGITS[usize::from(byte >> 4)], DIGITS[usize::from(byte & 15)]]);
            return;
        }
    };
    out.extend([b'\\', short]);
}

/// Appends a field of CSV that a quote, a comma or a line end may stand in. Line ends become `\n`, as CodeNet writes them.
pub(crate) fn quoted(text: &[u8], out: &mut Vec<u8>) {
    out.push(b'"');
    let mut bytes = text.iter().copied().peekable();
    while let Some(byte) = bytes.next() {
        match byte {
            b'"' => out.extend_from_slice(b"\"\""),
            b'\r' if bytes.peek() == Some(&b'\n') => {}
            b'\n' | b'\r' => out.extend_from_slice(b"\\n"),
            _ => out.push(byte),
        }
    }
    out.push(b'"');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_are_json() {
        for text in ["", "plain", "a\"b\\c", "tab\tline\nend\r\u{1}", "für \"x\"\n", "\u{1f600}"] {
            let mut out = Vec::new();
            string(text.as_bytes(), &mut out);
            assert_eq!(
                String::from_utf8_lossy(&out),
                serde_json::to_string(text).expect("a string"),
                "{text:?}"
            );
        }
        let mut out = Vec::new();
        string(b"a\xff\"", &mut out);
        assert_eq!(out, "\"a\u{fffd}\\\"\"".as_bytes());
    }

    #[test]
    fn numbers_are_decimal() {
        for value in [0, 7, 10, 4_294_967_295] {
            let mut out = Vec::new();
            number(value, &mut out);
            assert_eq!(String::from_utf8_lossy(&out), value.to_string());
        }
    }
}
