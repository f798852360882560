//! The flags of commands that ask a language model, and what they say of its tokens.

use std::time::Duration;

use anyhow::ensure;
use familiar_endpoint::{ChatOptions, Connection, Forecast, Limits, Prices, Spent};
use familiar_source::words::counted;

/// The heading of these flags.
pub(crate) const ASKING: &str = "Asking the model";

/// How the model is asked.
#[derive(clap::Args, Debug)]
#[command(next_help_heading = ASKING)]
pub(crate) struct Asking {
    /// Ask nobody: take every reply from requests.jsonl in the folder
    #[arg(long)]
    replay: bool,
    /// Say what the run is going to take, and end
    #[arg(long)]
    pub(crate) forecast: bool,
    /// End before all requests of the folder take more tokens than N
    #[arg(long, value_name = "N")]
    max_tokens_total: Option<u64>,
    /// End before all requests of the folder cost more than AMOUNT; needs --price
    #[arg(long, value_name = "AMOUNT", requires = "price", value_parser = amount)]
    max_cost: Option<f64>,
    /// What a million tokens cost that go in and that come out, such as 1.25,10
    #[arg(long, value_name = "IN,OUT", value_parser = prices)]
    price: Option<Prices>,
    /// Requests at a time
    #[arg(long, value_name = "N", default_value_t = 4)]
    concurrency: usize,
    /// Seconds that a reply may take
    #[arg(long, value_name = "N", default_value_t = 300)]
    timeout: u64,
    /// How often a request is made before it counts as failed
    #[arg(long, value_name = "N", default_value_t = 6)]
    tries: u32,
    /// A field of all requests, as JSON; NAME=null leaves one out, such as seed=null. May be repeated
    #[arg(long = "field", value_name = "NAME=JSON", value_parser = field)]
    fields: Vec<(String, Option<serde_json::Value>)>,
}

impl Asking {
    pub(crate) fn connection(&self) -> anyhow::Result<Connection> {
        ensure!(self.tries > 0, "--tries 0 is out of range: give a number above 0");
        ensure!(self.timeout > 0, "--timeout 0 is out of range: give a number above 0");
        let timeout = Duration::from_secs(self.timeout);
        Ok(Connection { timeout, tries: self.tries, ..Connection::from_environment() })
    }

    pub(crate) fn chat(&self) -> ChatOptions {
        ChatOptions {
            replay: self.replay,
            prices: self.price,
            limits: Limits { tokens: self.max_tokens_total, cost: self.max_cost },
            at_once: self.concurrency,
            fields: self.fields.clone(),
        }
    }
}

pub(crate) fn forecast_text(forecast: &Forecast) -> String {
    let Forecast { requests, expected, most, expected_cost, most_cost } = forecast;
    let cost = match (expected_cost, most_cost) {
        (Some(expected), Some(most)) => format!(", which cost about {expected:.4} and at most {most:.4}"),
        _ => String::new(),
    };
    let requests = counted(*requests, "request");
    format!("{requests} to go take about {} tokens and at most {}{cost}", expected.all(), most.all())
}

pub(crate) fn spent_text(spent: &Spent) -> String {
    let about = if spent.tokens.estimated { "about " } else { "" };
    let cost = spent.cost.map(|cost| format!(", cost {cost:.4}")).unwrap_or_default();
    format!("{about}{} tokens spent{cost}", spent.tokens.all())
}

fn amount(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|it: &f64| it.is_finite() && *it >= 0.0);
    number.ok_or_else(|| "give a number of at least 0".to_owned())
}

fn prices(text: &str) -> Result<Prices, String> {
    let numbers: Vec<f64> = text.split(',').filter_map(|part| part.trim().parse().ok()).collect();
    match numbers.as_slice() {
        &[input, output] if input >= 0.0 && output >= 0.0 && input.is_finite() && output.is_finite() => {
            Ok(Prices { input, output })
        }
        _ => {
            Err("give two prices, of a million tokens that go in and that come out, such as 1.25,10"
                .to_owned())
        }
    }
}

fn field(text: &str) -> Result<(String, Option<serde_json::Value>), String> {
    let (name, value) = text.split_once('=').ok_or("give NAME=JSON, such as top_p=0.9")?;
    let value: serde_json::Value = serde_json::from_str(value)
        .map_err(|error| format!("{value} is not JSON ({error}); texts need quotes"))?;
    Ok((name.to_owned(), Some(value).filter(|value| !value.is_null())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_on_the_cost_is_a_number() {
        assert_eq!(amount("1.5"), Ok(1.5));
        assert!(["nan", "inf", "-1", "", "much"].iter().all(|text| amount(text).is_err()));
    }
}
