//! How far the claims of copyright agree with a scan by ScanCode (`scancode --copyright --json-pp SCAN FOLDER`):
//! `copyright_agreement SCAN PARENT`, where PARENT is the folder that the paths of the scan are relative to. Prints every file
//! that differs, then the shares of files with the same holders and with the same number of statements.
#![allow(clippy::print_stdout, reason = "an example prints")]

use std::collections::BTreeSet;
use std::path::Path;

use familiar_license::copyrights;
use serde_json::Value;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let (Some(scan), Some(parent)) = (arguments.next(), arguments.next()) else {
        panic!("usage: copyright_agreement SCAN.json PARENT");
    };
    let scan = std::fs::read(&scan).expect("the scan can be read");
    let scan: Value = serde_json::from_slice(&scan).expect("the scan is JSON");
    let files = scan["files"].as_array().expect("the scan lists files");
    let mut totals = Totals::default();
    for file in files.iter().filter(|file| file["type"] == "file") {
        let path = file["path"].as_str().expect("a file has a path");
        let bytes = std::fs::read(Path::new(&parent).join(path)).expect("the scanned file can be read");
        totals.add(path, &String::from_utf8_lossy(&bytes), file);
    }
    totals.print();
}

#[derive(Default)]
struct Totals {
    files: usize,
    with_statements: usize,
    same_holders: usize,
    same_holders_where_any: usize,
    /// Where ScanCode's one statement for several lines is one claim for each line here.
    same_words: usize,
    same_words_where_any: usize,
    same_count: usize,
    theirs: usize,
    ours: usize,
    shared: usize,
}

impl Totals {
    fn add(&mut self, path: &str, text: &str, scanned: &Value) {
        let found = copyrights(text);
        let ours: BTreeSet<String> =
            found.iter().filter_map(|claim| claim.holder.as_deref()).map(plain).collect();
        let theirs: BTreeSet<String> = values(scanned, "holders", "holder").map(plain).collect();
        let statements: Vec<&str> = values(scanned, "copyrights", "copyright").collect();
        let any = !found.is_empty() || !statements.is_empty();
        self.files += 1;
        self.with_statements += usize::from(any);
        self.same_holders += usize::from(ours == theirs);
        self.same_holders_where_any += usize::from(any && ours == theirs);
        let (our_words, their_words) = (words(&ours), words(&theirs));
        let words = our_words == their_words;
        self.same_words += usize::from(words);
        self.same_words_where_any += usize::from(any && words);
        self.same_count += usize::from(found.len() == statements.len());
        self.theirs += theirs.len();
        self.ours += ours.len();
        self.shared += ours.intersection(&theirs).count();
        if ours == theirs && found.len() == statements.len() {
            return;
        }
        let split = if words && ours != theirs { " (split otherwise)" } else { "" };
        println!("{path}: {} statements, ScanCode {}{split}", found.len(), statements.len());
        for claim in found
            .iter()
            .filter(|claim| claim.holder.as_deref().is_none_or(|holder| !theirs.contains(&plain(holder))))
        {
            println!("    + {:?} {} | {:?} | {:?}", claim.lines, claim.statement, claim.holder, claim.years);
        }
        for holder in values(scanned, "holders", "holder").filter(|holder| !ours.contains(&plain(holder))) {
            println!("    - {holder}");
        }
        if !words {
            let more: Vec<_> = our_words.difference(&their_words).copied().collect();
            let fewer: Vec<_> = their_words.difference(&our_words).copied().collect();
            println!("    words more: {} fewer: {}", more.join(" "), fewer.join(" "));
        }
        if ours == theirs {
            for claim in &found {
                println!("    = {:?} {}", claim.lines, claim.statement);
            }
            for statement in &statements {
                println!("    ≠ {statement}");
            }
        }
    }

    fn print(&self) {
        println!("files {}, of which {} hold a statement for either", self.files, self.with_statements);
        println!(
            "same set of holders: {} ({:.1} %)",
            self.same_holders,
            share(self.same_holders, self.files)
        );
        println!(
            "  of those with a statement: {:.1} %",
            share(self.same_holders_where_any, self.with_statements)
        );
        println!(
            "same words in the holders: {} ({:.1} %)",
            self.same_words,
            share(self.same_words, self.files)
        );
        println!(
            "  of those with a statement: {:.1} %",
            share(self.same_words_where_any, self.with_statements)
        );
        println!(
            "same number of statements: {} ({:.1} %)",
            self.same_count,
            share(self.same_count, self.files)
        );
        println!("holders: {} by both, {} by us, {} by ScanCode", self.shared, self.ours, self.theirs);
    }
}

/// The words that the holders are made of, however these are told apart.
fn words(holders: &BTreeSet<String>) -> BTreeSet<&str> {
    let words = holders.iter().flat_map(|holder| holder.split_whitespace());
    words.map(|word| word.trim_matches(['.', ','])).filter(|word| !word.is_empty()).collect()
}

fn share(part: usize, all: usize) -> f64 {
    100.0 * part as f64 / all as f64
}

fn values<'a>(scanned: &'a Value, list: &str, key: &'a str) -> impl Iterator<Item = &'a str> {
    scanned[list].as_array().into_iter().flatten().filter_map(move |entry| entry[key].as_str())
}

/// Without accents, case, punctuation at the ends and more than one space, as ScanCode drops the first of these.
fn plain(holder: &str) -> String {
    let mut plain = String::new();
    for char in holder.to_lowercase().chars() {
        match char {
            'à'..='å' | 'ā' | 'ă' | 'ą' => plain.push('a'),
            'ç' | 'ć' | 'č' => plain.push('c'),
            'ď' | 'đ' => plain.push('d'),
            'è'..='ë' | 'ē' | 'ę' | 'ě' => plain.push('e'),
            'ğ' => plain.push('g'),
            'ì'..='ï' | 'ī' | 'ı' => plain.push('i'),
            'ł' => plain.push('l'),
            'ñ' | 'ń' | 'ň' => plain.push('n'),
            'ò'..='ö' | 'ø' | 'ő' => plain.push('o'),
            'ř' => plain.push('r'),
            'ś' | 'š' | 'ş' => plain.push('s'),
            'ß' => plain.push_str("ss"),
            'ù'..='ü' | 'ů' | 'ű' => plain.push('u'),
            'ý' | 'ÿ' => plain.push('y'),
            'ź' | 'ż' | 'ž' => plain.push('z'),
            'æ' => plain.push_str("ae"),
            '’' => plain.push('\''),
            _ => plain.push(char),
        }
    }
    let words: Vec<&str> = plain.split_whitespace().collect();
    words.join(" ").trim_matches(['.', ',', '/', ' ']).to_owned()
}
