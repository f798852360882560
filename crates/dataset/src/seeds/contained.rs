//! Does a function stand by itself? It does if it calls nothing but what it defines, what values have, and what the language has, and if it
//! uses no field of its object.

use std::collections::BTreeSet;

use familiar_source::{Language, Token, TokenClass};

/// Functions and types that programs of a language have without an import, or with one that everybody knows.
const KNOWN: [(&[Language], &str); 5] = [
    (
        &[Language::Python],
        "abs all any bin bool bytearray bytes callable chr complex dict divmod enumerate filter float format frozenset hash hex int \
         isinstance issubclass iter len list map max min next object oct ord pow print range repr reversed round set slice sorted str sum \
         super tuple type zip input open math re random itertools functools collections string heapq bisect deque Counter defaultdict \
         ValueError TypeError KeyError IndexError Exception RuntimeError ZeroDivisionError StopIteration",
    ),
    (
        &[Language::Java, Language::CSharp, Language::Kotlin, Language::Scala],
        "String StringBuilder StringBuffer Integer Long Double Float Boolean Character Byte Short Math Arrays Collections List ArrayList \
         LinkedList Map HashMap TreeMap LinkedHashMap Set HashSet TreeSet Stack Queue Deque ArrayDeque PriorityQueue Iterator Optional \
         Object Objects System Scanner Random BigInteger BigDecimal IllegalArgumentException IllegalStateException RuntimeException \
         NullPointerException IndexOutOfBoundsException Exception Dictionary Console Convert Enumerable Array Tuple ArgumentException \
         Regex Pattern Matcher Stream IntStream Collectors Char Int32 nameof typeof sizeof",
    ),
    (
        &[Language::C, Language::Cpp],
        "printf scanf malloc calloc realloc free memcpy memset memmove memcmp strlen strcpy strncpy strcmp strncmp strcat strncat strchr \
         strrchr strstr strtok strdup sprintf snprintf sscanf atoi atof atol strtol strtod abs labs fabs sqrt pow floor ceil round fmod \
         sin cos tan exp log log10 isdigit isalpha isalnum isspace isupper islower toupper tolower putchar getchar puts qsort bsearch \
         rand srand assert sizeof vector string map set unordered_map unordered_set pair make_pair queue stack deque sort reverse min max \
         swap find count accumulate begin end to_string stoi stod cout cin endl getline ostringstream istringstream stringstream",
    ),
    (
        &[Language::JavaScript, Language::TypeScript],
        "Array Object String Number Boolean Math JSON Date Map Set Symbol BigInt RegExp Promise Error TypeError RangeError parseInt \
         parseFloat isNaN isFinite console require Int32Array Uint8Array Float64Array WeakMap WeakSet Reflect Proxy structuredClone",
    ),
    (
        &[Language::Go],
        "append cap close complex copy delete imag len make max min new panic print println real recover string int int64 float64 byte rune \
         bool error uint uint64 int32 fmt strings strconv sort math errors bytes unicode",
    ),
];

/// Whether a function stands by itself. `tokens` are those of the function, in `text`.
pub(super) fn is_contained(language: Language, text: &[u8], tokens: &[Token]) -> bool {
    let known: BTreeSet<&[u8]> = KNOWN
        .iter()
        .filter(|(languages, _)| languages.contains(&language))
        .flat_map(|(_, names)| names.split_whitespace().map(str::as_bytes))
        .collect();
    let spelled = |at: usize| tokens.get(at).map(|token| token.text(text)).unwrap_or_default();
    let before = |at: usize| at.checked_sub(1).map(spelled).unwrap_or_default();
    // What is not called is declared or read here: parameters, variables, the function itself.
    let own: BTreeSet<&[u8]> = (0..tokens.len())
        .filter(|&at| tokens[at].class == TokenClass::Identifier && spelled(at + 1) != b"(")
        .map(spelled)
        .collect();
    let name = (0..tokens.len())
        .find(|&at| tokens[at].class == TokenClass::Identifier && spelled(at + 1) == b"(")
        .map(spelled);
    (0..tokens.len()).all(|at| {
        let word = spelled(at);
        if matches!(word, b"self" | b"this") && matches!(spelled(at + 1), b"." | b"->") {
            return false;
        }
        let is_called = tokens[at].class == TokenClass::Identifier && spelled(at + 1) == b"(";
        let is_member = matches!(before(at), b"." | b"->" | b"::" | b"?.");
        !is_called || is_member || Some(word) == name || known.contains(word) || own.contains(word)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use familiar_syntax::{Parser, Want};

    fn stands(language: Language, code: &str) -> bool {
        let mut parser = Parser::default();
        let parsed = parser.parse(language, code.as_bytes(), Want::default());
        is_contained(language, code.as_bytes(), parsed.tokens)
    }

    #[test]
    fn functions_that_use_their_project_do_not_stand_by_themselves() {
        assert!(stands(
            Language::Python,
            "def f(x, key):\n    return sorted(x, key=lambda y: key(y.strip()))\n"
        ));
        assert!(stands(Language::Python, "def f(n):\n    return n and f(n - 1)\n"));
        assert!(!stands(Language::Python, "def f(x):\n    return load_settings(x)\n"));
        assert!(!stands(Language::Python, "def f(self):\n    return self.x\n"));
        assert!(stands(Language::Java, "int f(List<Integer> a) { return new ArrayList<>(a).size(); }"));
        assert!(!stands(Language::Java, "int f() { return this.a; }"));
        assert!(!stands(Language::C, "int f(int a) { return lookup(a); }"));
    }
}
