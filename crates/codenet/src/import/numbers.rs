//! Ids of the form that CodeNet has, for ids of any form.

use rustc_hash::FxHashMap;

/// Ids of one kind: those of the data where they have CodeNet's form, otherwise numbers in the order of appearance. The first id
/// decides for all.
#[derive(Debug)]
pub(super) struct Numbers {
    letter: char,
    digits: usize,
    /// `None` until there is an id.
    kept: Option<bool>,
    /// The ids of the data, or what is kept of them, with their places in `given`.
    known: FxHashMap<String, u32>,
    /// The ids of the data in the order of their appearance.
    given: Vec<String>,
}

impl Numbers {
    pub(super) fn new(letter: char, digits: usize) -> Self {
        Self { letter, digits, kept: None, known: FxHashMap::default(), given: Vec::new() }
    }

    /// The id for `given`, or why it has none.
    pub(super) fn id(&mut self, given: &str) -> Result<String, String> {
        let own = self.own(given);
        let kept = *self.kept.get_or_insert(own.is_some());
        let name = if kept { own.ok_or_else(|| self.not_own(given))? } else { given };
        let number = *self.known.entry(name.to_owned()).or_insert_with(|| {
            self.given.push(given.to_owned());
            self.given.len() as u32 - 1
        });
        if !kept {
            return Ok(self.numbered(u64::from(number)));
        }
        let first = &self.given[number as usize];
        if first == given {
            Ok(name.to_owned())
        } else {
            Err(format!("its id {given} would become {name}, which {first} has become"))
        }
    }

    /// The id for something that is not looked up again. Whether another has the same one is not known here.
    pub(super) fn once(&mut self, given: &str, number: u64) -> Result<String, String> {
        let own = self.own(given);
        if *self.kept.get_or_insert(own.is_some()) {
            own.map(str::to_owned).ok_or_else(|| self.not_own(given))
        } else {
            Ok(self.numbered(number))
        }
    }

    fn not_own(&self, given: &str) -> String {
        let Self { letter, digits, .. } = self;
        format!("its id {given} is not {letter} and {digits} digits, as those before are")
    }

    fn numbered(&self, number: u64) -> String {
        format!("{}{:0width$}", self.letter, number + 1, width = self.digits)
    }

    /// The part of `given` that has CodeNet's form: all of it, or what stands behind the last `-`, `_`, `/` or `:`.
    fn own<'g>(&self, given: &'g str) -> Option<&'g str> {
        let last = given.rsplit(['-', '_', '/', ':']).next()?;
        let digits = last.strip_prefix(self.letter)?;
        (digits.len() == self.digits && digits.bytes().all(|digit| digit.is_ascii_digit())).then_some(last)
    }

    /// Whether ids are those of the data; `None` before the first one.
    pub(super) fn kept(&self) -> Option<bool> {
        self.kept
    }

    /// The ids of the data, in the order of their appearance.
    pub(super) fn given(&self) -> &[String] {
        &self.given
    }

    /// What an import that was ended knew.
    pub(super) fn restore(&mut self, kept: Option<bool>, given: Vec<String>) {
        let name = |given: &String| match kept {
            Some(true) => self.own(given).unwrap_or(given).to_owned(),
            _ => given.clone(),
        };
        self.known = given.iter().map(name).zip(0..).collect();
        self.given = given;
        self.kept = kept;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_of_codenet_stay() {
        let mut numbers = Numbers::new('p', 5);
        assert_eq!(numbers.id("codenet-p00007").as_deref(), Ok("p00007"));
        assert_eq!(numbers.id("p12345").as_deref(), Ok("p12345"));
        assert!(numbers.id("two-sum").is_err());
    }

    #[test]
    fn ids_that_would_become_one_are_told_apart() {
        let mut numbers = Numbers::new('p', 5);
        assert_eq!(numbers.id("judge1-p00001").as_deref(), Ok("p00001"));
        assert_eq!(numbers.id("judge1-p00001").as_deref(), Ok("p00001"));
        assert!(numbers.id("judge2-p00001").is_err_and(|reason| reason.contains("judge1-p00001")));
        let mut later = Numbers::new('p', 5);
        later.restore(numbers.kept(), numbers.given().to_vec());
        assert!(later.id("judge2-p00001").is_err() && later.id("judge1-p00001").is_ok());
    }

    #[test]
    fn other_ids_become_numbers() {
        let mut numbers = Numbers::new('p', 5);
        assert_eq!(numbers.id("two-sum").as_deref(), Ok("p00001"));
        assert_eq!(numbers.id("p00009").as_deref(), Ok("p00002"));
        assert_eq!(numbers.id("two-sum").as_deref(), Ok("p00001"));
        assert_eq!(numbers.given(), ["two-sum", "p00009"]);
    }
}
