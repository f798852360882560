//! How languages write comments, strings and keywords: one rule for each group of languages that do it alike.

use crate::generic::Generic;

/// Words as a list of strings; [`Generic::keywords`] wants them in the order of their first letters.
macro_rules! words {
    ($($word:tt)*) => { &[$(stringify!($word)),*] };
}

const NONE: Generic = Generic {
    line_comments: &[],
    first_on_line: &[],
    first_column: &[],
    block_comments: &[],
    nested_comments: &[],
    quotes: b"\"'",
    long_strings: &[],
    ignore_case: false,
    keywords: &[],
    imports: &[],
};

/// Comments, strings and common keywords of the languages with `//` and `/* */`.
pub(crate) const C_LIKE: Generic = Generic {
    line_comments: &["//"],
    block_comments: &[("/*", "*/")],
    quotes: b"\"'`",
    keywords: words![
        abstract as assert async await break case catch class const continue def default do else enum export
        extends extern false final finally fn for function if implements import in interface is let match mixin
        new nil null override private protected public return static struct super switch this throw true try type
        var void while with yield
    ],
    imports: &["import", "include", "using"],
    ..NONE
};
pub(super) const C_LIKE_LONG: Generic = Generic { long_strings: TRIPLE, ..C_LIKE };
pub(super) const DART: Generic =
    Generic { block_comments: &[], nested_comments: &[("/*", "*/")], ..C_LIKE_LONG };
pub(super) const C_LIKE_ANY_CASE: Generic = Generic { ignore_case: true, ..C_LIKE };
pub(super) const BICEP: Generic = Generic { long_strings: &[("'''", "'''")], ..C_LIKE };
pub(super) const VERILOG: Generic = Generic {
    quotes: b"\"",
    keywords: words![
        always assign begin case default else end endcase endfunction endmodule endtask for function if initial
        inout input integer localparam logic module negedge output parameter posedge reg task wire
    ],
    ..C_LIKE
};
pub(super) const D: Generic = Generic {
    nested_comments: &[("/+", "+/")],
    keywords: words![
        abstract alias auto break case cast catch class const continue default delegate do else enum export extern
        false final finally for foreach function if immutable import in interface is lazy mixin module new null out
        override private protected public pure ref return scope shared static struct super switch template this throw
        true try typeof union unittest version void while with
    ],
    ..C_LIKE
};
pub(super) const ANTLR: Generic = Generic {
    keywords: words![
        catch channel channels finally fragment grammar import lexer locals mode more options parser popMode pushMode
        returns skip throws tokens type
    ],
    ..C_LIKE
};
pub(super) const CFML: Generic =
    Generic { block_comments: &[("/*", "*/"), ("<!---", "--->")], ignore_case: true, ..C_LIKE };
pub(super) const SLASHES: Generic = Generic { block_comments: &[], ..C_LIKE };
pub(super) const DOT: Generic = Generic {
    line_comments: &["//"],
    first_on_line: &["#"],
    keywords: words![digraph edge graph node strict subgraph],
    ..C_LIKE
};
pub(super) const LINKER: Generic = Generic { line_comments: &[], ..C_LIKE };
/// Both `#` and `//`.
pub(super) const HASH_AND_SLASHES: Generic = Generic { line_comments: &["#", "//"], ..C_LIKE };
pub(super) const HASH_AND_BLOCKS: Generic = Generic { line_comments: &["#"], ..C_LIKE };
pub(super) const NIX: Generic = Generic { long_strings: &[("''", "''")], quotes: b"\"", ..HASH_AND_BLOCKS };
pub(super) const NSIS: Generic = Generic { line_comments: &["#", ";"], ignore_case: true, ..C_LIKE };

const TRIPLE: &[(&str, &str)] = &[("\"\"\"", "\"\"\""), ("'''", "'''")];

/// C's keywords with `#` for comments.
pub(in crate::languages) const HASH: Generic =
    Generic { line_comments: &["#"], block_comments: &[], ..C_LIKE };
pub(super) const HASH_LONG: Generic = Generic { long_strings: TRIPLE, ..HASH };
/// GDScript and the script of Ren'Py: words much like Python's.
pub(super) const PYTHON_LIKE: Generic = Generic {
    keywords: words![
        and as assert await break class class_name const continue def default define elif else enum except export
        extends false for from func if image import in init is jump label match menu none not null onready or
        pass raise return scene screen self show signal static super tool true try var void while with yield
    ],
    ..HASH_LONG
};
pub(super) const COFFEE: Generic = Generic {
    block_comments: &[("###", "###")],
    long_strings: TRIPLE,
    keywords: words![
        and break by catch class continue delete do else extends false finally for if in instanceof is isnt loop
        new no not null of off on or return super switch then this throw true try typeof undefined unless until
        when while yes yield
    ],
    imports: &["import", "require"],
    ..HASH
};
pub(super) const RUBY_LIKE: Generic = Generic {
    quotes: b"\"'`",
    keywords: words![
        abstract and begin break case class def defmodule do else elsif end ensure false fn fun if in include
        lib loop macro module next nil not or private property raise require rescue return self struct super then
        true unless until when while yield
    ],
    imports: &["import", "include", "require", "using"],
    long_strings: TRIPLE,
    ..HASH
};
pub(super) const AWK: Generic = Generic {
    quotes: b"\"",
    keywords: words![
        BEGIN END break case continue default delete do else exit for func function getline if in next nextfile
        print printf return switch while
    ],
    ..HASH
};
pub(super) const PERL: Generic = Generic {
    block_comments: &[
        ("\n=pod", "\n=cut"),
        ("\n=head1", "\n=cut"),
        ("\n=head2", "\n=cut"),
        ("\n=head3", "\n=cut"),
        ("\n=over", "\n=cut"),
        ("\n=item", "\n=cut"),
        ("\n=begin", "\n=cut"),
        ("\n=for", "\n=cut"),
        ("\n=encoding", "\n=cut"),
    ],
    keywords: words![
        and die do else elsif eq exists for foreach if last local my ne next no not or our package print push
        redo return shift sub undef unless until use while
    ],
    imports: &["no", "require", "use"],
    ..HASH
};
pub(super) const POWERSHELL: Generic =
    Generic { block_comments: &[("<#", "#>")], quotes: b"\"'", ignore_case: true, ..HASH };
pub(super) const JULIA: Generic = Generic { nested_comments: &[("#=", "=#")], quotes: b"\"", ..RUBY_LIKE };
pub(super) const NIM: Generic = Generic { nested_comments: &[("#[", "]#"), ("##[", "]##")], ..HASH_LONG };
pub(super) const CMAKE: Generic = Generic {
    block_comments: &[("#[[", "]]")],
    quotes: b"\"",
    ignore_case: true,
    imports: &["include"],
    ..SHELL
};
pub(super) const ROBOT: Generic = Generic { quotes: b"", keywords: &[], ..HASH };
pub(super) const SHELL: Generic = Generic {
    keywords: words![
        case do done elif else esac export fi for function if in local return set shift then until while
    ],
    quotes: b"\"'",
    imports: &["source"],
    ..HASH
};
/// What R loads, it loads by calls.
pub(super) const R: Generic = Generic { imports: &["library", "require", "source"], ..HASH };
/// Scenarios in plain words: `#` counts only at the start of a line.
pub(super) const GHERKIN: Generic = Generic {
    first_on_line: &["#"],
    quotes: b"\"",
    long_strings: &[("\"\"\"", "\"\"\""), ("```", "```")],
    keywords: words![And Background But Examples Feature Given Rule Scenario Then When],
    ..NONE
};
pub(super) const RAZOR: Generic = Generic {
    block_comments: &[("@*", "*@"), ("<!--", "-->")],
    line_comments: &["//"],
    quotes: b"\"",
    ..C_LIKE
};

pub(super) const MARKUP: Generic = Generic { block_comments: &[("<!--", "-->")], ignore_case: true, ..NONE };
pub(super) const PUG: Generic = Generic { first_on_line: &["//"], ..NONE };
pub(super) const HAML: Generic = Generic { first_on_line: &["-#", "/"], ..NONE };
pub(super) const VELOCITY: Generic =
    Generic { line_comments: &["##"], block_comments: &[("#*", "*#")], ..NONE };
pub(super) const STYLE: Generic = Generic { line_comments: &["//"], block_comments: &[("/*", "*/")], ..NONE };
pub(super) const DATA: Generic = Generic { line_comments: &["#", ";"], ..NONE };
pub(super) const ASSEMBLY: Generic = Generic {
    line_comments: &[";", "//"],
    first_on_line: &["#", "@", "*"],
    block_comments: &[("/*", "*/")],
    ignore_case: true,
    ..NONE
};
/// `dnl` starts a comment, and quotes are not quotes.
pub(super) const M4: Generic = Generic { line_comments: &["dnl", "#"], quotes: b"", ..NONE };
pub(super) const SEMICOLON: Generic = Generic { line_comments: &[";"], quotes: b"\"", ..NONE };
pub(super) const WEB_ASSEMBLY: Generic =
    Generic { line_comments: &[";;"], nested_comments: &[("(;", ";)")], quotes: b"\"", ..NONE };
pub(super) const AUTO_HOTKEY: Generic =
    Generic { line_comments: &[";"], block_comments: &[("/*", "*/")], ignore_case: true, ..C_LIKE };
pub(super) const AUTO_IT: Generic =
    Generic { block_comments: &[("#cs", "#ce"), ("#comments-start", "#comments-end")], ..AUTO_HOTKEY };
pub(super) const LISP: Generic = Generic { nested_comments: &[("#|", "|#")], ..SEMICOLON };
pub(super) const G_CODE: Generic =
    Generic { block_comments: &[("(", ")")], quotes: b"", ignore_case: true, ..SEMICOLON };

pub(super) const SQL: Generic = Generic {
    line_comments: &["--"],
    block_comments: &[("/*", "*/")],
    quotes: b"\"'`",
    ignore_case: true,
    keywords: words![
        alter and as begin between by case create declare delete distinct drop else end exists from function
        group having if in index inner insert into is join key left like limit not null on or order primary
        procedure references return right select set table then union update values view when where with
    ],
    ..NONE
};
/// Queries that are written like SQL, with `//` for comments.
pub(super) const QUERY: Generic = Generic { line_comments: &["//"], ..SQL };
/// Queries with `#` for comments.
pub(super) const SPARQL: Generic = Generic { line_comments: &["#"], block_comments: &[], ..SQL };
pub(super) const X_QUERY: Generic = Generic {
    line_comments: &[],
    block_comments: &[],
    nested_comments: &[("(:", ":)")],
    ignore_case: false,
    ..SQL
};

/// `--` and `{- -}`; an apostrophe may be part of a name.
pub(super) const HASKELL: Generic = Generic {
    line_comments: &["--"],
    nested_comments: &[("{-", "-}")],
    quotes: b"\"",
    keywords: words![
        as case class data deriving do else forall if import in infix instance let module newtype of open record
        then type where with
    ],
    imports: &["import", "open"],
    ..NONE
};
pub(super) const PURE_SCRIPT: Generic =
    Generic { block_comments: &[("{-", "-}")], nested_comments: &[], ..HASKELL };
pub(super) const LEAN: Generic = Generic { nested_comments: &[("/-", "-/")], ..HASKELL };
pub(super) const LUA: Generic = Generic {
    line_comments: &["--"],
    block_comments: &[("--[[", "]]"), ("--[=[", "]=]"), ("--[==[", "]==]")],
    long_strings: &[("[[", "]]"), ("[=[", "]=]"), ("[==[", "]==]")],
    keywords: words![
        and break do else elseif end false for function goto if in local nil not or repeat return then true until
        while
    ],
    imports: &["require"],
    ..NONE
};
pub(super) const APPLE_SCRIPT: Generic = Generic {
    line_comments: &["--", "#"],
    block_comments: &[],
    nested_comments: &[("(*", "*)")],
    quotes: b"\"",
    ..MODULA
};
pub(super) const ADA: Generic =
    Generic { line_comments: &["--"], block_comments: &[], quotes: b"\"", ..MODULA };
pub(super) const MODULA: Generic = Generic {
    line_comments: &["//"],
    block_comments: &[("(*", "*)"), ("{", "}")],
    ignore_case: true,
    keywords: words![
        and array begin case class const do else end entity for function if in is loop not of or package port
        procedure process record repeat return signal then type until uses var when while with
    ],
    ..NONE
};
/// OCaml and its relatives: records stand in braces, an apostrophe may be part of a name.
pub(super) const ML: Generic = Generic {
    nested_comments: &[("(*", "*)")],
    quotes: b"\"",
    keywords: words![
        and as begin do done else end exception external for fun function if in include let match method module
        mutable new object of open rec sig struct then try type val virtual when while with
    ],
    ..NONE
};
pub(super) const F_SHARP: Generic = Generic { line_comments: &["//"], long_strings: TRIPLE, ..ML };
pub(super) const EBNF: Generic = Generic { block_comments: &[("(*", "*)"), ("/*", "*/")], ..NONE };

pub(super) const BASIC: Generic = Generic {
    line_comments: &["'"],
    first_on_line: &["REM"],
    quotes: b"\"",
    ignore_case: true,
    keywords: words![
        and as byref byval call case class const dim do each else elseif end exit false for function get if in is
        let loop me mod module new next not nothing on option or private property public redim resume return
        select set static step sub then to true type until wend while with
    ],
    ..NONE
};
pub(super) const MONKEY: Generic = Generic { block_comments: &[("#Rem", "#End")], ..BASIC };
pub(super) const BATCH: Generic = Generic {
    first_on_line: &["REM", "@REM", "::"],
    quotes: b"\"",
    ignore_case: true,
    keywords: words![call defined do echo else errorlevel exist exit for goto if in not set shift],
    ..NONE
};
/// A `C` or `*` in the first column is a comment of the fixed form.
pub(super) const FORTRAN: Generic = Generic {
    line_comments: &["!"],
    first_column: &["*", "C ", "c "],
    ignore_case: false,
    keywords: words![
        CALL CONTINUE DIMENSION DO ELSE END ENDIF FUNCTION GOTO IF INTEGER RETURN SUBROUTINE THEN WRITE allocate
        call case contains cycle deallocate dimension do else elseif end enddo endif exit function goto if
        implicit in inout integer intent interface module none out parameter print procedure program public
        real return select stop subroutine then type use where while write
    ],
    ..NONE
};
pub(super) const COBOL: Generic = Generic {
    line_comments: &["*>"],
    first_on_line: &["*"],
    ignore_case: true,
    keywords: words![
        accept add call close compute copy data display division divide else evaluate exit file from go if
        into is line move multiply not of open perform pic picture procedure program read section set stop string
        subtract then times to until using value varying when write
    ],
    ..NONE
};
pub(super) const ABAP: Generic = Generic {
    line_comments: &["\""],
    first_column: &["*"],
    quotes: b"'`",
    ignore_case: true,
    keywords: words![
        and append assigning at call case class data define do else elseif endcase endclass endform endif endloop
        endmethod endtry export field form from if import in into is loop method not or perform read report
        select table then to try type value when where while
    ],
    ..NONE
};
pub(super) const SAS: Generic = Generic {
    first_on_line: &["*", "%*"],
    block_comments: &[("/*", "*/")],
    ignore_case: true,
    keywords: words![
        and array by class data do drop else end format from if in input keep label let macro mend merge not or
        output proc put quit rename retain run set sql table then to until var where while
    ],
    ..NONE
};
pub(super) const STATA: Generic = Generic { line_comments: &["//"], first_on_line: &["*"], ..SAS };

pub(super) const PERCENT: Generic = Generic {
    line_comments: &["%"],
    keywords: words![
        after begin break case catch do else elseif end fun function global if of otherwise receive return switch
        try when while
    ],
    ..NONE
};
pub(super) const MATLAB: Generic = Generic { block_comments: &[("\n%{", "\n%}")], ..PERCENT };
pub(super) const PROLOG: Generic = Generic { line_comments: &["%"], block_comments: &[("/*", "*/")], ..NONE };
pub(super) const LILY_POND: Generic =
    Generic { line_comments: &["%"], block_comments: &[("%{", "%}")], quotes: b"\"", ..NONE };
pub(super) const MERMAID: Generic = Generic { line_comments: &["%%"], quotes: b"\"", ..NONE };
pub(super) const PLANT_UML: Generic =
    Generic { first_on_line: &["'"], block_comments: &[("/'", "'/")], quotes: b"\"", ..NONE };
pub(super) const VIM: Generic = Generic {
    first_on_line: &["\""],
    keywords: words![
        call catch echo else elseif endfor endfunction endif endtry endwhile execute finally for function if let
        return set try while
    ],
    ..NONE
};
pub(super) const APL: Generic = Generic { line_comments: &["⍝"], ..NONE };
pub(super) const J: Generic = Generic { line_comments: &["NB."], quotes: b"'", ..NONE };
pub(super) const Q: Generic = Generic { first_on_line: &["/"], quotes: b"\"", ..NONE };
pub(super) const FACTOR: Generic = Generic { line_comments: &["!"], quotes: b"\"", ..NONE };
pub(super) const INFORM: Generic = Generic { block_comments: &[("[", "]")], quotes: b"\"", ..NONE };
pub(super) const LOLCODE: Generic =
    Generic { line_comments: &["BTW"], block_comments: &[("OBTW", "TLDR")], quotes: b"\"", ..NONE };
pub(super) const MIZAR: Generic = Generic { line_comments: &["::"], ..NONE };
pub(super) const PARI: Generic =
    Generic { line_comments: &["\\\\"], block_comments: &[("/*", "*/")], quotes: b"\"", ..NONE };
pub(super) const SMALLTALK: Generic = Generic { block_comments: &[("\"", "\"")], quotes: b"'", ..NONE };
pub(super) const WORDS_ALONE: Generic = Generic { quotes: b"", ..NONE };
