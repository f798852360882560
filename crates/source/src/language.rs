//! The languages, by name.

/// A language that Familiar tells apart. What it knows about each stands in `familiar_syntax::languages`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Language {
    Python,
    Java,
    C,
    Cpp,
    CSharp,
    JavaScript,
    TypeScript,
    Go,
    Rust,
    Ruby,
    Php,
    Kotlin,
    Scala,
    Swift,
    Dart,
    Shell,
    PowerShell,
    Batch,
    Sql,
    Css,
    Html,
    Vue,
    Svelte,
    Xml,
    Json,
    Yaml,
    Toml,
    Ini,
    Make,
    CMake,
    Dockerfile,
    Groovy,
    Lua,
    Perl,
    R,
    Julia,
    Haskell,
    OCaml,
    FSharp,
    Erlang,
    Elixir,
    Clojure,
    Lisp,
    Fortran,
    Pascal,
    Ada,
    Assembly,
    ObjectiveC,
    VisualBasic,
    Matlab,
    Protobuf,
    GraphQl,
    Terraform,
    Nix,
    Zig,
    Nim,
    Verilog,
    Vhdl,
    Solidity,
    Tcl,
    Vim,
    Tex,
    Markdown,
    Notebook,
    /// Code in no language that is known by name.
    Other,
}

/// Languages whose fragments are compared with one another without `--cross-language`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Family(pub u8);

const NAMES: &[(Language, &str)] = &[
    (Language::Python, "python"),
    (Language::Java, "java"),
    (Language::C, "c"),
    (Language::Cpp, "cpp"),
    (Language::CSharp, "csharp"),
    (Language::JavaScript, "javascript"),
    (Language::TypeScript, "typescript"),
    (Language::Go, "go"),
    (Language::Rust, "rust"),
    (Language::Ruby, "ruby"),
    (Language::Php, "php"),
    (Language::Kotlin, "kotlin"),
    (Language::Scala, "scala"),
    (Language::Swift, "swift"),
    (Language::Dart, "dart"),
    (Language::Shell, "shell"),
    (Language::PowerShell, "powershell"),
    (Language::Batch, "batch"),
    (Language::Sql, "sql"),
    (Language::Css, "css"),
    (Language::Html, "html"),
    (Language::Vue, "vue"),
    (Language::Svelte, "svelte"),
    (Language::Xml, "xml"),
    (Language::Json, "json"),
    (Language::Yaml, "yaml"),
    (Language::Toml, "toml"),
    (Language::Ini, "ini"),
    (Language::Make, "make"),
    (Language::CMake, "cmake"),
    (Language::Dockerfile, "dockerfile"),
    (Language::Groovy, "groovy"),
    (Language::Lua, "lua"),
    (Language::Perl, "perl"),
    (Language::R, "r"),
    (Language::Julia, "julia"),
    (Language::Haskell, "haskell"),
    (Language::OCaml, "ocaml"),
    (Language::FSharp, "fsharp"),
    (Language::Erlang, "erlang"),
    (Language::Elixir, "elixir"),
    (Language::Clojure, "clojure"),
    (Language::Lisp, "lisp"),
    (Language::Fortran, "fortran"),
    (Language::Pascal, "pascal"),
    (Language::Ada, "ada"),
    (Language::Assembly, "assembly"),
    (Language::ObjectiveC, "objectivec"),
    (Language::VisualBasic, "visualbasic"),
    (Language::Matlab, "matlab"),
    (Language::Protobuf, "protobuf"),
    (Language::GraphQl, "graphql"),
    (Language::Terraform, "terraform"),
    (Language::Nix, "nix"),
    (Language::Zig, "zig"),
    (Language::Nim, "nim"),
    (Language::Verilog, "verilog"),
    (Language::Vhdl, "vhdl"),
    (Language::Solidity, "solidity"),
    (Language::Tcl, "tcl"),
    (Language::Vim, "vim"),
    (Language::Tex, "tex"),
    (Language::Markdown, "markdown"),
    (Language::Notebook, "notebook"),
    (Language::Other, "other"),
];

impl Language {
    /// Every language, in the order of its number.
    pub fn all() -> impl Iterator<Item = Self> {
        NAMES.iter().map(|&(language, _)| language)
    }

    /// The lower-case name on the command line and in results.
    pub fn name(self) -> &'static str {
        NAMES[self as usize].1
    }

    pub fn from_name(name: &str) -> Option<Self> {
        NAMES.iter().find(|(_, known)| known.eq_ignore_ascii_case(name)).map(|&(language, _)| language)
    }

    /// C and C++ share headers, JavaScript and TypeScript share modules, notebooks hold Python: each is one family.
    pub fn family(self) -> Family {
        Family(match self {
            Self::Cpp => Self::C,
            Self::TypeScript => Self::JavaScript,
            Self::Notebook => Self::Python,
            other => other,
        } as u8)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stand_in_the_order_of_the_numbers() {
        for (at, language) in Language::all().enumerate() {
            assert_eq!(language as usize, at, "{}", language.name());
            assert_eq!(Language::from_name(language.name()), Some(language));
        }
    }
}
