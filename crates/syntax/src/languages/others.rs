//! Languages that the generic tokenizer reads: names, comments, strings and keywords of each.

use familiar_source::Language;

use super::Definition;

mod rules;

pub(crate) use rules::C_LIKE;
#[cfg(feature = "trees")]
pub(super) use rules::HASH;

macro_rules! generic {
    ($($language:ident $rules:ident [$($extension:literal)*] [$($name:literal)*] [$($interpreter:literal)*];)*) => {
        &[$(Definition {
            language: Language::$language,
            extensions: &[$($extension),*],
            file_names: &[$($name),*],
            interpreters: &[$($interpreter),*],
            front_end: &rules::$rules,
            #[cfg(feature = "trees")]
            tree: None,
        }),*]
    };
}

/// Every language after the fourteen that have a file of their own, in the order of their numbers.
pub static DEFINITIONS: &[Definition] = generic! {
    Dart DART ["dart"] [] ["dart"];
    Shell SHELL ["sh" "bash" "zsh" "ksh" "fish" "bats"] [".bashrc" ".profile" ".zshrc"] ["sh" "bash" "zsh" "ksh" "dash" "fish"];
    PowerShell POWERSHELL ["ps1" "psm1" "psd1"] [] ["pwsh"];
    Batch BATCH ["bat" "cmd"] [] [];
    Sql SQL ["sql" "psql" "plsql" "pks" "pkb" "cql" "aql" "n1ql" "ddl"] [] [];
    Css STYLE ["css" "scss" "sass" "less" "gss" "pcss"] [] [];
    Html MARKUP ["html" "htm" "xhtml" "jinja" "jinja2" "j2" "erb" "ejs" "hb" "hbs" "handlebars" "mustache" "jsp" "asp" "aspx" "ascx" "twig" "liquid" "njk" "tpl" "smarty" "ftl" "ftlh" "tt2" "xeora"] [] [];
    Vue MARKUP ["vue"] [] [];
    Svelte MARKUP ["svelte"] [] [];
    Xml MARKUP ["xml" "xsd" "xsl" "xslt" "svg" "csproj" "vcxproj" "props" "targets" "resx" "xaml" "plist"] [] [];
    Json DATA ["json" "jsonc" "json5" "jsonld" "geojson" "webmanifest" "map"] [] [];
    Yaml HASH ["yaml" "yml"] [] [];
    Toml DATA ["toml"] ["Cargo.lock"] [];
    Ini DATA ["ini" "cfg" "conf" "properties" "editorconfig" "htaccess"] [] [];
    Make HASH ["mk" "mak" "am"] ["Makefile" "makefile" "GNUmakefile"] ["make"];
    CMake CMAKE ["cmake"] ["CMakeLists.txt"] [];
    Dockerfile HASH ["dockerfile"] ["Dockerfile" "Containerfile"] [];
    Groovy C_LIKE_LONG ["groovy" "gradle" "gvy"] ["Jenkinsfile"] ["groovy"];
    Lua LUA ["lua" "luau" "rockspec"] [] ["lua"];
    Perl PERL ["pl" "pm" "t" "raku" "rakumod"] [] ["perl"];
    R R ["r"] [] ["rscript"];
    Julia JULIA ["jl"] [] ["julia"];
    Haskell HASKELL ["hs" "lhs"] [] ["runhaskell"];
    OCaml ML ["ml" "mli" "mll" "mly" "sml"] [] ["ocaml"];
    FSharp F_SHARP ["fs" "fsi" "fsx"] [] [];
    Erlang PERCENT ["erl" "hrl"] [] ["escript"];
    Elixir RUBY_LIKE ["ex" "exs"] [] ["elixir"];
    Clojure SEMICOLON ["clj" "cljs" "cljc" "cljx" "edn"] [] [];
    Lisp LISP ["lisp" "lsp" "cl" "el" "scm" "ss" "sld" "rkt"] [] ["guile" "racket"];
    Fortran FORTRAN ["f" "for" "ftn" "f77" "f90" "f95" "f03" "f08"] [] [];
    Pascal MODULA ["pas" "pp" "dpr" "lpr" "p"] [] [];
    Ada ADA ["adb" "ads" "ada"] [] [];
    Assembly ASSEMBLY ["s" "asm" "nasm" "a51" "z80"] [] [];
    ObjectiveC C_LIKE ["m" "mm"] [] [];
    VisualBasic BASIC ["vb" "vbs" "bas" "cls" "frm" "xojo_code"] [] [];
    Matlab MATLAB ["mat" "octave"] [] ["octave"];
    Protobuf C_LIKE ["proto"] [] [];
    GraphQl HASH_LONG ["graphql" "gql"] [] [];
    Terraform HASH_AND_SLASHES ["tf" "tfvars" "hcl"] [] [];
    Nix NIX ["nix"] [] [];
    Zig C_LIKE ["zig"] [] [];
    Nim NIM ["nim" "nims" "nimble"] [] [];
    Verilog VERILOG ["v" "vh" "sv" "svh"] [] [];
    Vhdl ADA ["vhd" "vhdl"] [] [];
    Solidity C_LIKE ["sol"] [] [];
    Tcl HASH ["tcl" "tm" "test"] [] ["tclsh" "wish" "expect"];
    Vim VIM ["vim" "vimrc"] [".vimrc" "vimrc"] [];
    Tex PERCENT ["tex" "sty" "cls" "bib"] [] [];
    Markdown MARKUP ["md" "markdown" "mkd" "rst" "adoc" "asciidoc" "textile"] [] [];
    Notebook HASH ["ipynb"] [] [];
    Abap ABAP ["abap"] [] [];
    ActionScript C_LIKE ["as"] [] [];
    Agda HASKELL ["agda"] [] [];
    Antlr ANTLR ["g4" "g3"] [] [];
    Apex C_LIKE_ANY_CASE ["apex" "trigger"] [] [];
    Apl APL ["apl" "aplf" "apln" "dyalog"] [] [];
    AppleScript APPLE_SCRIPT ["applescript" "scpt"] [] ["osascript"];
    Astro MARKUP ["astro"] [] [];
    AutoHotkey AUTO_HOTKEY ["ahk" "ahk2"] [] [];
    AutoIt AUTO_IT ["au3"] [] [];
    Awk AWK ["awk" "gawk"] [] ["awk" "gawk" "mawk" "nawk"];
    Bicep BICEP ["bicep" "bicepparam"] [] [];
    Bison C_LIKE ["y" "yy" "ypp" "yxx" "l" "lex"] [] [];
    Brainfuck WORDS_ALONE ["bf" "brainfuck"] [] [];
    Cfml CFML ["cfm" "cfc" "cfml" "cfs"] [] [];
    Cobol COBOL ["cob" "cbl" "cobol" "cpy"] [] [];
    CoffeeScript COFFEE ["coffee" "cson" "litcoffee"] ["Cakefile"] ["coffee"];
    Coq ML ["coq"] [] [];
    Crystal RUBY_LIKE ["cr"] [] ["crystal"];
    Cypher QUERY ["cypher" "cyp"] [] [];
    D D ["d" "di"] [] ["rdmd" "dmd"];
    Dhall HASKELL ["dhall"] [] [];
    Dot DOT ["dot" "gv"] [] [];
    Ebnf EBNF ["ebnf" "bnf" "abnf"] [] [];
    Eiffel ADA ["e"] [] [];
    Elm HASKELL ["elm"] [] [];
    Factor FACTOR ["factor"] [] [];
    GCode G_CODE ["gcode" "ngc"] [] [];
    GdScript PYTHON_LIKE ["gd"] [] [];
    Gherkin GHERKIN ["feature"] [] [];
    Gleam SLASHES ["gleam"] [] [];
    Glsl C_LIKE ["glsl" "vert" "frag" "geom" "comp" "tesc" "tese" "glslv" "glslf"] [] [];
    Gml C_LIKE ["gml"] [] [];
    Haml HAML ["haml"] [] [];
    Haxe C_LIKE ["hx" "hxml"] [] [];
    Hlsl C_LIKE ["hlsl" "hlsli" "fx" "fxh" "cginc" "shader"] [] [];
    Icon HASH ["icn"] [] [];
    Idris HASKELL ["idr" "lidr"] [] [];
    Inform INFORM ["ni" "i7x" "inform7"] [] [];
    Io HASH_AND_SLASHES ["io"] [] ["io"];
    J J ["ijs"] [] ["jconsole"];
    Jolie C_LIKE ["ol" "iol"] [] [];
    Jq HASH ["jq"] [] ["jq"];
    Kusto QUERY ["kql" "csl" "kusto"] [] [];
    Lean LEAN ["lean"] [] [];
    LilyPond LILY_POND ["ly" "ily"] [] [];
    LinkerScript LINKER ["ld" "lds"] [] [];
    LiveScript COFFEE ["ls"] ["Slakefile"] ["lsc"];
    Llvm SEMICOLON ["ll"] [] [];
    LolCode LOLCODE ["lol" "lols"] [] [];
    M4 M4 ["m4" "ac"] ["configure.ac"] [];
    Mel C_LIKE ["mel"] [] [];
    Mermaid MERMAID ["mmd" "mermaid"] [] [];
    Mizar MIZAR ["miz"] [] [];
    Monkey MONKEY ["monkey" "monkey2"] [] [];
    Nginx HASH ["nginx" "nginxconf"] ["nginx.conf"] [];
    Nsis NSIS ["nsi" "nsh"] [] [];
    Odin C_LIKE ["odin"] [] [];
    OpenQasm C_LIKE ["qasm"] [] [];
    Oz PROLOG ["oz"] [] [];
    PariGp PARI ["gp"] [] [];
    PlantUml PLANT_UML ["puml" "plantuml" "iuml"] [] [];
    PowerQuery C_LIKE ["pq" "pqm"] [] [];
    Prolog PROLOG ["pro" "prolog" "plt"] [] ["swipl" "prolog"];
    PromQl HASH ["promql"] [] [];
    Pug PUG ["pug" "jade"] [] [];
    Puppet HASH_AND_BLOCKS ["puppet" "epp"] [] ["puppet"];
    Pure C_LIKE ["pure"] [] [];
    PureScript PURE_SCRIPT ["purs"] [] [];
    Q Q ["q"] [] [];
    Qore HASH_AND_BLOCKS ["qore" "qm" "qtest"] [] ["qore"];
    QSharp SLASHES ["qs"] [] [];
    Razor RAZOR ["cshtml" "razor" "vbhtml"] [] [];
    Reason C_LIKE ["re" "rei"] [] [];
    Rego HASH ["rego"] [] [];
    RenPy PYTHON_LIKE ["rpy"] [] [];
    ReScript C_LIKE ["res" "resi"] [] [];
    Rip HASH ["rip"] [] [];
    Robot ROBOT ["robot" "resource"] [] ["robot"];
    Sas SAS ["sas"] [] [];
    Smali HASH ["smali"] [] [];
    Smalltalk SMALLTALK ["st"] [] [];
    Soy C_LIKE ["soy"] [] [];
    Sparql SPARQL ["rq" "sparql"] [] [];
    Stata STATA ["do" "ado" "mata"] [] [];
    Stylus STYLE ["styl" "stylus"] [] [];
    Thrift HASH_AND_SLASHES ["thrift"] [] [];
    TypoScript HASH_AND_SLASHES ["typoscript" "tsconfig"] [] [];
    UnrealScript C_LIKE_ANY_CASE ["uc"] [] [];
    Vala C_LIKE_LONG ["vala" "vapi"] [] [];
    Velocity VELOCITY ["vm" "vtl"] [] [];
    WebAssembly WEB_ASSEMBLY ["wat" "wast"] [] [];
    Wgsl C_LIKE ["wgsl"] [] [];
    Wolfram EBNF ["wl" "wls"] [] [];
    XQuery X_QUERY ["xq" "xql" "xqm" "xqy" "xquery" "xy"] [] [];
    Zeek HASH ["zeek" "bro"] [] [];
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

/// Whether the language describes pages and settings rather than what a program does: there the same words stand side by
/// side without one being a copy of the other.
pub fn is_markup(language: Language) -> bool {
    use Language::{Astro, Haml, Html, Pug, Razor, Soy, Velocity, Yaml};
    matches!(language, Html | Yaml | Astro | Haml | Pug | Razor | Soy | Velocity)
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

    /// The tokenizer looks keywords up by their first letter.
    #[test]
    fn keywords_stand_in_the_order_of_their_first_letters() {
        let rules = [
            rules::C_LIKE,
            rules::ANTLR,
            rules::D,
            rules::PYTHON_LIKE,
            rules::COFFEE,
            rules::RUBY_LIKE,
            rules::AWK,
            rules::PERL,
            rules::SHELL,
            rules::GHERKIN,
            rules::SQL,
            rules::HASKELL,
            rules::LUA,
            rules::MODULA,
            rules::ML,
            rules::BASIC,
            rules::BATCH,
            rules::FORTRAN,
            rules::COBOL,
            rules::ABAP,
            rules::SAS,
            rules::PERCENT,
            rules::VIM,
            rules::VERILOG,
        ];
        for words in rules.map(|rules| rules.keywords) {
            assert!(words.is_sorted_by_key(|word| word.as_bytes()[0]), "{words:?}");
        }
    }
}
