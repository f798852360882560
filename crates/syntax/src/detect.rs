//! The language of a file: by its name, then its shebang line, then its content.

mod ambiguous;

use std::collections::HashMap;
use std::sync::LazyLock;

use familiar_source::Language;

use crate::languages;

/// How much of a file decides between languages that share an ending.
const PROBE: usize = 8 * 1024;

type Table = HashMap<&'static str, Language>;

static NAMES: LazyLock<Table> = LazyLock::new(|| table(|definition| definition.file_names));
static EXTENSIONS: LazyLock<Table> = LazyLock::new(|| table(|definition| definition.extensions));
static INTERPRETERS: LazyLock<Table> = LazyLock::new(|| table(|definition| definition.interpreters));

/// The first definition that claims a name has it.
fn table(names: impl Fn(&languages::Definition) -> &'static [&'static str]) -> Table {
    let mut table = Table::new();
    for definition in languages::definitions() {
        for name in names(definition) {
            table.entry(name).or_insert(definition.language);
        }
    }
    table
}

/// The language that a file's name alone tells; content may refine it.
pub fn by_name(path: &str) -> Option<Language> {
    let name = path.rsplit('/').next().unwrap_or(path);
    if let Some(&language) = NAMES.get(name) {
        return Some(language);
    }
    EXTENSIONS.get(extension(name).as_str()).copied()
}

/// What follows the last dot, in lower case; empty where there is none.
fn extension(name: &str) -> String {
    name.rsplit_once('.').map_or_else(String::new, |(_, extension)| extension.to_ascii_lowercase())
}

/// The language of a file with this name and content; `None` where neither tells.
pub fn language(path: &str, source: &[u8]) -> Option<Language> {
    let head = &source[..source.len().min(PROBE)];
    match by_name(path) {
        Some(language) => Some(ambiguous::by_content(language, &extension(path), head)),
        None => by_shebang(head)
            .or_else(|| by_opening(head))
            .or_else(|| ambiguous::by_content_alone(&extension(path), head)),
    }
}

/// The language named by the interpreter of the first line.
fn by_shebang(head: &[u8]) -> Option<Language> {
    let line = head.strip_prefix(b"#!")?.split(|&byte| byte == b'\n').next()?;
    let line = std::str::from_utf8(line).ok()?;
    let mut words = line.split_whitespace().map(|word| word.rsplit('/').next().unwrap_or(word));
    let before = |word: &str| word == "env" || word.starts_with('-') || word.contains('=');
    let interpreter = words
        .find(|word| !before(word))?
        .trim_end_matches(|c: char| c.is_ascii_digit() || c == '.')
        .to_ascii_lowercase();
    INTERPRETERS.get(interpreter.as_str()).copied()
}

/// Openings that no other language has.
fn by_opening(head: &[u8]) -> Option<Language> {
    let text = head.trim_ascii_start();
    let starts =
        |opening: &[u8]| text.len() >= opening.len() && text[..opening.len()].eq_ignore_ascii_case(opening);
    if starts(b"<?php") {
        Some(Language::Php)
    } else if starts(b"<?xml") {
        Some(Language::Xml)
    } else if starts(b"<!doctype html") || starts(b"<html") {
        Some(Language::Html)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn name_then_shebang_then_content() {
        let of = |path: &str, source: &str| language(path, source.as_bytes());
        assert_eq!(of("a/b.PY", ""), Some(Language::Python));
        assert_eq!(of("Makefile", ""), Some(Language::Make));
        assert_eq!(of("run", "#!/usr/bin/env -S python3.11 -u\n"), Some(Language::Python));
        assert_eq!(of("run", "#!/bin/sh\n"), Some(Language::Shell));
        assert_eq!(of("x.h", "namespace a {\n}\n"), Some(Language::Cpp));
        assert_eq!(of("x.h", "struct a { int b; };\n"), Some(Language::C));
        assert_eq!(of("x.ts", "<?xml version='1.0'?>"), Some(Language::Xml));
        assert_eq!(of("page", "\n<!DOCTYPE html>"), Some(Language::Html));
        assert_eq!(of("notes", "hello\n"), None);
    }
}
