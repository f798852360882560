//! Compares what an engine says of cases with what they expect.

use std::fmt;

use crate::{Case, Engine};

/// A stretch of the left side that an engine reports as a clone of a stretch of the right side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Found {
    pub clone_type: u8,
    /// First and last line on the left, first and last line on the right.
    pub lines: [u32; 4],
}

/// How an engine answered.
#[derive(Debug, Default)]
pub struct Report {
    /// Cases that were answered as expected.
    pub right: usize,
    /// What is wrong with the answers to the others, without known faults.
    pub failures: Vec<String>,
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.failures.iter().try_for_each(|failure| writeln!(f, "{failure}"))
    }
}

/// Asks about every case. A case that is marked as a known fault of the engine must still fail, so
/// that nobody forgets the mark.
pub fn check(engine: Engine, cases: &[Case], mut ask: impl FnMut(&Case) -> Vec<Found>) -> Report {
    let mut report = Report::default();
    for case in cases {
        let found = ask(case);
        let failure = match (case.judge(engine, &found), case.known.get(&engine)) {
            (Err(reason), None) => format!("{reason}; found: {found:?}"),
            (Ok(()), Some(_)) => "answered as expected: remove the mark `known`".to_owned(),
            (Ok(()), None) => {
                report.right += 1;
                continue;
            }
            (Err(_), Some(_)) => continue,
        };
        report.failures.push(format!("{}: {failure}", case.name));
    }
    report
}

impl Case {
    /// Whether this is the right answer: the type, all lines that correspond, and no lines around
    /// them.
    fn judge(&self, engine: Engine, found: &[Found]) -> Result<(), String> {
        let Some(expected) = self.clone_type else {
            return if found.is_empty() { Ok(()) } else { Err("these are no clones".to_owned()) };
        };
        if found.is_empty() {
            return Err("nothing is found".to_owned());
        }
        if let Some(missing) = self.lines.iter().find_map(|stretch| self.missing(stretch, found)) {
            return Err(missing);
        }
        let (first, last) = (self.lines[0], self.lines[self.lines.len() - 1]);
        let (before, slack) = (|line: u32| line.saturating_sub(engine.slack()), engine.slack());
        let all = [before(first[0]), last[1] + slack, before(first[2]), last[3] + slack];
        let is_within = |[a, b, c, d]: [u32; 4]| all[0] <= a && b <= all[1] && all[2] <= c && d <= all[3];
        if let Some(beyond) = found.iter().find(|found| !is_within(found.lines)) {
            return Err(format!("lines {:?} do not belong to the clone", beyond.lines));
        }
        let said = found.iter().map(|found| found.clone_type).max().unwrap_or_default();
        if engine.is_right_type(said, expected) { Ok(()) } else { Err(format!("the type is not {expected}")) }
    }

    /// What of a stretch that corresponds is not found. Where both sides have as many lines, they
    /// correspond one to one.
    fn missing(&self, &[a, b, c, d]: &[u32; 4], found: &[Found]) -> Option<String> {
        if b - a == d - c {
            let is_found = |left, right| found.iter().any(|one| one.has_left(left) && one.has_right(right));
            let mut pairs = (a..=b).zip(c..=d).filter(|&(line, _)| says_something(&self.left, line));
            let (left, right) = pairs.find(|&(left, right)| !is_found(left, right))?;
            return Some(format!("line {left} on the left is not found as line {right} on the right"));
        }
        let is_missing = |line: &u32, has: fn(&Found, u32) -> bool| !found.iter().any(|one| has(one, *line));
        let left =
            (a..=b).find(|line| says_something(&self.left, *line) && is_missing(line, Found::has_left));
        let right =
            (c..=d).find(|line| says_something(&self.right, *line) && is_missing(line, Found::has_right));
        let (side, line) = left.map(|line| ("left", line)).or(right.map(|line| ("right", line)))?;
        Some(format!("line {line} on the {side} is not found"))
    }
}

impl Found {
    fn has_left(&self, line: u32) -> bool {
        (self.lines[0]..=self.lines[1]).contains(&line)
    }

    fn has_right(&self, line: u32) -> bool {
        (self.lines[2]..=self.lines[3]).contains(&line)
    }
}

/// Whether a line has more than what closes a block. That alone is no statement, so engines that
/// report statements need not report it.
fn says_something(text: &str, line: u32) -> bool {
    let line = text.lines().nth(line as usize - 1).unwrap_or_default().trim();
    line != "end" && line.contains(|sign: char| sign.is_alphanumeric())
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "f() {\n  a();\n  b();\n  c();\n}\n\n\ng() {\n}\n";

    fn case(clone_type: Option<u8>, lines: &str) -> Case {
        let clone_type = clone_type.map_or(String::new(), |number| format!("type = {number}\n"));
        let text = format!(
            "name = \"a\"\nlanguage = \"c\"\n{clone_type}lines = {lines}\nleft = '''{TEXT}'''\nright = '''{TEXT}'''\n\
             known.find = \"it is hard\"\n"
        );
        toml::from_str(&text).expect("a case")
    }

    fn verdict(case: &Case, engine: Engine, found: &[(u8, [u32; 4])]) -> Result<(), String> {
        let found: Vec<Found> =
            found.iter().map(|&(clone_type, lines)| Found { clone_type, lines }).collect();
        case.judge(engine, &found)
    }

    #[test]
    fn an_answer_needs_the_type_and_the_lines_and_nothing_more() {
        let edited = case(Some(3), "[[1, 2, 1, 2], [4, 5, 4, 5]]");
        let of = |found: &[(u8, [u32; 4])]| verdict(&edited, Engine::Clones, found).is_ok();
        assert!(of(&[(3, [1, 5, 1, 5])]));
        assert!(of(&[(3, [1, 2, 1, 2]), (3, [4, 4, 4, 4])]), "a closing bracket is no statement");
        assert!(!of(&[]), "nothing");
        assert!(!of(&[(2, [1, 5, 1, 5])]), "another type");
        assert!(!of(&[(3, [1, 2, 1, 2])]), "a line is missing");
        assert!(!of(&[(3, [1, 2, 1, 2]), (3, [4, 4, 3, 3])]), "it corresponds to another line");
        assert!(!of(&[(3, [1, 8, 1, 5])]), "a line of something else");
    }

    #[test]
    fn what_is_looked_up_may_be_a_little_longer_and_equal_by_itself() {
        let edited = case(Some(3), "[[1, 2, 1, 2], [4, 5, 4, 5]]");
        let of = |found: &[(u8, [u32; 4])]| verdict(&edited, Engine::Find, found).is_ok();
        assert!(of(&[(1, [1, 8, 1, 8])]));
        assert!(!of(&[(1, [1, 9, 1, 8])]), "four lines more");
        let renamed = case(Some(2), "[[1, 5, 1, 5]]");
        assert!(verdict(&renamed, Engine::Find, &[(1, [1, 5, 1, 5])]).is_err(), "the type is 2");
    }

    #[test]
    fn what_is_no_clone_is_not_found() {
        assert_eq!(verdict(&case(None, "[]"), Engine::Clones, &[]), Ok(()));
        assert!(verdict(&case(None, "[]"), Engine::Clones, &[(3, [1, 2, 1, 2])]).is_err());
    }

    #[test]
    fn a_known_fault_is_none_of_the_failures_until_it_is_gone() {
        let cases = [case(None, "[]")];
        let answer = |_: &Case| vec![Found { clone_type: 1, lines: [1, 1, 1, 1] }];
        assert_eq!(check(Engine::Clones, &cases, answer).failures.len(), 1);
        assert_eq!(check(Engine::Find, &cases, answer).failures.len(), 0);
        assert_eq!(check(Engine::Find, &cases, |_| Vec::new()).failures.len(), 1);
        let report = check(Engine::Clones, &cases, |_| Vec::new());
        assert_eq!((report.failures.len(), report.right), (0, 1));
    }
}
