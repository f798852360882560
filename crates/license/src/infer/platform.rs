//! The rule of the platform where code was posted: Stack Overflow and the other sites of Stack Exchange.

use super::names::{Alone, Named, named};
use crate::{Expression, Layer, LayerKind};

/// When CC BY-SA 3.0 and 4.0 took the place of what was before: 8 April 2011 and 2 May 2018, UTC.
const VERSIONS: [(i64, &str, &str); 2] = [
    (1_302_220_800, "CC-BY-SA-2.5", "before 2011-04-08"),
    (1_525_219_200, "CC-BY-SA-3.0", "before 2018-05-02"),
];

/// The license of a post: what the dump says of it, else what the site's terms were when the revision was made (seconds since
/// 1970).
pub fn platform(content_license: Option<&str>, time: Option<i64>) -> Layer {
    let stated = content_license.map(str::trim).filter(|text| !text.is_empty());
    let (expression, evidence) = match (stated, time) {
        (Some(text), _) => of_words(text),
        (None, Some(time)) => of_time(time),
        (None, None) => (None, "neither the license of the post nor its date is known".to_owned()),
    };
    let (path, lines, score, rule) = (None, None, None, None);
    Layer { kind: LayerKind::Platform, expression, evidence, path, lines, score, rule }
}

fn of_words(text: &str) -> (Option<Expression>, String) {
    let start: String = text.chars().take(100).collect();
    match named(text, Alone::Open) {
        Named::Known(expression) => (Some(expression), format!("the place says `{start}`")),
        Named::Ambiguous(why) => (None, format!("the place says `{start}`, {why}")),
        Named::Unknown => (None, format!("the place says `{start}`, which is not a known license")),
    }
}

fn of_time(time: i64) -> (Option<Expression>, String) {
    let version = VERSIONS.iter().find(|(until, ..)| time < *until);
    let (id, when) = version.map_or(("CC-BY-SA-4.0", "since 2018-05-02"), |&(_, id, when)| (id, when));
    (Expression::parse(id).ok(), format!("the site's terms for what was written {when}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_dump_counts_before_the_date_and_the_date_on_the_day() {
        let day = 86_400;
        for (license, time, expected) in [
            (Some("CC BY-SA 4.0"), Some(0), "CC-BY-SA-4.0"),
            (Some("CC BY-SA 2.5"), None, "CC-BY-SA-2.5"),
            (None, Some(1_302_220_800 - 1), "CC-BY-SA-2.5"),
            (None, Some(1_302_220_800), "CC-BY-SA-3.0"),
            (None, Some(1_525_219_200 - 1), "CC-BY-SA-3.0"),
            (None, Some(1_525_219_200), "CC-BY-SA-4.0"),
            (None, Some(1_525_219_200 + 4000 * day), "CC-BY-SA-4.0"),
            (Some(""), Some(0), "CC-BY-SA-2.5"),
            (Some("CC BY-SA"), Some(0), "none"),
            (None, None, "none"),
        ] {
            let expression = platform(license, time).expression;
            assert_eq!(
                expression.map_or("none".to_owned(), |e| e.to_string()),
                expected,
                "{license:?} {time:?}"
            );
        }
    }
}
