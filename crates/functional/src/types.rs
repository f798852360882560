//! A small language of types that all languages share.

use familiar_source::Language;

/// Which values something takes.
#[derive(Clone, Debug, Eq, PartialEq, Ord, PartialOrd)]
pub(crate) enum Type {
    Int,
    Real,
    Bool,
    Text,
    /// One letter.
    Char,
    List(Box<Type>),
    Set(Box<Type>),
    Map(Box<Type>, Box<Type>),
    /// Something that can be called.
    Function,
    /// Something with these fields.
    Object(Vec<(String, Type)>),
    /// A map with these keys, each with a type of its own.
    Record(Vec<(String, Type)>),
    /// Something that takes any use, and tells of it.
    Mock,
    /// Nothing is said.
    Any,
    /// It gives nothing.
    Nothing,
    /// A class of which no value can be made.
    Class(String),
}

impl Type {
    pub(crate) fn list(of: Self) -> Self {
        Self::List(Box::new(of))
    }

    /// Whether a value of it can be made.
    pub(crate) fn is_known(&self) -> bool {
        match self {
            Self::Class(_) | Self::Nothing => false,
            Self::List(of) | Self::Set(of) => of.is_known(),
            Self::Map(key, value) => key.is_known() && value.is_known(),
            _ => true,
        }
    }

    /// The values that both take, if there are any. What one says guides the other.
    pub(crate) fn with(&self, other: &Self) -> Option<Self> {
        use Type::{Any, Bool, Char, Int, List, Map, Real, Set, Text};
        Some(match (self, other) {
            (one, other) if one == other => one.clone(),
            (Any, known) | (known, Any) => known.clone(),
            (Int, Real) | (Real, Int) => Int,
            (Int, Bool) | (Bool, Int) => Bool,
            (Int | Text, Char) | (Char, Int | Text) => Char,
            (Text, List(of)) | (List(of), Text) if matches!(**of, Char | Any) => Text,
            (List(one), List(other)) => Self::list(one.with(other)?),
            (Set(one), Set(other) | List(other)) | (List(other), Set(one)) => Set(Box::new(one.with(other)?)),
            (Map(key, value), Map(other, another)) => {
                Map(Box::new(key.with(other)?), Box::new(value.with(another)?))
            }
            _ => return None,
        })
    }
}

/// The type that is written in a declaration.
pub(crate) fn written(text: &str, language: Language) -> Type {
    let mut text = text.trim().trim_matches(['"', '\'']).trim();
    for word in ["const ", "final ", "static ", "struct ", "volatile ", "readonly "] {
        text = text.strip_prefix(word).unwrap_or(text).trim();
    }
    if language == Language::CSharp {
        text = plain_csharp(text);
    }
    if matches!(language, Language::Cpp) {
        text = text.trim_end_matches('&').trim();
    }
    if let Some(inner) = text.strip_suffix("[]").or_else(|| text.strip_suffix("...")) {
        return listed(written(inner, language), language);
    }
    if let Some(inner) = text.strip_prefix("[]") {
        return listed(written(inner, language), language);
    }
    if let Some(inner) = text.strip_suffix('*').filter(|_| matches!(language, Language::C | Language::Cpp)) {
        return match written(inner, language) {
            Type::Char => Type::Text,
            Type::Nothing => Type::Class("void*".to_owned()),
            inner @ (Type::Int | Type::Real | Type::Bool) => Type::list(inner),
            _ => Type::Class(text.to_owned()),
        };
    }
    if let Some((key, value)) = text.strip_prefix("map[").and_then(|rest| rest.split_once(']')) {
        return Type::Map(Box::new(written(key, language)), Box::new(written(value, language)));
    }
    if let Some(open) = text.find(['<', '[']).filter(|_| text.ends_with(['>', ']'])) {
        let inner = cut(&text[open + 1..text.len() - 1]);
        let inner: Vec<Type> = inner.iter().map(|part| written(part, language)).collect();
        return generic(text[..open].trim(), inner);
    }
    named(text)
}

/// A type of C# without words that say how a value is given, and without the mark that it may be null.
pub(crate) fn plain_csharp(written: &str) -> &str {
    let mut plain = written.trim();
    for word in ["this ", "params ", "ref ", "out ", "in "] {
        plain = plain.strip_prefix(word).unwrap_or(plain).trim();
    }
    plain.trim_end_matches('?').trim()
}

fn listed(of: Type, language: Language) -> Type {
    match of {
        Type::Char if language == Language::C => Type::Text,
        of => Type::list(of),
    }
}

fn named(text: &str) -> Type {
    let name = text.rsplit(['.', ':']).next().unwrap_or(text).trim();
    match name {
        "int" | "long" | "short" | "Integer" | "Long" | "Short" | "int64" | "int32" | "int16" | "uint"
        | "uint64" | "uint32" | "size_t" | "int64_t" | "int32_t" | "uint64_t" | "uint32_t" | "unsigned"
        | "unsigned int" | "long long" | "long int" | "unsigned long" | "unsigned long long"
        | "BigInteger" | "Number" | "AtomicInteger" | "Date" | "Random" | "AtomicLong" | "ulong"
        | "ssize_t" | "Int16" | "Int32" | "Int64" | "UInt32" | "UInt64" | "ushort" | "sbyte" | "byte"
        | "Byte" | "uint8_t" | "unsigned char" | "uint8" => Type::Int,
        "float" | "double" | "Double" | "Float" | "float64" | "float32" | "BigDecimal" | "decimal"
        | "long double" | "Single" | "Decimal" => Type::Real,
        "bool" | "boolean" | "Boolean" | "_Bool" => Type::Bool,
        "str" | "String" | "string" | "CharSequence" | "StringBuilder" | "StringBuffer" | "string_view"
        | "AnyStr" | "Scanner" | "File" | "Path" | "Pattern" | "Exception" | "Throwable"
        | "RuntimeException" | "IOException" | "BufferedReader" | "StringReader" | "Reader"
        | "InputStream" | "TextReader" | "Stream" | "MemoryStream" => Type::Text,
        "char" | "Char" | "Character" | "rune" | "wchar_t" => Type::Char,
        "list" | "List" | "Sequence" | "Iterable" | "ArrayList" | "LinkedList" | "Collection"
        | "Iterator" | "tuple" | "Queue" | "Deque" | "Stack" | "Vector" | "Iterable[Any]" | "Array" => {
            Type::list(Type::Any)
        }
        "set" | "Set" | "HashSet" | "TreeSet" | "frozenset" => Type::Set(Box::new(Type::Any)),
        "dict" | "Dict" | "Map" | "HashMap" | "TreeMap" | "Dictionary" | "Properties" | "LinkedHashMap" => {
            Type::Map(Box::new(Type::Text), Box::new(Type::Any))
        }
        "void" | "Void" => Type::Nothing,
        "" | "Any" | "any" | "object" | "Object" | "dynamic" | "auto" | "Comparable" | "interface{}"
        | "T" | "E" | "K" | "V" | "U" | "R" | "?" | "None" | "Serializable" => Type::Any,
        "Callable" | "Function" | "Predicate" | "Comparator" | "Supplier" | "Runnable" | "Consumer"
        | "UnaryOperator" | "IntPredicate" | "IntUnaryOperator" | "IntFunction" | "BinaryOperator"
        | "BiFunction" | "Action" => Type::Function,
        _ if name.starts_with('?') => match name.rsplit_once("extends") {
            Some((_, bound)) => named(bound.trim()),
            None => Type::Any,
        },
        _ => Type::Class(text.to_owned()),
    }
}

fn generic(name: &str, mut inner: Vec<Type>) -> Type {
    let mut next = || Box::new(if inner.is_empty() { Type::Any } else { inner.remove(0) });
    match name.rsplit(['.', ':']).next().unwrap_or(name) {
        "Optional" | "Union" | "Final" => *next(),
        "Set" | "set" | "FrozenSet" | "HashSet" | "unordered_set" | "LinkedHashSet" | "TreeSet"
        | "SortedSet" | "ISet" => Type::Set(next()),
        "Dict"
        | "dict"
        | "Map"
        | "map"
        | "HashMap"
        | "Mapping"
        | "unordered_map"
        | "DefaultDict"
        | "TreeMap"
        | "LinkedHashMap"
        | "SortedMap"
        | "ConcurrentMap"
        | "ConcurrentHashMap"
        | "Dictionary"
        | "IDictionary"
        | "IReadOnlyDictionary"
        | "SortedDictionary"
        | "SortedList"
        | "Hashtable" => Type::Map(next(), next()),
        "Comparable" | "Class" if name == "Comparable" => Type::Any,
        "Callable" | "Function" | "Predicate" | "Comparator" | "Supplier" | "Consumer" | "UnaryOperator"
        | "function" | "Func" | "Action" | "Comparison" | "BinaryOperator" | "BiFunction"
        | "ToIntFunction" | "BiPredicate" => Type::Function,
        "List"
        | "list"
        | "vector"
        | "ArrayList"
        | "LinkedList"
        | "Collection"
        | "Iterable"
        | "Iterator"
        | "Sequence"
        | "Tuple"
        | "tuple"
        | "Queue"
        | "Deque"
        | "Stack"
        | "Vector"
        | "deque"
        | "array"
        | "IEnumerable"
        | "IList"
        | "span"
        | "Generator"
        | "ArrayDeque"
        | "PriorityQueue"
        | "queue"
        | "stack"
        | "ICollection"
        | "IReadOnlyList"
        | "IReadOnlyCollection" => Type::List(next()),
        _ => Type::Class(name.to_owned()),
    }
}

/// The parts of a list of types.
pub(crate) fn cut(text: &str) -> Vec<&str> {
    let (mut depth, mut start, mut all) = (0, 0, Vec::new());
    for (place, letter) in text.char_indices() {
        match letter {
            '<' | '[' | '(' => depth += 1,
            '>' | ']' | ')' => depth -= 1,
            ',' if depth == 0 => {
                all.push(text[start..place].trim());
                start = place + 1;
            }
            _ => {}
        }
    }
    all.push(text[start..].trim());
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_are_read_in_every_language() {
        use Type::{Char, Int, Map, Real, Text};
        let cases = [
            ("List<Integer>", Language::Java, Type::list(Int)),
            ("char[]", Language::Java, Type::list(Char)),
            (
                "Map<String,List<Double>>",
                Language::Java,
                Map(Box::new(Text), Box::new(Type::list(Type::list(Real).element()))),
            ),
            ("this IEnumerable<int?>", Language::CSharp, Type::list(Int)),
            ("const char*", Language::C, Text),
            ("int*", Language::C, Type::list(Int)),
            ("const vector<string>&", Language::Cpp, Type::list(Text)),
            ("[]int", Language::Go, Type::list(Int)),
            ("map[string]int", Language::Go, Map(Box::new(Text), Box::new(Int))),
            ("Optional[List[str]]", Language::Python, Type::list(Text)),
            ("Node", Language::Java, Type::Class("Node".into())),
        ];
        for (text, language, expected) in cases {
            assert_eq!(written(text, language), expected, "{text}");
        }
    }

    #[test]
    fn two_sides_guide_each_other() {
        let list = Type::list(Type::Int);
        assert_eq!(Type::Any.with(&list), Some(list.clone()));
        assert_eq!(Type::list(Type::Any).with(&list), Some(list));
        assert_eq!(Type::Text.with(&Type::list(Type::Char)), Some(Type::Text));
        assert_eq!(Type::Text.with(&Type::Int), None);
    }

    impl Type {
        fn element(self) -> Self {
            if let Self::List(of) = self { *of } else { self }
        }
    }
}
