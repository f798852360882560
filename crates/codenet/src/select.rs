//! The submissions of a set that a condition takes: `language = 'Java' and status = 'Accepted'`.
//!
//! A condition is written as in SQL, over the columns of a submission: comparisons, `and`, `or`, `not`, `in`, `between`, `like` and
//! `is null`. What is unknown is neither true nor false, as in SQL. For more than conditions there are programs that read the
//! Parquet files.

use std::cmp::Ordering;

use familiar_source::time;
use sqlparser::ast::{BinaryOperator, Expr, UnaryOperator, Value};
use sqlparser::dialect::GenericDialect;
use sqlparser::keywords::Keyword;
use sqlparser::parser::{Parser, ParserError};
use sqlparser::tokenizer::{Token, Tokenizer};

use crate::submission::Submission;

/// Why a text is no condition.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidCondition {
    #[error("{0}")]
    Syntax(String),
    #[error("{0} is no number, and is compared with one")]
    Number(String),
    #[error("a column of texts is compared with a number: put the number in quotes")]
    Unquoted,
    #[error("{0} is neither a date, such as '2023-05-20' or '2023-05-20T12:00:00Z', nor seconds since 1970")]
    Date(String),
    #[error("`like` compares texts, and one side of it is a number")]
    Like,
    #[error("there is no column {0}: the columns are {columns}", columns = Submission::COLUMNS.join(", "))]
    Column(String),
    #[error(
        "the condition has {0} times `and`, `or`, `not` or a bracket, and at most {LEVELS} are taken: write `column in (…)`, or ask the Parquet files in metadata/ with an SQL program, such as DuckDB"
    )]
    Deep(usize),
    #[error(
        "a comparison has more than {OPERATORS} signs and keywords: ask the Parquet files in metadata/ with an SQL program, such as DuckDB"
    )]
    Long,
    #[error(
        "{0} is more than a condition may have: ask the Parquet files in metadata/ with an SQL program, such as DuckDB"
    )]
    Unknown(String),
}

/// Most terms and brackets of a condition: what reads one calls itself for each of them.
const LEVELS: usize = 500;
/// Most signs and keywords of a comparison, for the same reason. What stands between `and`, `or`, `not`, brackets and commas is one.
const OPERATORS: usize = 16;
/// Bytes of the stack of what reads a condition.
const STACK: usize = 32 << 20;

/// What columns of texts hold while a condition is tried.
const FILLED: &str = "\u{0}";

/// A condition on submissions.
#[derive(Clone, Debug)]
pub struct Condition(Expr);

/// A value of a column or of a condition.
#[derive(Clone, Debug, PartialEq)]
enum Cell {
    Null,
    Text(String),
    Number(f64),
    Whole(i64),
    /// Seconds since 1970.
    Date(i64),
}

impl std::str::FromStr for Condition {
    type Err = InvalidCondition;

    fn from_str(text: &str) -> Result<Self, InvalidCondition> {
        // Threads of others may have a small stack, and to name an expression takes most of it.
        std::thread::scope(|scope| {
            let read = || Self::read(text);
            match std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, read) {
                Ok(thread) => thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
                Err(_) => read(),
            }
        })
    }
}

impl Condition {
    fn read(text: &str) -> Result<Self, InvalidCondition> {
        let syntax = |error: ParserError| InvalidCondition::Syntax(error.to_string());
        let tokens = Tokenizer::new(&GenericDialect {}, text).tokenize();
        let tokens = tokens.map_err(|error| syntax(error.into()))?;
        check_size(&tokens)?;
        let mut parser = Parser::new(&GenericDialect {}).with_tokens(tokens);
        let expression = parser.parse_expr().map_err(syntax)?;
        let rest = parser.peek_token();
        if rest.token != Token::EOF {
            return Err(InvalidCondition::Syntax(format!("{rest} does not belong there")));
        }
        // Each part is known, or it is said now and not in the middle of the work. All columns are filled, so that it is also said what
        // cannot be compared with them.
        let (number, text) = (Some(i64::MIN), || FILLED.to_owned());
        let all = Submission {
            submission_id: text(),
            problem_id: text(),
            user_id: text(),
            date: number,
            language: text(),
            original_language: text(),
            filename_ext: text(),
            status: text(),
            cpu_time: number,
            memory: number,
            code_size: number,
            accuracy: text(),
            ..Submission::default()
        };
        truth(&expression, &all).map_err(|error| match error {
            InvalidCondition::Number(shown) if shown == format!("'{FILLED}'") => InvalidCondition::Unquoted,
            error => error,
        })?;
        Ok(Self(expression))
    }

    /// Whether it takes the submission.
    pub fn takes(&self, submission: &Submission) -> bool {
        truth(&self.0, submission) == Ok(Some(true))
    }
}

/// Fails where the expression could be deeper than the stack is. Values may be as many as one likes: a list is not deep.
fn check_size(tokens: &[Token]) -> Result<(), InvalidCondition> {
    let (mut levels, mut operators, mut is_long) = (0, 0, false);
    for token in tokens {
        match token {
            Token::LParen | Token::LBracket | Token::LBrace => (levels, operators) = (levels + 1, 0),
            Token::Word(word) if matches!(word.keyword, Keyword::AND | Keyword::OR | Keyword::NOT) => {
                (levels, operators) = (levels + 1, 0);
            }
            Token::Comma => operators = 0,
            Token::Word(word) if word.keyword == Keyword::NoKeyword => {}
            Token::Number(..) | Token::SingleQuotedString(_) | Token::Whitespace(_) => {}
            _ => operators += 1,
        }
        is_long |= operators > OPERATORS;
    }
    match levels {
        _ if levels > LEVELS => Err(InvalidCondition::Deep(levels)),
        _ if is_long => Err(InvalidCondition::Long),
        _ => Ok(()),
    }
}

/// Whether both are true.
fn both(one: Option<bool>, two: Option<bool>) -> Option<bool> {
    match (one, two) {
        (Some(false), _) | (_, Some(false)) => Some(false),
        (Some(true), Some(true)) => Some(true),
        _ => None,
    }
}

/// Whether an expression is true; `None` where that is not known.
fn truth(expression: &Expr, of: &Submission) -> Result<Option<bool>, InvalidCondition> {
    Ok(match expression {
        Expr::Nested(inner) => truth(inner, of)?,
        Expr::UnaryOp { op: UnaryOperator::Not, expr } => truth(expr, of)?.map(|truth| !truth),
        Expr::BinaryOp { left, op: BinaryOperator::And, right } => both(truth(left, of)?, truth(right, of)?),
        Expr::BinaryOp { left, op: BinaryOperator::Or, right } => match (truth(left, of)?, truth(right, of)?)
        {
            (Some(true), _) | (_, Some(true)) => Some(true),
            (Some(false), Some(false)) => Some(false),
            _ => None,
        },
        _ => term(expression, of)?,
    })
}

/// Whether a term without `and`, `or` and `not` is true. It stands apart from them, since these call themselves and the stack has an end.
fn term(expression: &Expr, of: &Submission) -> Result<Option<bool>, InvalidCondition> {
    Ok(match expression {
        Expr::BinaryOp { left, op, right } => {
            let holds: fn(Ordering) -> bool = match op {
                BinaryOperator::Eq => Ordering::is_eq,
                BinaryOperator::NotEq => Ordering::is_ne,
                BinaryOperator::Lt => Ordering::is_lt,
                BinaryOperator::LtEq => Ordering::is_le,
                BinaryOperator::Gt => Ordering::is_gt,
                BinaryOperator::GtEq => Ordering::is_ge,
                _ => return Err(InvalidCondition::Unknown(expression.to_string())),
            };
            compared(&cell(left, of)?, &cell(right, of)?)?.map(holds)
        }
        Expr::IsNull(inner) => Some(cell(inner, of)? == Cell::Null),
        Expr::IsNotNull(inner) => Some(cell(inner, of)? != Cell::Null),
        Expr::InList { expr, list, negated } => {
            let value = cell(expr, of)?;
            let mut found = Some(false);
            for item in list {
                match compared(&value, &cell(item, of)?)? {
                    Some(Ordering::Equal) => {
                        found = Some(true);
                        break;
                    }
                    Some(_) => {}
                    None => found = None,
                }
            }
            found.map(|found| found != *negated)
        }
        Expr::Between { expr, negated, low, high } => {
            let value = cell(expr, of)?;
            let (low, high) = (compared(&value, &cell(low, of)?)?, compared(&value, &cell(high, of)?)?);
            both(low.map(Ordering::is_ge), high.map(Ordering::is_le)).map(|between| between != *negated)
        }
        Expr::Like { negated, any: false, expr, pattern, escape_char: None } => {
            liked(&cell(expr, of)?, &cell(pattern, of)?, false)?.map(|liked| liked != *negated)
        }
        Expr::ILike { negated, any: false, expr, pattern, escape_char: None } => {
            liked(&cell(expr, of)?, &cell(pattern, of)?, true)?.map(|liked| liked != *negated)
        }
        Expr::Value(value) => match &value.value {
            Value::Boolean(truth) => Some(*truth),
            _ => return Err(InvalidCondition::Unknown(expression.to_string())),
        },
        other => return Err(InvalidCondition::Unknown(other.to_string())),
    })
}

/// The value of a column or of a literal.
fn cell(expression: &Expr, of: &Submission) -> Result<Cell, InvalidCondition> {
    Ok(match expression {
        Expr::Nested(inner) => cell(inner, of)?,
        Expr::Identifier(name) => column(&name.value, of)?,
        Expr::UnaryOp { op: UnaryOperator::Minus, expr } => match cell(expr, of)? {
            Cell::Number(number) => Cell::Number(-number),
            Cell::Whole(number) => Cell::Whole(number.saturating_neg()),
            _ => return Err(InvalidCondition::Unknown(expression.to_string())),
        },
        Expr::Value(value) => match &value.value {
            Value::Number(text, _) => {
                number(text).ok_or_else(|| InvalidCondition::Unknown(expression.to_string()))?
            }
            Value::SingleQuotedString(text) => Cell::Text(text.clone()),
            Value::Null => Cell::Null,
            _ => return Err(InvalidCondition::Unknown(expression.to_string())),
        },
        other => return Err(InvalidCondition::Unknown(other.to_string())),
    })
}

fn column(name: &str, of: &Submission) -> Result<Cell, InvalidCondition> {
    let text = |text: &String| if text.is_empty() { Cell::Null } else { Cell::Text(text.clone()) };
    let number = |number: Option<i64>| number.map_or(Cell::Null, Cell::Whole);
    Ok(match name.to_ascii_lowercase().as_str() {
        "submission_id" => text(&of.submission_id),
        "problem_id" => text(&of.problem_id),
        "user_id" => text(&of.user_id),
        "date" => of.date.map_or(Cell::Null, Cell::Date),
        "language" => text(&of.language),
        "original_language" => text(&of.original_language),
        "filename_ext" => text(&of.filename_ext),
        "status" => text(&of.status),
        "cpu_time" => number(of.cpu_time),
        "memory" => number(of.memory),
        "code_size" => number(of.code_size),
        "accuracy" => text(&of.accuracy),
        _ => return Err(InvalidCondition::Column(name.to_owned())),
    })
}

/// The number that a text is.
fn number(text: &str) -> Option<Cell> {
    text.parse().map(Cell::Whole).or_else(|_| text.parse().map(Cell::Number)).ok()
}

/// Numbers as numbers, dates as dates, and all else as texts.
fn compared(one: &Cell, two: &Cell) -> Result<Option<Ordering>, InvalidCondition> {
    let as_number = |text: &str| number(text).ok_or_else(|| InvalidCondition::Number(format!("'{text}'")));
    let as_date = |text: &str| {
        // A year by itself is no number of seconds.
        let seconds = number(text).filter(|_| text.len() != 4);
        let date = seconds.or_else(|| time::instant(text).map(Cell::Date));
        date.ok_or_else(|| InvalidCondition::Date(format!("'{text}'")))
    };
    Ok(match (one, two) {
        (Cell::Null, _) | (_, Cell::Null) => None,
        (Cell::Text(one), Cell::Text(two)) => Some(one.cmp(two)),
        (date @ Cell::Date(_), Cell::Text(text)) => ordered(date, &as_date(text)?),
        (Cell::Text(text), date @ Cell::Date(_)) => ordered(&as_date(text)?, date),
        (number, Cell::Text(text)) => ordered(number, &as_number(text)?),
        (Cell::Text(text), number) => ordered(&as_number(text)?, number),
        (one, two) => ordered(one, two),
    })
}

/// The order of two numbers; whole ones to the last digit.
fn ordered(one: &Cell, two: &Cell) -> Option<Ordering> {
    let whole = |cell: &Cell| match cell {
        Cell::Whole(number) | Cell::Date(number) => Some(*number),
        _ => None,
    };
    let real = |cell: &Cell| match cell {
        Cell::Number(number) => Some(*number),
        other => whole(other).map(|number| number as f64),
    };
    match (whole(one), whole(two)) {
        (Some(one), Some(two)) => Some(one.cmp(&two)),
        _ => real(one)?.partial_cmp(&real(two)?),
    }
}

/// Whether a text has the form of a pattern, in which `%` stands for anything and `_` for one sign.
fn liked(text: &Cell, pattern: &Cell, ignore_case: bool) -> Result<Option<bool>, InvalidCondition> {
    let (text, pattern) = match (text, pattern) {
        (Cell::Text(text), Cell::Text(pattern)) => (text, pattern),
        (Cell::Null, _) | (_, Cell::Null) => return Ok(None),
        _ => return Err(InvalidCondition::Like),
    };
    let signs = |text: &str| -> Vec<char> {
        if ignore_case { text.to_lowercase().chars().collect() } else { text.chars().collect() }
    };
    Ok(Some(matches(&signs(text), &signs(pattern))))
}

fn matches(text: &[char], pattern: &[char]) -> bool {
    // The last `%`, and where what it stands for ends: it is taken as short as possible, and longer where that fails.
    let (mut at, mut of, mut any) = (0, 0, None);
    while at < text.len() {
        match pattern.get(of) {
            Some('%') => {
                any = Some((of, at));
                of += 1;
            }
            Some(&sign) if sign == '_' || sign == text[at] => (at, of) = (at + 1, of + 1),
            _ => match any {
                Some((percent, end)) => {
                    any = Some((percent, end + 1));
                    (at, of) = (end + 1, percent + 1);
                }
                None => return false,
            },
        }
    }
    pattern[of..].iter().all(|&sign| sign == '%')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_condition_has_an_end() {
        let of = |terms: usize| vec!["memory = 1"; terms].join(" or ").parse::<Condition>().map(|_| ());
        assert_eq!(of(500), Ok(()));
        assert_eq!(of(5_000), Err(InvalidCondition::Deep(4_999)));
        let ids: Vec<String> = (0..5_000).map(|id| format!("'s{id}'")).collect();
        assert!(format!("submission_id in ({})", ids.join(", ")).parse::<Condition>().is_ok());
        // Words in quotes are none.
        assert!(format!("status = '{}'", "and or not (".repeat(1_000)).parse::<Condition>().is_ok());
    }

    #[test]
    fn a_chain_of_operators_has_an_end() {
        for link in [" + 1", " = 1", " is null", "::int", "[1]", " at time zone 'UTC'"] {
            for links in [20, 1_000, 10_000] {
                let error = format!("memory = 1{}", link.repeat(links)).parse::<Condition>().err();
                assert!(
                    matches!(error, Some(InvalidCondition::Long | InvalidCondition::Deep(_)))
                        || links < 1_000,
                    "{link} {links}: {error:?}"
                );
            }
        }
        // What is named in an error is as deep as what is taken.
        let deep = format!("({}) + 1", vec!["memory = 1"; 499].join(" or "));
        assert!(matches!(deep.parse::<Condition>(), Err(InvalidCondition::Unknown(_))));
    }

    #[test]
    fn conditions_take_what_sql_would() {
        let submission = Submission {
            language: "C++".to_owned(),
            status: "Accepted".to_owned(),
            cpu_time: Some(20),
            code_size: Some(9_007_199_254_740_993),
            date: Some(1_684_584_012),
            ..Submission::default()
        };
        for (condition, taken) in [
            ("language = 'C++' and status = 'Accepted'", true),
            ("language = 'Java' or cpu_time <= 20", true),
            ("language in ('C', 'C++') and not status = 'Accepted'", false),
            ("cpu_time between 10 and 30", true),
            ("cpu_time > -1", true),
            ("cpu_time < '20.5' and cpu_time = 20.0", true),
            ("code_size = 9007199254740992", false),
            ("date >= '2023-05-20' and date < '2023-05-21'", true),
            ("date = '2023-05-20 21:00:12+0900'", true),
            ("memory > 0", false),
            ("not memory > 0", false),
            ("memory is null", true),
            ("not (cpu_time between 100 and memory)", true),
            ("not (cpu_time between 10 and memory)", false),
            ("cpu_time not between memory and 10", true),
            ("status like 'Acc%d'", true),
            ("status ilike '%CEPT%'", true),
            ("status like 'Acc_'", false),
            ("language <> 'C++'", false),
        ] {
            let condition: Condition =
                condition.parse().unwrap_or_else(|error| panic!("{condition}: {error}"));
            assert_eq!(condition.takes(&submission), taken, "{condition:?}");
        }
    }

    #[test]
    fn what_is_no_condition_is_said_at_once() {
        for (text, expected) in [
            ("lang = 'C'", "there is no column lang"),
            ("language = ", "sql parser error"),
            ("length(language) > 1", "more than a condition"),
            ("language = 'C' group by 1", "does not belong there"),
            ("cpu_time > 'fast'", "'fast' is no number"),
            ("memory in (1, 'much')", "'much' is no number"),
            ("date > '20 May'", "'20 May' is neither a date"),
            ("date > '2023'", "'2023' is neither a date"),
            ("accuracy = 1 or language = 'C'", "put the number in quotes"),
            ("date like '2023%'", "`like` compares texts"),
        ] {
            let error = text.parse::<Condition>().err().map(|error| error.to_string()).unwrap_or_default();
            assert!(error.contains(expected), "{text}: {error}");
        }
    }
}
