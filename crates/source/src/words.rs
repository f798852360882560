//! Words for people: counted nouns, sizes, digests, and names that may be meant.

/// Bytes in lower-case hexadecimal digits, such as those of a digest.
pub fn hexadecimal(bytes: &[u8]) -> String {
    let digit = |half: u8| char::from_digit(u32::from(half), 16).unwrap_or('0');
    bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}

/// A number and its noun, in the plural unless the number is 1: `1 class`, `2 classes`, `3 files of code`.
pub fn counted(count: u64, noun: &str) -> String {
    if count == 1 { format!("1 {noun}") } else { format!("{count} {}", plural(noun)) }
}

/// The plural of an English noun; of `file of code`, that of `file`.
fn plural(noun: &str) -> String {
    const ES: [&str; 5] = ["s", "x", "z", "ch", "sh"];
    let (head, tail) = noun.find(" of ").map_or((noun, ""), |at| noun.split_at(at));
    let stem = head.strip_suffix('y').filter(|stem| !stem.ends_with(['a', 'e', 'i', 'o', 'u']));
    match stem {
        Some(stem) => format!("{stem}ies{tail}"),
        None if ES.iter().any(|end| head.ends_with(end)) => format!("{head}es{tail}"),
        None => format!("{head}s{tail}"),
    }
}

/// A size that somebody set, in the largest unit of which it is a whole number: `64 MiB`, `1500 KiB`, `100 bytes`.
pub fn size(bytes: u64) -> String {
    let units = [("TiB", 40), ("GiB", 30), ("MiB", 20), ("KiB", 10)];
    let whole = units.into_iter().find(|(_, shift)| bytes > 0 && bytes.trailing_zeros() >= *shift);
    whole.map_or_else(|| counted(bytes, "byte"), |(unit, shift)| format!("{} {unit}", bytes >> shift))
}

/// A size that was measured, rounded: `812 bytes`, `8.1 kB`, `2.0 MB`.
pub fn about(bytes: u64) -> String {
    let units = [("GB", 1e9), ("MB", 1e6), ("kB", 1e3)];
    // What rounds to 1000.0 of a unit is 1.0 of the next.
    let unit = units.into_iter().find(|(_, unit)| bytes as f64 >= unit * 0.99995);
    unit.map_or_else(|| counted(bytes, "byte"), |(name, unit)| format!("{:.1} {name}", bytes as f64 / unit))
}

/// How much alike names that may be meant are, from 0 to 1, and how many of them are named.
const ALIKE: f64 = 0.8;
const NAMED: usize = 3;

/// The known names that may be meant by a name that is not known, the nearest first.
pub fn nearest<'n>(name: &str, known: impl IntoIterator<Item = &'n str>) -> Vec<&'n str> {
    let lower = name.to_lowercase();
    let alike = |known: &str| {
        let other = known.to_lowercase();
        let contains = lower.len() > 2 && other.contains(&lower);
        if contains { 1.0 } else { strsim::jaro_winkler(&lower, &other) }
    };
    let mut near: Vec<(f64, &str)> = known.into_iter().map(|known| (alike(known), known)).collect();
    near.retain(|(alike, _)| *alike >= ALIKE);
    near.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(b.1)));
    near.dedup();
    near.iter().take(NAMED).map(|(_, known)| *known).collect()
}

/// What to say behind a name that is not known: ` (did you mean json?)`, or nothing.
pub fn suggestion<'n>(name: &str, known: impl IntoIterator<Item = &'n str>) -> String {
    did_you_mean(&nearest(name, known))
}

/// ` (did you mean json or sarif?)`, or nothing where there is no name.
pub fn did_you_mean(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [one] => format!(" (did you mean {one}?)"),
        [first @ .., last] => format!(" (did you mean {} or {last}?)", first.join(", ")),
    }
}

/// What the system says, without the number of its error: `File too large (os error 27)` is `File too large`.
pub fn without_number(said: &str) -> String {
    let mut plain = String::with_capacity(said.len());
    let mut rest = said;
    while let Some((before, after)) = rest.split_once(" (os error ") {
        plain.push_str(before);
        let number = after.split_once(')').filter(|(number, _)| number.bytes().all(|it| it.is_ascii_digit()));
        // A name may hold the same words: what the system says ends there, or goes on behind a mark.
        let number = number
            .filter(|(_, behind)| behind.is_empty() || behind.starts_with([':', ';', ',', ' ', ')', '\n']));
        if number.is_none() {
            plain.push_str(" (os error ");
        }
        rest = number.map_or(after, |(_, behind)| behind);
    }
    plain + rest
}

/// Why a file was not read, in plain words.
pub fn unread(why: &dyn std::fmt::Display) -> String {
    let plain = without_number(&why.to_string());
    let said = [
        ("Permission denied", "there is no permission to read it"),
        ("No such file or directory", "there is no such file"),
    ];
    // Others may say the same and more: a server of git that refuses a key.
    let ours =
        said.into_iter().find_map(|(system, ours)| Some(plain.strip_suffix(system)?.to_owned() + ours));
    ours.unwrap_or(plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_is_singular_and_all_other_numbers_are_plural() {
        for (noun, many) in [
            ("file", "files"),
            ("class", "classes"),
            ("clone class", "clone classes"),
            ("more class", "more classes"),
            ("copy", "copies"),
            ("day", "days"),
            ("match", "matches"),
            ("file of code", "files of code"),
            ("class of functions", "classes of functions"),
        ] {
            assert_eq!(counted(1, noun), format!("1 {noun}"));
            for count in [0, 2, 11, 21, u64::MAX] {
                assert_eq!(counted(count, noun), format!("{count} {many}"));
            }
        }
    }

    #[test]
    fn what_the_system_says_has_no_numbers() {
        let denied = std::io::Error::from_raw_os_error(13);
        assert_eq!(unread(&denied), "there is no permission to read it");
        assert_eq!(unread(&format!("a.zip: {denied}")), "a.zip: there is no permission to read it");
        assert_eq!(unread(&"Permission denied (publickey)"), "Permission denied (publickey)");
        assert_eq!(without_number("a: x (os error 27): b (os error 5)"), "a: x: b");
        assert_eq!(without_number("a (os error 5).py: x (os error 2)"), "a (os error 5).py: x");
        assert_eq!(without_number("in (os error x) or (os error 1"), "in (os error x) or (os error 1");
    }

    #[test]
    fn a_size_keeps_the_unit_that_it_was_given_in() {
        let given = [0, 1, 1000, 1024, 1500 << 10, 64 << 20, 3 << 29, 2 << 30, 1 << 40];
        let said = given.map(size);
        let expected =
            ["0 bytes", "1 byte", "1000 bytes", "1 KiB", "1500 KiB", "64 MiB", "1536 MiB", "2 GiB", "1 TiB"];
        assert_eq!(said, expected);
    }

    #[test]
    fn a_measured_size_is_rounded() {
        let said = [1, 812, 8_100, 999_950, 2_000_000, 3_500_000_000].map(about);
        assert_eq!(said, ["1 byte", "812 bytes", "8.1 kB", "1.0 MB", "2.0 MB", "3.5 GB"]);
    }

    #[test]
    fn misspelt_names_get_a_suggestion_and_others_none() {
        let formats = ["text", "json", "ndjson", "markdown"];
        assert_eq!(suggestion("jsno", formats), " (did you mean json or ndjson?)");
        assert_eq!(suggestion("markdwon", formats), " (did you mean markdown?)");
        assert_eq!(suggestion("x", formats), "");
        assert_eq!(suggestion("", formats), "");
    }
}
