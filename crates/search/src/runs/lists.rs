//! Runs that list something: data, or methods of a statement or two. Their neighbors are alike by themselves.

use familiar_source::TokenClass;
use familiar_syntax::normal::Symbol;

/// With a larger share of statements that are items of a list, a stretch lists data.
///
/// The four limits of this file come from the wrong classes of the seventh reading of `docs/precision.md`; the eighth measures
/// them on trees that nobody had seen.
const OF_DATA: f64 = 0.6;

/// A function of so many statements, its head among them, does hardly more than call another.
const MOST_STATEMENTS: usize = 3;

/// Fewer functions make no list.
const LEAST_FUNCTIONS: usize = 3;

/// The share of a list's statements that stand in such functions.
const OF_FUNCTIONS: f64 = 0.9;

/// Tells lists from other code.
#[derive(Debug)]
pub(super) struct Lists {
    comma: u32,
    semicolon: u32,
    opening: [u32; 3],
    closing: [u32; 3],
}

impl Lists {
    pub(super) fn new() -> Self {
        let of = |operator: &str| Symbol::new(TokenClass::Operator, operator.as_bytes()).0;
        Self {
            comma: of(","),
            semicolon: of(";"),
            opening: ["{", "(", "["].map(of),
            closing: ["}", ")", "]"].map(of),
        }
    }

    /// Whether most of the statements that begin at `starts` end with a comma, or stand before a bracket and a comma. Those
    /// that open a bracket tell nothing.
    pub(super) fn is_data(&self, symbols: &[u32], starts: &[u32]) -> bool {
        let ends = starts.iter().map(|&at| at as usize).skip(1).chain([symbols.len()]);
        let (mut items, mut others) = (0, 0);
        for (last, next) in ends.filter(|&end| end > 0).map(|end| (symbols[end - 1], &symbols[end..])) {
            if self.opening.contains(&last) {
                continue;
            }
            let is_item = match next {
                &[close, then, ..] if self.closing.contains(&close) && then == self.comma => {
                    last != self.semicolon
                }
                _ => last == self.comma,
            };
            *if is_item { &mut items } else { &mut others } += 1;
        }
        f64::from(items) > OF_DATA * f64::from(items + others)
    }

    /// Whether there is hardly anything but short functions. `scopes` are the functions and classes of the stretch: each
    /// one's first token and its end, the outer before the inner.
    pub(super) fn is_of_short_functions(
        &self,
        symbols: &[u32],
        starts: &[u32],
        scopes: &[(u32, u32)],
    ) -> bool {
        let is_statement = |&&at: &&u32| !self.closing.contains(&symbols[at as usize]);
        let statements = |starts: &[u32]| starts.iter().filter(is_statement).count();
        let (mut functions, mut inside) = (0, 0);
        for (number, &(start, end)) in scopes.iter().enumerate() {
            if scopes.get(number + 1).is_some_and(|inner| inner.0 < end) {
                continue;
            }
            // Attributes stand before the first token of a function and in its first statement.
            let from = starts.partition_point(|&at| at <= start).saturating_sub(1);
            let count = statements(&starts[from..starts.partition_point(|&at| at < end)]);
            if count > MOST_STATEMENTS {
                return false;
            }
            functions += 1;
            inside += count;
        }
        functions >= LEAST_FUNCTIONS && inside as f64 >= OF_FUNCTIONS * statements(starts) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Statements stand between bars.
    fn parsed(code: &str) -> (Vec<u32>, Vec<u32>) {
        let (mut symbols, mut starts) = (Vec::new(), Vec::new());
        for statement in code.split('|') {
            starts.push(symbols.len() as u32);
            symbols.extend(statement.split_whitespace().map(|word| {
                let is_name = word.starts_with(char::is_alphabetic);
                let class = if is_name { TokenClass::Identifier } else { TokenClass::Operator };
                Symbol::new(class, word.as_bytes()).0
            }));
        }
        (symbols, starts)
    }

    #[test]
    fn statements_with_commas_list_data() {
        let is_data = |code: &str| {
            let (symbols, starts) = parsed(code);
            Lists::new().is_data(&symbols, &starts)
        };
        assert!(is_data("a : {| b : c , d : e ,| } , f : {| g : h| } , i : j ,"));
        assert!(!is_data("a : f ( ) {| b ;| } , c : f ( ) {| d ;| } ,"));
        assert!(!is_data("a = [| b ,| c ,| ] ;| d = e ;| f = g ;"));
    }

    #[test]
    fn short_functions_are_a_list() {
        let one = "f {| g ;| } |";
        let lists = |code: &str, scopes: &[(u32, u32)]| {
            let (symbols, starts) = parsed(code);
            Lists::new().is_of_short_functions(&symbols, &starts, scopes)
        };
        assert!(lists(one.repeat(3).trim_end_matches('|'), &[(0, 5), (5, 10), (10, 15)]));
        assert!(!lists(one.repeat(2).trim_end_matches('|'), &[(0, 5), (5, 10)]));
        let long = "f {| g ;| h ;| i ;| } |".repeat(3);
        assert!(!lists(long.trim_end_matches('|'), &[(0, 9), (9, 18), (18, 27)]));
        let beside = format!("{}a ;| b ;| c ;", one.repeat(3));
        assert!(!lists(&beside, &[(0, 5), (5, 10), (10, 15)]));
    }
}
