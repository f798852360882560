//! Claims of copyright, as people write them, and what only looks like one.

use familiar_license::copyrights;
use proptest::prelude::*;

/// A claim: statement, holder, years (`-` for none of them), first and last line.
type Claim = (&'static str, &'static str, &'static str, (u32, u32));

#[track_caller]
fn check(text: &str, expected: &[Claim]) {
    let found = copyrights(text);
    let found: Vec<_> = found
        .iter()
        .map(|claim| {
            (
                &*claim.statement,
                claim.holder.as_deref().unwrap_or("-"),
                claim.years.as_deref().unwrap_or("-"),
                claim.lines,
            )
        })
        .collect();
    assert_eq!(found, expected, "{text}");
}

#[test]
fn years_come_as_lists_and_ranges() {
    let cases: &[(&str, &str)] = &[
        ("Copyright (c) 1999-2004, 2006 by Holder, Inc. All rights reserved.", "1999-2004, 2006"),
        ("Copyright 2001, 2002 and 2005 Holder, Inc.", "2001, 2002, 2005"),
        ("Copyright (C) 1999 - 2004 Holder, Inc.", "1999-2004"),
        ("Copyright © 2010-present Holder, Inc.", "2010-present"),
        ("Copyright 1997,1999,2001-2003 Holder, Inc.", "1997, 1999, 2001-2003"),
        ("Copyright 2008+ Holder, Inc.", "2008+"),
        ("Copyright March 2001, Holder, Inc.", "2001"),
        ("(C) Copyright Holder, Inc. 2001, 2004", "2001, 2004"),
    ];
    for (text, years) in cases {
        let found = copyrights(text);
        assert_eq!(found.len(), 1, "{text}");
        assert_eq!(
            (found[0].holder.as_deref(), found[0].years.as_deref()),
            (Some("Holder, Inc."), Some(*years)),
            "{text}"
        );
    }
}

#[test]
fn a_statement_is_kept_as_written_without_what_follows_it() {
    check(
        "Copyright (c) 2001 Ann Holder. All rights reserved.",
        &[("Copyright (c) 2001 Ann Holder.", "Ann Holder", "2001", (1, 1))],
    );
    check(
        "Copyright 2001 Ann Holder Licensed under the MIT license",
        &[("Copyright 2001 Ann Holder", "Ann Holder", "2001", (1, 1))],
    );
    check(
        "Copyright 2001 Widgets Inc. This file is part of it",
        &[("Copyright 2001 Widgets Inc.", "Widgets Inc.", "2001", (1, 1))],
    );
    check(
        "Portions copyright (c) 2001 Ann Holder",
        &[("Portions copyright (c) 2001 Ann Holder", "Ann Holder", "2001", (1, 1))],
    );
}

#[test]
fn addresses_and_links_belong_to_the_statement_and_not_to_the_holder() {
    check(
        "Copyright 2001 Ann Holder <ann@example.org>, Ben Other (ben at example dot org)",
        &[(
            "Copyright 2001 Ann Holder <ann@example.org>, Ben Other (ben at example dot org)",
            "Ann Holder, Ben Other",
            "2001",
            (1, 1),
        )],
    );
    check(
        "Copyright (c) 2014 [Ann Holder](https://example.org)",
        &[("Copyright (c) 2014 Ann Holder", "Ann Holder", "2014", (1, 1))],
    );
    check(
        "# Copyright (c) https://example.org/CONTRIBUTORS",
        &[(
            "Copyright (c) https://example.org/CONTRIBUTORS",
            "https://example.org/CONTRIBUTORS",
            "-",
            (1, 1),
        )],
    );
}

#[test]
fn a_statement_goes_on_behind_the_comment_leaders_of_every_language() {
    for leader in
        ["#", "//", " *", ";;", "--", "dnl", ".\\\"", "rem", "REM", "%", "|", "!", "..", "'", "@c", "<!--"]
    {
        let text = format!(
            "{leader} Copyright (c) 1988, 1993\n{leader}\tThe Widgets of the\n{leader} University of Holderia.\n"
        );
        check(
            &text,
            &[(
                "Copyright (c) 1988, 1993 The Widgets of the University of Holderia.",
                "The Widgets of the University of Holderia",
                "1988, 1993",
                (1, 3),
            )],
        );
    }
    check(
        "static char it[] = \"@(#) Copyright (c) 1993\\n\\\n\tHolder Foundation.  All rights reserved.\\n\";",
        &[("Copyright (c) 1993 Holder Foundation.", "Holder Foundation", "1993", (1, 2))],
    );
    check(
        "/* Copyright 1999, 2001,\n * 2003 Holder Foundation,\n * Inc., 51 Main Street */\nint code;",
        &[(
            "Copyright 1999, 2001, 2003 Holder Foundation, Inc.",
            "Holder Foundation, Inc.",
            "1999, 2001, 2003",
            (1, 3),
        )],
    );
}

#[test]
fn a_statement_ends_with_its_comment_or_string() {
    check(
        "/* Copyright 2001 Ann Holder */ int Code;",
        &[("Copyright 2001 Ann Holder", "Ann Holder", "2001", (1, 1))],
    );
    check(
        "print(\"Copyright 2001 Ann Holder\", Other);",
        &[("Copyright 2001 Ann Holder", "Ann Holder", "2001", (1, 1))],
    );
    check("copyright = u'2001, Ann Holder'", &[("copyright 2001, Ann Holder", "Ann Holder", "2001", (1, 1))]);
    check(
        "# Copyright 2001 Ann Holder\n#\n# Ben Other",
        &[("Copyright 2001 Ann Holder", "Ann Holder", "2001", (1, 1))],
    );
}

#[test]
fn markup_and_escapes_are_read() {
    let claim = [("© 2001 Ann Holder", "Ann Holder", "2001", (1, 1))];
    check("<p>© 2001 <b>Ann Holder</b></p> Rest", &claim);
    check(
        "Copyright &copy; 2001 Ann &amp; Ben Holder &lt;ann@example.org&gt;<br>Rest",
        &[("Copyright &copy; 2001 Ann & Ben Holder <ann@example.org>", "Ann & Ben Holder", "2001", (1, 1))],
    );
    check(
        "Copyright \\(co 2001 Ann Holder",
        &[("Copyright \\(co 2001 Ann Holder", "Ann Holder", "2001", (1, 1))],
    );
    check(".TH X\n.Co 2001 Ann Holder", &[(".Co 2001 Ann Holder", "Ann Holder", "2001", (2, 2))]);
}

#[test]
fn holders_on_lines_of_their_own_are_claims_of_their_own() {
    check(
        "# Copyright (C) 2014  Ann Holder\n#               2016  Ben Other\n# This is code",
        &[
            ("Copyright (C) 2014 Ann Holder", "Ann Holder", "2014", (1, 1)),
            ("Copyright (C) 2016 Ben Other", "Ben Other", "2016", (2, 2)),
        ],
    );
    check(
        "Copyright 2015-2021 Ann Holder, 2018 Widget Core Team",
        &[
            ("Copyright 2015-2021 Ann Holder", "Ann Holder", "2015-2021", (1, 1)),
            ("Copyright 2018 Widget Core Team", "Widget Core Team", "2018", (1, 1)),
        ],
    );
}

#[test]
fn fields_of_debian_copyright_go_on_with_indented_names() {
    check(
        "Files: *\nCopyright:\n 2001 Ann Holder <ann@example.org>\n Ben Other\nLicense: MIT\n Text",
        &[
            ("Copyright: 2001 Ann Holder <ann@example.org>", "Ann Holder", "2001", (2, 3)),
            ("Copyright: Ben Other", "Ben Other", "-", (4, 4)),
        ],
    );
    check(
        "Copyright: Copyright 2001 Ann Holder\n           Ben Other <ben@example.org>\n           Based on other code\n",
        &[
            ("Copyright 2001 Ann Holder", "Ann Holder", "2001", (1, 1)),
            ("Copyright Ben Other <ben@example.org>", "Ben Other", "-", (2, 2)),
        ],
    );
    check(
        "# Copyright: 2017, Widget Project\n# Simplified license",
        &[("Copyright: 2017, Widget Project", "Widget Project", "2017", (1, 1))],
    );
}

#[test]
fn tags_of_reuse_are_statements() {
    check(
        "// SPDX-FileCopyrightText: 2019 Ann Holder <ann@example.org>\n// SPDX-FileCopyrightText: © Widget e.V.",
        &[
            ("SPDX-FileCopyrightText: 2019 Ann Holder <ann@example.org>", "Ann Holder", "2019", (1, 1)),
            ("SPDX-FileCopyrightText: © Widget e.V.", "Widget e.V.", "-", (2, 2)),
        ],
    );
}

#[test]
fn groups_are_holders_and_so_are_names_without_years() {
    for (text, holder) in [
        ("Copyright 2001 The Widget Authors.", "The Widget Authors"),
        ("Copyright (c) the widget authors", "the widget authors"),
        ("Copyright (c) 2001 Widget and contributors", "Widget and contributors"),
        (
            "Copyright (c) 2001, Widget Inc. and/or its affiliates. All rights reserved.",
            "Widget Inc. and/or its affiliates",
        ),
        ("Copyright 2015-present 650 Widgets. All rights reserved.", "650 Widgets"),
        ("Copyright Ann-Ben Holder <ann@example.org>", "Ann-Ben Holder"),
        (" * (c) Ann Holder <ann@example.org>", "Ann Holder"),
        (" * (c) 1990-1998 by Ann Holder", "Ann Holder"),
        ("In this case the copyright is held by Ann\nHolder:", "Ann Holder"),
    ] {
        let found = copyrights(text);
        assert_eq!(
            found.iter().map(|claim| claim.holder.as_deref()).collect::<Vec<_>>(),
            [Some(holder)],
            "{text}"
        );
    }
}

#[test]
fn wording_of_licenses_templates_and_code_claim_nothing() {
    for text in [
        "1. Redistributions must retain the above copyright notice",
        "IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE",
        "provided by the copyright holders and contributors \"as is\"",
        "as provided by copyright law. Copyright Law of 1976",
        "Copyright Notice\n\nCOPYRIGHT AND LICENSE\nCopyright Holders",
        "software which is copyrighted by the Widget Foundation",
        " * software that is\n * copyrighted by the Widget Foundation",
        "Copyright (C) <year>  <name of author>",
        "Copyright [yyyy] [name of copyright owner]",
        "Copyright (c) 19yy  <name of author>",
        "Copyright {{ year }} {{ organization }}",
        "Copyright (C) YEAR Ann Holder",
        "Copyright: None",
        "let copyright = copyright(1999, Name);",
        "show_copyright(c); int y = (c) 2001; f(c) Name; (a) One (b) Two (c) Three",
        "copyrightHolder: Name, copyright_year: 2001",
        "(c) Name the files that you changed",
        "class Copyright(Expression, Named):\n    pass",
        "Copyright(Expression, Named)\nreturn Copyrights(Expression, Named)",
        "x = Copyright(Expression)\ny = Copyright(\"Ann Holder\", 2001)\nCopyright()",
        "print(Copyright(self.holder, Other.name))",
        "SPDX_C = \"SPDX-FileCopyrightText: \", Prefix.SPDX_C",
        "\u{a9}\u{a9}\u{a9} & symbols",
    ] {
        check(text, &[]);
    }
}

/// Pieces that mean something to the reader of statements.
fn pieces() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "Copyright",
        "copyright",
        "COPYRIGHT",
        "copyrighted",
        "(c)",
        "(C)",
        "©",
        "&copy;",
        "\\(co",
        "SPDX-FileCopyrightText:",
        ".Co ",
        "1999",
        "2001-2004,",
        "2010-",
        "present",
        "-",
        "and",
        "by",
        "is held by",
        "Ann",
        "Holder,",
        "Inc.",
        "the",
        "authors",
        "ß",
        "<ann@example.org>",
        "<",
        "&lt;",
        "&gt;",
        ">",
        "(",
        ")",
        "[",
        "](",
        "{",
        "https://example.org",
        "All rights reserved.",
        "\n",
        "\r\n",
        " ",
        "\t",
        "# ",
        " * ",
        "*/",
        "//",
        "dnl ",
        "\\n\\",
        "\"",
        "'",
        ":",
        ",",
        "\u{a0}",
        "\u{2028}",
        "é",
    ]);
    prop::collection::vec((piece, prop::bool::ANY), 0..60).prop_map(|pieces| {
        pieces
            .into_iter()
            .map(|(piece, gap)| if gap { format!("{piece} ") } else { piece.to_owned() })
            .collect()
    })
}

proptest! {
    #[test]
    fn claims_stand_in_order_in_the_lines_that_they_name(text in pieces()) {
        let lines: Vec<&str> = text.split('\n').collect();
        let mut last = 1;
        for claim in copyrights(&text) {
            prop_assert!(last <= claim.lines.0 && claim.lines.0 <= claim.lines.1 && claim.lines.1 as usize <= lines.len());
            last = claim.lines.0;
            let stretch = lines[claim.lines.0 as usize - 1..claim.lines.1 as usize].join("\n");
            let years = claim.years.iter().flat_map(|years| years.split(['-', ',', ' ', '+', '–'])).filter(|year| !year.is_empty());
            let names = claim.holder.iter().flat_map(|holder| holder.split_whitespace()).map(|word| word.trim_matches(','));
            for word in years.chain(names) {
                prop_assert!(stretch.contains(word), "{:?} is not within {stretch:?}", word);
            }
        }
    }

    #[test]
    fn any_text_is_read(text in "\\PC*") {
        copyrights(&text);
    }
}

#[test]
fn what_no_name_stands_for_is_left_out_of_both_statement_and_years() {
    check("Copyright (c) 2015 http://-", &[("Copyright (c) 2015 http://-", "http://-", "2015", (1, 1))]);
    check("Copyright(c)\nand 2001-2004", &[]);
}

#[test]
fn a_parenthesis_that_calls_nothing_belongs_to_the_statement() {
    for text in [
        "Copyright(c) 2001 Ann Holder",
        "Copyright(C)2001 Ann Holder",
        "Copyright(\u{a9}) 2001 Ann Holder",
        "Copyright(2001) Ann Holder",
        "Copyright(Ann Holder, 2001)",
        "Copyright(by) Ann Holder 2001",
        "Copyright(Ann Holder) 2001",
        "COPYRIGHT(\"2001 Ann Holder\");",
        "@Copyright(\"2001 Ann Holder\")",
    ] {
        let found = copyrights(text);
        assert_eq!(found.len(), 1, "{text}");
        assert_eq!(
            (found[0].holder.as_deref(), found[0].years.as_deref()),
            (Some("Ann Holder"), Some("2001")),
            "{text}"
        );
    }
}

#[test]
fn work_is_linear_in_hostile_text() {
    for piece in [
        "Copyright ",
        "(c) ",
        "© 2001,",
        "(c) 2001, ",
        "Copyright 2001\n",
        "Copyright (",
        "Copyright <",
        "© A ",
        "Copyright 2001 A & ",
        "Copyright:\n 2001 A\n",
        "copyright [",
        "\u{a9}",
        "\\(co",
        "Copyright \\n\\",
        "© 2001\n#\n",
        "Copyright 2001 A, 2002 B, ",
    ] {
        let text = piece.repeat((1 << 16) / piece.len());
        copyrights(&text);
    }
    for fill in [" ", "#", "\n", "A", "é", "2001,", "9"] {
        copyrights(&format!("Copyright 2001 {}", fill.repeat(1 << 16)));
    }
}
