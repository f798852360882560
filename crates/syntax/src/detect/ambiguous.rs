//! Endings that several languages share: which of them a file is in, as the start of its content tells.

use familiar_source::Language;
use memchr::memmem;

/// The language of a file whose name says `language` and ends with `extension`.
pub(super) fn by_content(language: Language, extension: &str, head: &[u8]) -> Language {
    let has = |needle: &str| memmem::find(head, needle.as_bytes()).is_some();
    match extension {
        "h" if is_objective_c(head) => Language::ObjectiveC,
        "h" if is_cpp_header(head) => Language::Cpp,
        "m" => objective_c_or_not(head),
        // Qt's translations share the ending of TypeScript.
        "ts" if head.trim_ascii_start().starts_with(b"<?xml") || has("<!DOCTYPE TS>") => Language::Xml,
        "t" if !has("use ") && !has("my ") => Language::Other,
        "pl" if is_prolog(head) => Language::Prolog,
        // Projects of Qt's build system.
        "pro" if !is_prolog(head) && (has("SOURCES") || has("TEMPLATE") || has("+=")) => Language::Make,
        "pp" if is_puppet(head) => Language::Puppet,
        "cls" => class(head),
        "cl" if has("__kernel") || has("__global") || has("#include") || has("#define") => Language::C,
        "v" if is_coq(head) => Language::Coq,
        "fs" if has("#version")
            || has("gl_Frag")
            || starts_line(head, &["uniform ", "varying ", "void main("]) =>
        {
            Language::Glsl
        }
        // What compilers write down for make: `a.o: a.c a.h`.
        "d" if is_dependencies(head) => Language::Make,
        "l" if !has("%%") && head.trim_ascii_start().starts_with(b"(") => Language::Lisp,
        "q" if starts_line_in_any_case(head, &["select ", "create ", "insert ", "set ", "drop "]) => {
            Language::Sql
        }
        "ls" if head.trim_ascii_start().starts_with(b"(") => Language::Lisp,
        _ => language,
    }
}

/// The language of a file with an ending that is no language's own.
pub(super) fn by_content_alone(extension: &str, head: &[u8]) -> Option<Language> {
    let c = ["#include ", "#include\t", "#define ", "#ifdef ", "#ifndef ", "#if "];
    (extension == "inc" && starts_line(head, &c)).then_some(Language::Cpp)
}

/// Whether a line starts with one of `words`, blanks aside.
fn starts_line(head: &[u8], words: &[&str]) -> bool {
    lines(head).any(|line| words.iter().any(|word| line.starts_with(word.as_bytes())))
}

fn starts_line_in_any_case(head: &[u8], words: &[&str]) -> bool {
    lines(head).any(|line| words.iter().any(|word| starts_in_any_case(line, word)))
}

fn starts_in_any_case(line: &[u8], word: &str) -> bool {
    line.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word.as_bytes()))
}

fn lines(head: &[u8]) -> impl Iterator<Item = &[u8]> {
    head.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii)
}

fn is_objective_c(head: &[u8]) -> bool {
    starts_line(head, &["@interface ", "@protocol ", "@implementation "])
}

/// What ends with `.m` beside Objective-C: Wolfram, whose files open with a comment or a package, and MATLAB.
fn objective_c_or_not(head: &[u8]) -> Language {
    if is_objective_c(head) || starts_line(head, &["#import ", "#include ", "@end", "@class "]) {
        Language::ObjectiveC
    } else if head.trim_ascii_start().starts_with(b"(*") || memmem::find(head, b"BeginPackage[").is_some() {
        Language::Wolfram
    } else {
        Language::Matlab
    }
}

/// Clauses with `:-`, and nothing that only Perl has.
fn is_prolog(head: &[u8]) -> bool {
    let perl = ["use ", "my ", "package ", "sub ", "require ", "#!", "our ", "$", "print "];
    let clause = |line: &[u8]| {
        line.starts_with(b":-") || line.ends_with(b":-") || memmem::find(line, b") :- ").is_some()
    };
    !starts_line(head, &perl) && lines(head).any(clause)
}

/// Puppet has resources and variables with a dollar sign; Pascal has units, and ends them with a dot.
fn is_puppet(head: &[u8]) -> bool {
    let pascal =
        ["unit ", "program ", "uses ", "begin", "procedure ", "library ", "interface", "{$", "uses\r"];
    let puppet =
        ["class ", "define ", "node ", "include ", "$", "#", "file {", "package {", "service {", "exec {"];
    !starts_line_in_any_case(head, &pascal)
        && (starts_line(head, &puppet) || memmem::find(head, b"=>").is_some())
}

/// `.cls`: a class of LaTeX, of Visual Basic, or of Apex.
fn class(head: &[u8]) -> Language {
    let has = |needle: &str| memmem::find(head, needle.as_bytes()).is_some();
    let basic =
        ["version 1.0 class", "attribute vb_", "option explicit", "end sub", "end function", "end property"];
    if has("\\Provides") || has("\\NeedsTeXFormat") || has("\\LoadClass") || has("\\RequirePackage") {
        Language::Tex
    } else if starts_line_in_any_case(head, &basic) {
        Language::VisualBasic
    } else if head.contains(&b'{') && is_apex(head) {
        Language::Apex
    } else if head.trim_ascii_start().starts_with(b"%") {
        Language::Tex
    } else {
        Language::VisualBasic
    }
}

fn is_apex(head: &[u8]) -> bool {
    let word = |line: &[u8], word: &str| {
        line.to_ascii_lowercase()
            .split(|byte| !byte.is_ascii_alphanumeric())
            .any(|found| found == word.as_bytes())
    };
    lines(head).any(|line| ["class", "interface", "enum"].iter().any(|one| word(line, one)))
}

fn is_coq(head: &[u8]) -> bool {
    let words = [
        "Require ",
        "From ",
        "Theorem ",
        "Lemma ",
        "Proof.",
        "Definition ",
        "Inductive ",
        "Fixpoint ",
        "Section ",
        "Module Import ",
        "Qed.",
    ];
    starts_line(head, &words) && !starts_line(head, &["endmodule", "`timescale", "`include"])
}

fn is_dependencies(head: &[u8]) -> bool {
    let Some(line) = lines(head).find(|line| !line.is_empty()) else { return false };
    let target = line.split(|&byte| byte == b':').next().unwrap_or_default().trim_ascii();
    target.len() < line.len()
        && [".o", ".lo", ".obj", ".d", ".rlib", ".rmeta"].iter().any(|end| target.ends_with(end.as_bytes()))
}

/// Words at the start of a line that only C++ has.
fn is_cpp_header(head: &[u8]) -> bool {
    const STARTS: [&[u8]; 9] = [
        b"class ",
        b"namespace ",
        b"template<",
        b"template <",
        b"public:",
        b"private:",
        b"protected:",
        b"using ",
        b"virtual ",
    ];
    head.split(|&byte| byte == b'\n').any(|line| {
        let line = line.trim_ascii_start();
        STARTS.iter().any(|start| line.starts_with(start)) && !line.ends_with(b"*/")
    }) || memmem::find(head, b"std::").is_some()
}
