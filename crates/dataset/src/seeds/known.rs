//! What the functions of a file may use without declaring it: what the language has, and what the file imports of the standard library.

use std::collections::{BTreeMap, BTreeSet};

use familiar_source::{Language, Token, TokenClass};
use familiar_syntax::tree::Node;
use familiar_transform::Program;

/// Most bytes that the tree of a file or of a function may take.
pub(super) const MEMORY: usize = 1 << 26;

/// Functions and types that programs of a language have without an import, or with one that everybody knows.
const KNOWN: [(&[Language], &str); 6] = [
    (
        &[Language::Python],
        "abs all any bin bool bytearray bytes callable chr complex dict divmod enumerate filter float format frozenset hash hex int \
         isinstance issubclass iter len list map max min next object oct ord pow print range repr reversed round set slice sorted str sum \
         tuple type zip input open id globals compile breakpoint \
         ArithmeticError AssertionError AttributeError BaseException EOFError Exception FileNotFoundError FloatingPointError \
         IndexError IOError KeyError KeyboardInterrupt LookupError MemoryError NameError NotImplemented NotImplementedError OSError \
         OverflowError PermissionError RecursionError RuntimeError StopAsyncIteration StopIteration TimeoutError TypeError \
         UnicodeDecodeError UnicodeEncodeError UnicodeError ValueError ZeroDivisionError ascii classmethod delattr dir eval exec \
         getattr hasattr memoryview property setattr staticmethod vars Ellipsis ImportError \
         ModuleNotFoundError NotADirectoryError IsADirectoryError FileExistsError ConnectionError BrokenPipeError GeneratorExit SystemExit \
         SyntaxError SystemError UnboundLocalError UserWarning DeprecationWarning RuntimeWarning Warning __name__",
    ),
    (
        &[Language::Java, Language::CSharp, Language::Kotlin, Language::Scala],
        "String StringBuilder StringBuffer Integer Long Double Float Boolean Character Byte Short Math Arrays Collections List ArrayList \
         LinkedList Map HashMap TreeMap LinkedHashMap Set HashSet TreeSet Stack Queue Deque ArrayDeque PriorityQueue Iterator Optional \
         Object Objects System Scanner Random BigInteger BigDecimal IllegalArgumentException IllegalStateException RuntimeException \
         NullPointerException IndexOutOfBoundsException Exception Dictionary Console Convert Enumerable Array Tuple ArgumentException \
         Regex Pattern Matcher Stream IntStream Collectors Char Int32 nameof typeof sizeof Number CharSequence Comparable Iterable \
         Runnable Class Enum Error Throwable Void Override SafeVarargs SuppressWarnings Deprecated FunctionalInterface \
         ArithmeticException ArrayIndexOutOfBoundsException ClassCastException CloneNotSupportedException InterruptedException \
         NegativeArraySizeException NumberFormatException StringIndexOutOfBoundsException UnsupportedOperationException Thread \
         NoSuchElementException Comparator Collection Function BiFunction Supplier Consumer Predicate UnaryOperator BinaryOperator \
         LongStream DoubleStream StringJoiner BitSet EnumMap IOException Func Action IEnumerable IList ICollection IDictionary \
         IEnumerator IComparer IComparable KeyValuePair Guid DateTime TimeSpan StringComparison StringSplitOptions Encoding Stream \
         InvalidOperationException NotSupportedException NotImplementedException ArgumentNullException \
         ArgumentOutOfRangeException FormatException OverflowException HashCode CultureInfo SortedDictionary SortedSet Single Int64 \
         Int16 UInt32 UInt64 Decimal Nullable Lazy java javax Comparer EqualityComparer",
    ),
    (
        &[Language::C, Language::Cpp],
        "printf scanf malloc calloc realloc free memcpy memset memmove memcmp strlen strcpy strncpy strcmp strncmp strcat strncat \
         strchr strrchr strstr strtok strdup sprintf snprintf sscanf atoi atof atol strtol strtod abs labs fabs sqrt pow floor ceil \
         round fmod sin cos tan exp log log10 isdigit isalpha isalnum isspace isupper islower toupper tolower putchar getchar puts \
         qsort bsearch rand srand assert sizeof NULL EOF FILE stdin stdout stderr fprintf fputs fputc fgets fgetc getc putc fopen \
         fclose fread fwrite fflush errno INT_MAX INT_MIN UINT_MAX LONG_MAX LONG_MIN CHAR_BIT CHAR_MAX DBL_MAX DBL_MIN FLT_MAX \
         SIZE_MAX INT32_MAX INT64_MAX M_PI NAN INFINITY isnan isinf va_list va_start va_end va_arg memchr strspn strcspn strpbrk \
         strcasecmp strncasecmp strtoul strtoll strtoull llabs div fmin fmax fabsf sqrtf trunc hypot asin acos atan atan2 sinh cosh \
         tanh isxdigit ispunct isprint iscntrl isgraph time_t exit abort atexit getenv uint8_t uint16_t uint32_t uint64_t int8_t \
         int16_t int32_t int64_t ssize_t uintptr_t intptr_t ptrdiff_t wchar_t bool true false FILENAME_MAX BUFSIZ EXIT_SUCCESS \
         EXIT_FAILURE RAND_MAX tm memccpy strcoll perror fseek ftell rewind ungetc vsnprintf vfprintf lround llround cbrt log2 exp2",
    ),
    (
        &[Language::Cpp],
        "vector string map set unordered_map unordered_set pair make_pair queue stack deque sort reverse min max swap find count \
         accumulate begin end to_string stoi stod cout cin endl getline ostringstream istringstream stringstream std array list \
         function optional tuple string_view unique_ptr shared_ptr make_unique make_shared move forward numeric_limits stable_sort \
         lower_bound upper_bound binary_search find_if count_if any_of all_of none_of transform copy fill iota unique next prev \
         distance back_inserter priority_queue bitset multiset multimap initializer_list invalid_argument out_of_range runtime_error \
         logic_error exception ostream istream less greater hash static_cast reinterpret_cast const_cast dynamic_cast nullptr_t",
    ),
    (
        &[Language::JavaScript, Language::TypeScript],
        "Array Object String Number Boolean Math JSON Date Map Set Symbol BigInt RegExp Promise Error TypeError RangeError parseInt \
         parseFloat isNaN isFinite console undefined NaN Infinity arguments globalThis encodeURIComponent decodeURIComponent encodeURI \
         decodeURI setTimeout clearTimeout SyntaxError WeakRef ArrayBuffer DataView Uint16Array Uint32Array Int8Array Int16Array \
         Float32Array TextEncoder TextDecoder URL URLSearchParams Intl Record Partial Readonly Iterable Iterator ArrayLike Pick Omit \
         ReadonlyArray Function Int32Array Uint8Array Float64Array WeakMap WeakSet Reflect Proxy structuredClone",
    ),
    (
        &[Language::Go],
        "append cap close complex copy delete imag len make max min new panic print println real recover string int int64 float64 byte rune \
         bool error uint uint64 int32 any true false nil iota comparable int8 int16 uint8 uint16 uint32 uintptr float32 complex64 complex128 \
         clear fmt strings strconv sort math errors bytes unicode",
    ),
];

/// Modules of Python's standard library that functions of every kind use; an import of another one needs a place where it is installed.
const MODULES: &str = "abc argparse array ast base64 binascii bisect bz2 calendar cmath codecs collections colorsys contextlib copy csv \
    dataclasses datetime decimal difflib dis enum errno fnmatch fractions functools gc getpass glob graphlib gzip hashlib heapq hmac html \
    inspect io ipaddress itertools json keyword linecache locale logging lzma math mimetypes numbers operator os pathlib pickle pkgutil \
    platform posixpath ntpath pprint queue quopri random re reprlib secrets shlex shutil signal stat statistics string struct subprocess \
    sys sysconfig tempfile textwrap threading time timeit token tokenize traceback types typing unicodedata urllib uuid warnings weakref \
    xml zipfile zlib zoneinfo";

/// Packages that come with Go, by the first part of their paths.
const PACKAGES: &str = "archive bufio bytes cmp compress container context crypto database debug embed encoding errors expvar flag fmt go \
    hash html image index io iter log maps math mime net os path plugin reflect regexp runtime slices sort strconv strings structs sync \
    syscall testing text time unicode unique unsafe";

/// Names that are known, each with the imports that bring it where the language takes imports anywhere.
#[derive(Debug)]
pub(super) struct Known(BTreeMap<String, BTreeSet<String>>);

impl Known {
    /// What is known in a file with this text and these tokens.
    pub(super) fn of(language: Language, text: &[u8], tokens: &[Token]) -> Self {
        let named = KNOWN.iter().filter(|(languages, _)| languages.contains(&language));
        let names = named.flat_map(|(_, names)| names.split_whitespace());
        let mut known = Self(names.map(|it| (it.to_owned(), BTreeSet::new())).collect());
        match language {
            Language::Python => {
                if let Ok(program) = Program::parse(language, text, MEMORY) {
                    known.read_python(&program);
                }
            }
            Language::Java => imports(text, tokens).iter().for_each(|words| known.read_java(words)),
            Language::Go => imports(text, tokens).iter().for_each(|words| known.read_go(words)),
            Language::JavaScript | Language::TypeScript => {
                // What a module brings is not what the language has by this name.
                let brought = tokens.iter().filter(|it| it.class == TokenClass::Import);
                brought.for_each(|it| known.forget(&String::from_utf8_lossy(it.text(text))));
            }
            _ => {}
        }
        known
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }

    /// The imports that bring a name.
    pub(super) fn imports(&self, name: &str) -> impl Iterator<Item = &str> {
        self.0.get(name).into_iter().flatten().map(String::as_str)
    }

    fn forget(&mut self, name: &str) {
        self.0.remove(name);
    }

    /// Takes up a name that an import brings, where that is one of the standard library.
    fn take(&mut self, name: &str, is_standard: bool, statement: Option<String>) {
        if is_standard {
            self.0.entry(name.to_owned()).or_default().extend(statement);
        } else {
            self.forget(name);
        }
    }

    /// Imports outside of functions and classes, and what the file itself defines.
    fn read_python(&mut self, program: &Program) {
        for statement in program.root().named() {
            let defined = match statement.kind() {
                "function_definition" | "class_definition" => statement.child("name"),
                "decorated_definition" => statement.child("definition").and_then(|it| it.child("name")),
                "expression_statement" => statement.named().next().and_then(|it| it.child("left")),
                _ => None,
            };
            if let Some(name) = defined {
                self.forget(program.of(name));
            }
        }
        for statement in program.root().descendants().filter(|it| is_import(*it) && !is_inside(*it)) {
            for Brought { name, module, text } in brought(program, statement) {
                self.take(name, is_module(module), Some(text));
            }
        }
    }

    fn read_java(&mut self, words: &[&[u8]]) {
        let mut names = words.iter().filter(|it| !matches!(**it, b"import" | b"static" | b"." | b";"));
        let (first, last) = (names.clone().next(), names.next_back());
        if let (Some(first), Some(last)) = (first, last) {
            self.take(&String::from_utf8_lossy(last), matches!(*first, b"java" | b"javax"), None);
        }
    }

    fn read_go(&mut self, words: &[&[u8]]) {
        for (at, word) in words.iter().enumerate() {
            let Some(path) = word.strip_prefix(b"\"").and_then(|it| it.strip_suffix(b"\"")) else { continue };
            let path = String::from_utf8_lossy(path);
            let is_version =
                |part: &&str| part.len() > 1 && part.starts_with('v') && part[1..].parse::<u32>().is_ok();
            let last = path.rsplit('/').find(|it| !is_version(it)).unwrap_or_default();
            let before = at.checked_sub(1).map(|at| String::from_utf8_lossy(words[at]));
            let alias =
                before.filter(|it| it.starts_with(|c: char| c.is_alphabetic() || c == '_') && it != "import");
            let first = path.split('/').next().unwrap_or_default();
            let is_of_go = PACKAGES.split_whitespace().any(|it| it == first);
            self.take(alias.as_deref().unwrap_or(last), is_of_go, None);
        }
    }
}

/// What an import of Python brings.
struct Brought<'p> {
    name: &'p str,
    module: &'p str,
    /// The import of this alone.
    text: String,
}

fn brought<'p>(program: &'p Program, statement: Node<'p>) -> Vec<Brought<'p>> {
    let names = statement.children().filter(|it| it.field() == Some("name"));
    let from = statement.child("module_name").map(|it| program.of(it));
    let one = |it: Node<'p>| {
        let whole = it.child("name").map_or_else(|| program.of(it), |name| program.of(name));
        let alias = it.child("alias").map(|alias| program.of(alias));
        let renamed = alias.map(|alias| format!(" as {alias}")).unwrap_or_default();
        let first = whole.split('.').next().unwrap_or(whole);
        match from {
            Some(module) => Brought {
                name: alias.unwrap_or(whole),
                module,
                text: format!("from {module} import {whole}{renamed}"),
            },
            None => Brought {
                name: alias.unwrap_or(first),
                module: whole,
                text: format!("import {whole}{renamed}"),
            },
        }
    };
    names.map(one).collect()
}

fn is_import(node: Node<'_>) -> bool {
    matches!(node.kind(), "import_statement" | "import_from_statement")
}

/// Whether a statement is inside a function or a class.
fn is_inside(mut node: Node<'_>) -> bool {
    while let Some(parent) = node.parent() {
        if matches!(parent.kind(), "function_definition" | "class_definition") {
            return true;
        }
        node = parent;
    }
    false
}

/// Whether a program of Python imports something that does not come with Python.
pub(super) fn imports_others(program: &Program) -> bool {
    let others = program
        .root()
        .descendants()
        .filter(|it| it.kind().starts_with("import_"))
        .filter(|it| is_import(*it));
    others.into_iter().any(|it| {
        let all = brought(program, it);
        all.is_empty() || all.iter().any(|it| !is_module(it.module))
    })
}

/// Whether a module, by the first part of its name, is one of Python's standard library.
fn is_module(name: &str) -> bool {
    let first = name.split('.').next().unwrap_or_default();
    MODULES.split_whitespace().any(|it| it == first)
}

/// The words of each import.
fn imports<'t>(text: &'t [u8], tokens: &[Token]) -> Vec<Vec<&'t [u8]>> {
    let mut all: Vec<Vec<&[u8]>> = Vec::new();
    let mut is_open = false;
    for token in tokens {
        let is_import = token.class == TokenClass::Import;
        let word = token.text(text);
        if is_import && (!is_open || word == b"import") {
            all.push(Vec::new());
        }
        if let Some(last) = all.last_mut().filter(|_| is_import) {
            last.push(word);
        }
        is_open = is_import;
    }
    all
}
