//! Languages that the generic tokenizer reads: names, comments, strings and keywords of each.

use familiar_source::Language;

use super::Definition;
use crate::generic::Generic;

/// Comments, strings and common keywords of the languages with `//` and `/* */`.
pub(crate) const C_LIKE: Generic = Generic {
    line_comments: &["//"],
    block_comments: &[("/*", "*/")],
    quotes: b"\"'`",
    ignore_case: false,
    keywords: &[
        "abstract",
        "as",
        "assert",
        "async",
        "await",
        "break",
        "case",
        "catch",
        "class",
        "const",
        "continue",
        "def",
        "default",
        "do",
        "else",
        "enum",
        "export",
        "extends",
        "extern",
        "false",
        "final",
        "finally",
        "fn",
        "for",
        "function",
        "if",
        "implements",
        "import",
        "in",
        "interface",
        "is",
        "let",
        "match",
        "mixin",
        "new",
        "nil",
        "null",
        "override",
        "private",
        "protected",
        "public",
        "return",
        "static",
        "struct",
        "super",
        "switch",
        "this",
        "throw",
        "true",
        "try",
        "type",
        "var",
        "void",
        "while",
        "with",
        "yield",
    ],
};
/// The same for those with `#`.
pub(super) const HASH: Generic = Generic { line_comments: &["#"], block_comments: &[], ..C_LIKE };
const MARKUP: Generic = Generic {
    line_comments: &[],
    block_comments: &[("<!--", "-->")],
    quotes: b"\"'",
    ignore_case: true,
    keywords: &[],
};
const STYLE: Generic = Generic { line_comments: &[], quotes: b"\"'", keywords: &[], ..C_LIKE };
const DATA: Generic = Generic { line_comments: &["#", ";"], block_comments: &[], keywords: &[], ..STYLE };
const SHELL: Generic = Generic {
    keywords: &[
        "case", "do", "done", "elif", "else", "esac", "export", "fi", "for", "function", "if", "in", "local",
        "return", "set", "shift", "then", "until", "while",
    ],
    quotes: b"\"'",
    ..HASH
};
const SQL: Generic = Generic {
    line_comments: &["--"],
    block_comments: &[("/*", "*/")],
    quotes: b"\"'`",
    ignore_case: true,
    keywords: &[
        "alter",
        "and",
        "as",
        "begin",
        "between",
        "by",
        "case",
        "create",
        "declare",
        "delete",
        "distinct",
        "drop",
        "else",
        "end",
        "exists",
        "from",
        "function",
        "group",
        "having",
        "if",
        "in",
        "index",
        "inner",
        "insert",
        "into",
        "is",
        "join",
        "left",
        "like",
        "limit",
        "not",
        "null",
        "on",
        "or",
        "order",
        "primary",
        "key",
        "procedure",
        "references",
        "return",
        "right",
        "select",
        "set",
        "table",
        "then",
        "union",
        "update",
        "values",
        "view",
        "when",
        "where",
        "with",
    ],
};
const PARENTHESES: Generic =
    Generic { line_comments: &[";"], block_comments: &[("#|", "|#")], quotes: b"\"", ..DATA };
const DASHES: Generic = Generic { line_comments: &["--"], block_comments: &[("{-", "-}")], ..C_LIKE };
const MODULA: Generic = Generic {
    line_comments: &["//"],
    block_comments: &[("(*", "*)"), ("{", "}")],
    ignore_case: true,
    quotes: b"\"'",
    keywords: &[
        "and",
        "array",
        "begin",
        "case",
        "const",
        "do",
        "else",
        "end",
        "for",
        "function",
        "if",
        "in",
        "is",
        "loop",
        "not",
        "of",
        "or",
        "package",
        "procedure",
        "record",
        "repeat",
        "return",
        "then",
        "type",
        "until",
        "uses",
        "var",
        "when",
        "while",
        "with",
    ],
};
const BASIC: Generic = Generic { line_comments: &["'", "!"], block_comments: &[], quotes: b"\"", ..MODULA };
const PERCENT: Generic = Generic { line_comments: &["%"], block_comments: &[], ..C_LIKE };

macro_rules! generic {
    ($($language:ident $rules:ident [$($extension:literal)*] [$($name:literal)*] [$($interpreter:literal)*];)*) => {
        &[$(Definition {
            language: Language::$language,
            extensions: &[$($extension),*],
            file_names: &[$($name),*],
            interpreters: &[$($interpreter),*],
            front_end: &$rules,
            #[cfg(feature = "trees")]
            tree: None,
        }),*]
    };
}

/// Every language after the fourteen that have a file of their own, in the order of their numbers.
pub static DEFINITIONS: &[Definition] = generic! {
    Dart C_LIKE ["dart"] [] ["dart"];
    Shell SHELL ["sh" "bash" "zsh" "ksh" "fish" "bats"] [".bashrc" ".profile" ".zshrc"] ["sh" "bash" "zsh" "ksh" "dash" "fish"];
    PowerShell HASH ["ps1" "psm1"] [] ["pwsh"];
    Batch BASIC ["bat" "cmd"] [] [];
    Sql SQL ["sql" "psql" "plsql" "pks" "pkb"] [] [];
    Css STYLE ["css" "scss" "sass" "less"] [] [];
    Html MARKUP ["html" "htm" "xhtml" "jinja" "jinja2" "j2" "erb" "ejs" "hbs" "jsp" "twig"] [] [];
    Vue MARKUP ["vue"] [] [];
    Svelte MARKUP ["svelte"] [] [];
    Xml MARKUP ["xml" "xsd" "xsl" "xslt" "svg" "csproj" "vcxproj" "props" "targets" "resx" "xaml" "plist"] [] [];
    Json DATA ["json" "jsonc" "json5" "geojson" "webmanifest" "map"] [] [];
    Yaml HASH ["yaml" "yml"] [] [];
    Toml DATA ["toml"] ["Cargo.lock"] [];
    Ini DATA ["ini" "cfg" "conf" "properties" "editorconfig"] [] [];
    Make HASH ["mk" "mak" "am"] ["Makefile" "makefile" "GNUmakefile"] ["make"];
    CMake HASH ["cmake"] ["CMakeLists.txt"] [];
    Dockerfile HASH ["dockerfile"] ["Dockerfile" "Containerfile"] [];
    Groovy C_LIKE ["groovy" "gradle" "gvy"] ["Jenkinsfile"] ["groovy"];
    Lua DASHES ["lua"] [] ["lua"];
    Perl HASH ["pl" "pm" "t"] [] ["perl"];
    R HASH ["r"] [] ["rscript"];
    Julia HASH ["jl"] [] ["julia"];
    Haskell DASHES ["hs" "lhs" "elm" "purs"] [] ["runhaskell"];
    OCaml MODULA ["ml" "mli" "sml"] [] ["ocaml"];
    FSharp MODULA ["fs" "fsi" "fsx"] [] [];
    Erlang PERCENT ["erl" "hrl"] [] ["escript"];
    Elixir HASH ["ex" "exs"] [] ["elixir"];
    Clojure PARENTHESES ["clj" "cljs" "cljc" "edn"] [] [];
    Lisp PARENTHESES ["lisp" "lsp" "el" "scm" "ss" "rkt"] [] ["guile" "racket"];
    Fortran BASIC ["f" "for" "f77" "f90" "f95" "f03" "f08"] [] [];
    Pascal MODULA ["pas" "pp" "dpr" "lpr"] [] [];
    Ada MODULA ["adb" "ads"] [] [];
    Assembly DATA ["s" "asm" "nasm"] [] [];
    ObjectiveC C_LIKE ["m" "mm"] [] [];
    VisualBasic BASIC ["vb" "vbs" "bas" "cls" "frm"] [] [];
    Matlab PERCENT ["mat" "octave"] [] ["octave"];
    Protobuf C_LIKE ["proto"] [] [];
    GraphQl HASH ["graphql" "gql"] [] [];
    Terraform HASH ["tf" "tfvars" "hcl"] [] [];
    Nix HASH ["nix"] [] [];
    Zig C_LIKE ["zig"] [] [];
    Nim HASH ["nim"] [] [];
    Verilog C_LIKE ["v" "vh" "sv" "svh"] [] [];
    Vhdl DASHES ["vhd" "vhdl"] [] [];
    Solidity C_LIKE ["sol"] [] [];
    Tcl HASH ["tcl" "tm" "test"] [] ["tclsh" "wish" "expect"];
    Vim BASIC ["vim"] [".vimrc" "vimrc"] [];
    Tex PERCENT ["tex" "sty" "cls" "bib"] [] [];
    Markdown MARKUP ["md" "markdown" "rst"] [] [];
    Notebook HASH ["ipynb"] [] [];
    Other C_LIKE [] [] [];
};

pub(super) fn definition(language: Language) -> &'static Definition {
    let at = language as usize - Language::Dart as usize;
    debug_assert_eq!(DEFINITIONS[at].language, language);
    &DEFINITIONS[at]
}

/// Whether files of the language are data or prose, which are read only where the user names the language.
pub fn is_data(language: Language) -> bool {
    use Language::{Ini, Json, Markdown, Other, Tex, Toml, Xml};
    matches!(language, Json | Xml | Toml | Ini | Markdown | Tex | Other)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn definitions_stand_in_the_order_of_their_numbers() {
        for language in Language::all().filter(|&language| language >= Language::Dart) {
            assert_eq!(definition(language).language, language);
        }
    }
}
