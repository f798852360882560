//! Whether two results are alike.

use familiar_sandbox::exchange::Exchanged;
use familiar_sandbox::{End, is_over_a_limit};
use serde_json::{Map, Value as Json};

/// Real numbers that differ by less than this part of them are alike.
const TOLERANCE: f64 = 1e-9;

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
        match (one, other) {
            (Json::Array(one), Json::Array(other)) => {
                one.len() == other.len() && one.iter().zip(other).all(|(one, other)| self.alike(one, other))
            }
            (Json::Object(one), Json::Object(other)) => self.objects(one, other),
            (Json::Number(one), Json::Number(other)) => {
                one == other || near(one.as_f64().unwrap_or(f64::NAN), other.as_f64().unwrap_or(f64::NAN))
            }
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

fn near(one: f64, other: f64) -> bool {
    (one - other).abs() <= TOLERANCE * one.abs().max(other.abs()).max(1.0)
}

/// A printed text without the spaces at the ends of lines.
pub(crate) fn plain(printed: &str) -> String {
    let lines: Vec<&str> = printed.lines().map(str::trim_end).collect();
    lines.join("\n").trim().to_owned()
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
            (json!("1"), json!(1)),
            (json!([1]), json!([1, 1])),
            (json!(null), json!(0)),
        ] {
            assert!(!across.alike(&one, &other), "{one} {other}");
        }
    }
}
