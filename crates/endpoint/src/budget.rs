//! Tokens and what they cost, and limits on both.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use serde::{Deserialize, Serialize};

/// Tokens that went in and came out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tokens {
    pub input: u64,
    pub output: u64,
    /// Whether some of them are estimated, since the server did not count them.
    pub estimated: bool,
}

impl Tokens {
    pub fn all(self) -> u64 {
        self.input.saturating_add(self.output)
    }

    pub(crate) fn and(self, other: Self) -> Self {
        Self {
            input: self.input.saturating_add(other.input),
            output: self.output.saturating_add(other.output),
            estimated: self.estimated || other.estimated,
        }
    }
}

/// What a million tokens cost.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Prices {
    pub input: f64,
    pub output: f64,
}

impl Prices {
    pub fn cost(self, tokens: Tokens) -> f64 {
        (tokens.input as f64 * self.input + tokens.output as f64 * self.output) / 1e6
    }
}

/// Most tokens and most money that all requests of a file may take together.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Limits {
    pub tokens: Option<u64>,
    pub cost: Option<f64>,
}

/// What was spent on all requests of a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Spent {
    /// Requests that were answered, now or in an earlier run.
    pub answered: u64,
    pub tokens: Tokens,
    /// Where prices are known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost: Option<f64>,
}

/// Why another request is not made.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum BudgetError {
    #[error(
        "the limit of {limit} tokens is reached: {spent} are spent, and the next request may take {next}; a higher --max-tokens-total goes on where this ends"
    )]
    Tokens { limit: u64, spent: u64, next: u64 },
    #[error(
        "the limit of {limit} on the cost is reached: {spent:.4} are spent, and the next request may cost {next:.4}; a higher --max-cost goes on where this ends"
    )]
    Cost { limit: f64, spent: f64, next: f64 },
    #[error("--max-cost needs the prices of a million tokens: --price IN,OUT")]
    NoPrices,
    #[error(
        "--max-tokens-total and --max-cost need the most tokens of a reply, and --field takes them away: give --field max_completion_tokens=N"
    )]
    NoMost,
}

/// Counts what is spent, and what requests that are under way may take.
#[derive(Debug)]
pub(crate) struct Budget {
    prices: Option<Prices>,
    limits: Limits,
    state: Mutex<State>,
    /// Told of each request that ends.
    ended: Condvar,
}

#[derive(Debug, Default)]
struct State {
    answered: u64,
    spent: Tokens,
    /// What requests that are under way may take at most.
    reserved: Tokens,
}

impl State {
    fn give_back(&mut self, most: Tokens) {
        self.reserved.input = self.reserved.input.saturating_sub(most.input);
        self.reserved.output = self.reserved.output.saturating_sub(most.output);
    }
}

impl Budget {
    pub(crate) fn new(prices: Option<Prices>, limits: Limits) -> Result<Self, BudgetError> {
        if limits.cost.is_some() && prices.is_none() {
            return Err(BudgetError::NoPrices);
        }
        Ok(Self { prices, limits, state: Mutex::default(), ended: Condvar::new() })
    }

    pub(crate) fn prices(&self) -> Option<Prices> {
        self.prices
    }

    /// What a request may take at most: `output` of them come out, or `usual` ones where nothing says it and there is no limit.
    pub(crate) fn most(&self, input: u64, output: Option<u64>, usual: u64) -> Result<Tokens, BudgetError> {
        if output.is_none() && self.limits != Limits::default() {
            return Err(BudgetError::NoMost);
        }
        Ok(Tokens { input, output: output.unwrap_or(usual), estimated: true })
    }

    /// Counts a reply that was there before.
    pub(crate) fn count(&self, tokens: Tokens) {
        let mut state = self.state();
        state.answered += 1;
        state.spent = state.spent.and(tokens);
    }

    /// Makes room for a request of at most so many tokens. Fails where it may pass a limit by itself. Where it may together with
    /// requests that are under way alone, these are waited for: most take less than they may.
    pub(crate) fn reserve(&self, most: Tokens) -> Result<(), BudgetError> {
        let mut state = self.state();
        loop {
            self.fits(state.spent, most)?;
            if self.fits(state.spent.and(state.reserved), most).is_ok() {
                state.reserved = state.reserved.and(most);
                return Ok(());
            }
            state = self.ended.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Counts what a try took that gave no reply, and makes room for another one in the place of its own. Fails where that may pass a
    /// limit, and the room is as before.
    pub(crate) fn waste(&self, taken: Tokens, most: Tokens) -> Result<(), BudgetError> {
        let mut state = self.state();
        state.spent = state.spent.and(taken);
        state.give_back(most);
        drop(state);
        self.ended.notify_all();
        self.reserve(most).inspect_err(|_| {
            let mut state = self.state();
            state.reserved = state.reserved.and(most);
        })
    }

    /// Whether so many more tokens stay within the limits.
    fn fits(&self, spent: Tokens, next: Tokens) -> Result<(), BudgetError> {
        let with = spent.and(next);
        if let Some(limit) = self.limits.tokens.filter(|&limit| with.all() > limit) {
            return Err(BudgetError::Tokens { limit, spent: spent.all(), next: next.all() });
        }
        if let (Some(limit), Some(prices)) = (self.limits.cost, self.prices)
            && prices.cost(with) > limit
        {
            return Err(BudgetError::Cost { limit, spent: prices.cost(spent), next: prices.cost(next) });
        }
        Ok(())
    }

    /// Gives back what was reserved; with the tokens that the request took, where it was answered.
    pub(crate) fn settle(&self, most: Tokens, taken: Option<Tokens>) {
        let mut state = self.state();
        state.give_back(most);
        if let Some(taken) = taken {
            state.answered += 1;
            state.spent = state.spent.and(taken);
        }
        drop(state);
        self.ended.notify_all();
    }

    pub(crate) fn spent(&self) -> Spent {
        let state = self.state();
        let cost = self.prices.map(|prices| prices.cost(state.spent));
        Spent { answered: state.answered, tokens: state.spent, cost }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(input: u64, output: u64) -> Tokens {
        Tokens { input, output, estimated: false }
    }

    #[test]
    fn requests_under_way_are_waited_for() {
        let budget = Budget::new(None, Limits { tokens: Some(100), cost: None }).expect("no prices needed");
        budget.count(tokens(10, 10));
        budget.reserve(tokens(20, 20)).expect("60 in all");
        let error = budget.reserve(tokens(41, 40)).expect_err("101 with what is spent");
        assert_eq!(error, BudgetError::Tokens { limit: 100, spent: 20, next: 81 });
        std::thread::scope(|scope| {
            // 101 in all, until the first one has taken less than it might.
            let second = scope.spawn(|| budget.reserve(tokens(21, 20)));
            std::thread::sleep(std::time::Duration::from_millis(20));
            assert!(!second.is_finished());
            budget.settle(tokens(20, 20), Some(tokens(20, 1)));
            second.join().expect("no panic").expect("82 in all");
        });
        assert_eq!(budget.spent().tokens.all(), 41);
        budget.waste(tokens(10, 8), tokens(21, 20)).expect("59 and 41");
        budget.waste(tokens(1, 0), tokens(21, 20)).expect_err("60 and 41");
        budget.settle(tokens(21, 20), None);
        assert_eq!((budget.spent().answered, budget.spent().tokens.all()), (2, 60));
    }

    #[test]
    fn money_has_a_limit_where_prices_are_known() {
        let limits = Limits { tokens: None, cost: Some(0.01) };
        assert_eq!(Budget::new(None, limits).expect_err("no prices"), BudgetError::NoPrices);
        let budget = Budget::new(Some(Prices { input: 1.0, output: 10.0 }), limits).expect("prices");
        budget.reserve(tokens(5_000, 500)).expect("0.01 in all");
        assert!(matches!(budget.reserve(tokens(1, 1_000)), Err(BudgetError::Cost { .. })));
        budget.settle(tokens(5_000, 500), Some(tokens(1_000, 100)));
        assert_eq!(budget.spent().cost, Some(0.002));
    }
}
