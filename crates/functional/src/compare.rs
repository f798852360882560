//! Whether two results are alike.

use familiar_sandbox::exchange::Exchanged;
use familiar_sandbox::{End, is_over_a_limit};
use serde_json::{Map, Value as Json};

use Number::{Huge, Real, Whole};

/// Real numbers that differ by less than this part of them are alike.
const TOLERANCE: f64 = 1e-9;
/// So are those that differ by less than this: a sum that should be 0 seldom is.
const ALMOST_NOTHING: f64 = 1e-12;
/// From here on, a frame writes a whole number as `{"int": …}`. What is written as a number is a real one.
const LARGE: i64 = 1 << 53;

/// What a side did on one input.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Seen {
    Returned(Exchanged),
    Raised(String),
    /// Its process ended.
    Ended(End),
}

impl Seen {
    pub(crate) fn normal(&self) -> Option<&Exchanged> {
        if let Self::Returned(exchanged) = self { Some(exchanged) } else { None }
    }

    /// Whether a limit ended it: nothing is said of the function by that.
    pub(crate) fn over_a_limit(&self) -> bool {
        match self {
            Self::Returned(_) => false,
            Self::Raised(class) => is_over_a_limit(class),
            Self::Ended(end) => end.is_over_a_limit(),
        }
    }

    /// Whether the function was given what it does not take.
    pub(crate) fn refused(&self) -> bool {
        let Self::Raised(class) = self else { return false };
        class.starts_with("TypeError")
            || ["AttributeError", "IllegalArgumentException", "ClassCastException"]
                .contains(&class.rsplit('.').next().unwrap_or(class))
    }

    /// Whether Python 2 would have done it.
    pub(crate) fn is_old(&self) -> bool {
        *self == Self::Raised("TypeError: of Python 2".to_owned())
    }

    /// The name that was missing.
    pub(crate) fn missing(&self) -> Option<&str> {
        let Self::Raised(class) = self else { return None };
        class.strip_prefix("NameError: ").or_else(|| class.strip_prefix("ReferenceError: "))
    }

    pub(crate) fn text(&self) -> String {
        match self {
            Self::Returned(exchanged) => exchanged.value.to_string(),
            Self::Raised(class) => format!("raised {class}"),
            Self::Ended(end) => format!("ended: {end:?}"),
        }
    }
}

/// How two results are compared.
#[derive(Clone, Copy, Debug)]
pub(crate) struct How {
    /// Whether the sides are written in different languages.
    pub(crate) across: bool,
}

impl How {
    /// Whether two values are alike.
    pub(crate) fn alike(self, one: &Json, other: &Json) -> bool {
        if let (Some(number), Some(another)) = (Number::of(one), Number::of(other)) {
            return one == other || number.is(another);
        }
        match (one, other) {
            (Json::Array(one), Json::Array(other)) => {
                let ((one, one_is_cut), (other, other_is_cut)) = (told(one), told(other));
                let is_as_long = match (one_is_cut, other_is_cut) {
                    (true, false) => one.len() < other.len(),
                    (false, true) => other.len() < one.len(),
                    _ => one.len() == other.len(),
                };
                is_as_long && one.iter().zip(other).all(|(one, other)| self.alike(one, other))
            }
            (Json::Object(one), Json::Object(other)) => self.objects(one, other),
            (Json::Bool(truth), Json::Number(number)) | (Json::Number(number), Json::Bool(truth)) => {
                number.as_f64() == Some(f64::from(u8::from(*truth)))
            }
            (Json::String(text), Json::Array(letters)) | (Json::Array(letters), Json::String(text)) => {
                let each = letters.iter().map(Json::as_str).collect::<Option<Vec<_>>>();
                self.across && each.is_some_and(|each| each.concat() == *text)
            }
            (Json::Object(held), Json::Array(items)) | (Json::Array(items), Json::Object(held)) => {
                self.across
                    && held.get("set").and_then(Json::as_array).is_some_and(|set| self.same_items(set, items))
            }
            (one, other) => one == other,
        }
    }

    fn objects(self, one: &Map<String, Json>, other: &Map<String, Json>) -> bool {
        for kind in ["set", "map"] {
            if let (Some(Json::Array(one)), Some(Json::Array(other))) = (one.get(kind), other.get(kind)) {
                return self.same_items(one, other);
            }
        }
        if let (Some(Json::Object(fields)), Some(Json::Object(others))) =
            (one.get("fields"), other.get("fields"))
        {
            let classes = self.across || one.get("object") == other.get("object");
            let alike = |(name, value): (&String, &Json)| {
                others.get(name).is_some_and(|another| self.alike(value, another))
            };
            return classes && fields.len() == others.len() && fields.iter().all(alike);
        }
        one == other
    }

    /// Whether both have the same items in any order.
    fn same_items(self, one: &[Json], other: &[Json]) -> bool {
        let mut left: Vec<&Json> = other.iter().collect();
        one.len() == other.len()
            && one.iter().all(|item| {
                let found = left.iter().position(|another| self.alike(item, another));
                found.map(|place| left.swap_remove(place)).is_some()
            })
    }
}

/// A number, whatever the form in which its language writes it.
#[derive(Clone, Copy)]
enum Number {
    Whole(i128),
    /// A whole number that is too large for the type above.
    Huge(f64),
    Real(f64),
}

impl Number {
    fn of(value: &Json) -> Option<Self> {
        match value {
            Json::Number(number) => Some(match number.as_i64() {
                Some(whole) if -LARGE < whole && whole < LARGE => Whole(whole.into()),
                _ => Real(number.as_f64()?),
            }),
            Json::Object(form) if form.len() == 1 => {
                // Languages spell what is no finite number as `inf`, `Infinity`, `+Inf`, and so on. Rust reads all of them.
                let real = form.get("real").and_then(|it| it.as_str()?.parse().ok()).map(Real);
                real.or_else(|| whole(form.get("int")?.as_str()?))
            }
            _ => None,
        }
    }

    fn is(self, other: Self) -> bool {
        match (self, other) {
            (Whole(one), Whole(other)) => one == other,
            (Huge(_), Whole(_) | Huge(_)) | (Whole(_), Huge(_)) => false,
            (Whole(whole), Real(real)) | (Real(real), Whole(whole)) => near(whole as f64, real),
            (Huge(huge), Real(real)) | (Real(real), Huge(huge)) => huge.is_finite() && near(huge, real),
            (Real(one), Real(other)) => near(one, other),
        }
    }
}

/// What `0x…` stands for.
fn whole(text: &str) -> Option<Number> {
    let (sign, digits) = text.strip_prefix('-').map_or((1, text), |digits| (-1, digits));
    let digits = digits.strip_prefix("0x")?;
    if let Ok(size) = i128::from_str_radix(digits, 16) {
        return Some(Whole(i128::from(sign) * size));
    }
    let size = digits.chars().try_fold(0.0, |size, digit| Some(size * 16.0 + f64::from(digit.to_digit(16)?)));
    Some(Huge(f64::from(sign) * size?))
}

fn near(one: f64, other: f64) -> bool {
    if !one.is_finite() || !other.is_finite() {
        return one == other || one.is_nan() && other.is_nan();
    }
    (one - other).abs() <= (TOLERANCE * one.abs().max(other.abs())).max(ALMOST_NOTHING)
}

/// A printed text without the spaces at the ends of lines.
pub(crate) fn plain(printed: &str) -> String {
    let lines: Vec<&str> = printed.lines().map(str::trim_end).collect();
    lines.join("\n").trim().to_owned()
}

/// The items of a list, and whether there are more: of an iterator in Python the first thousand are told.
fn told(items: &[Json]) -> (&[Json], bool) {
    match items.split_last() {
        Some((last, before)) if last.get("other").is_some_and(|it| it == "and so on") => (before, true),
        _ => (items, false),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn values_are_alike_as_far_as_their_languages_go() {
        let (within, across) = (How { across: false }, How { across: true });
        let both = [
            (json!(3), json!(3.0)),
            (json!(1), json!(true)),
            (json!(0.1), json!(0.100_000_000_000_01)),
            (json!(0.0), json!(5.551_115_123_125_783e-17)),
            (json!({"real": "inf"}), json!({"real": "+Inf"})),
            (json!({"real": "-inf"}), json!({"real": "-Infinity"})),
            (json!({"real": "nan"}), json!({"real": "-nan"})),
            // 2**60 as an integer, as a real number, and as JavaScript writes it.
            (json!({"int": "0x1000000000000000"}), json!(1.152_921_504_606_847e18)),
            (json!({"int": "0x1000000000000000"}), json!(1_152_921_504_606_847_000_u64)),
            (json!({"int": "0x5"}), json!(5)),
            (json!([1, "a", null]), json!([1, "a", null])),
            (json!({"set": [1, 2]}), json!({"set": [2, 1]})),
            (json!({"map": [["a", [1]], ["b", 2]]}), json!({"map": [["b", 2.0], ["a", [1]]]})),
        ];
        for (one, other) in both {
            assert!(within.alike(&one, &other) && across.alike(&one, &other), "{one} {other}");
        }
        let only_across = [
            (json!("ab"), json!(["a", "b"])),
            (json!({"object": "A", "fields": {"x": 1}}), json!({"object": "B", "fields": {"x": 1}})),
            (json!({"set": [1, 2]}), json!([2, 1])),
        ];
        for (one, other) in only_across {
            assert!(!within.alike(&one, &other) && across.alike(&one, &other), "{one} {other}");
        }
        for (one, other) in [
            (json!(1), json!(2)),
            (json!(10_000_000_000_u64), json!(10_000_000_001_u64)),
            (json!(1e-10), json!(2e-10)),
            (json!({"int": "0x20000000000001"}), json!({"int": "0x20000000000002"})),
            (json!({"real": "inf"}), json!({"real": "-inf"})),
            (json!({"real": "inf"}), json!(1e300)),
            (json!("1"), json!(1)),
            (json!([1]), json!([1, 1])),
            (json!(null), json!(0)),
        ] {
            assert!(!across.alike(&one, &other), "{one} {other}");
        }
    }
}
