//! What a judge says of a submission.

/// The statuses of Project CodeNet.
pub const STATUSES: [&str; 13] = [
    ACCEPTED,
    "Compile Error",
    "Wrong Answer",
    "Time Limit Exceeded",
    "Memory Limit Exceeded",
    "Output Limit Exceeded",
    "Runtime Error",
    "WA: Presentation Error",
    "Judge Not Available",
    "Waiting for Judging",
    "Waiting for Re-judging",
    "Internal Error",
    "Judge System Error",
];

pub const ACCEPTED: &str = "Accepted";

/// Whether the judge said with this status what it thinks of the submission.
pub fn is_judged(status: &str) -> bool {
    !matches!(
        status,
        "" | "Judge Not Available"
            | "Waiting for Judging"
            | "Waiting for Re-judging"
            | "Internal Error"
            | "Judge System Error"
    )
}

/// What other judges call them, in lower case and without anything but letters.
const OTHERS: [(&str, &str); 36] = [
    ("ac", ACCEPTED),
    ("ok", ACCEPTED),
    ("pass", ACCEPTED),
    ("passed", ACCEPTED),
    ("correct", ACCEPTED),
    ("solved", ACCEPTED),
    ("ce", "Compile Error"),
    ("compilationerror", "Compile Error"),
    ("compileerror", "Compile Error"),
    ("wa", "Wrong Answer"),
    ("wrong", "Wrong Answer"),
    ("fail", "Wrong Answer"),
    ("failed", "Wrong Answer"),
    ("incorrect", "Wrong Answer"),
    ("tle", "Time Limit Exceeded"),
    ("timelimit", "Time Limit Exceeded"),
    ("timeout", "Time Limit Exceeded"),
    ("idlenesslimitexceeded", "Time Limit Exceeded"),
    ("mle", "Memory Limit Exceeded"),
    ("memorylimit", "Memory Limit Exceeded"),
    ("ole", "Output Limit Exceeded"),
    ("outputlimit", "Output Limit Exceeded"),
    ("re", "Runtime Error"),
    ("rte", "Runtime Error"),
    ("crash", "Runtime Error"),
    ("crashed", "Runtime Error"),
    ("nonzeroexitcode", "Runtime Error"),
    ("pe", "WA: Presentation Error"),
    ("presentationerror", "WA: Presentation Error"),
    ("ie", "Internal Error"),
    ("judgeerror", "Judge System Error"),
    ("pending", "Waiting for Judging"),
    ("wj", "Waiting for Judging"),
    ("wr", "Waiting for Re-judging"),
    ("queued", "Waiting for Judging"),
    ("testing", "Waiting for Judging"),
];

/// The status that `name` stands for; `None` where nobody calls one so.
pub fn status_called(name: &str) -> Option<&'static str> {
    let letters = |text: &str| -> String {
        text.chars().filter(char::is_ascii_alphabetic).map(|letter| letter.to_ascii_lowercase()).collect()
    };
    let name = letters(name);
    let own = STATUSES.iter().find(|status| letters(status) == name).copied();
    own.or_else(|| OTHERS.iter().find(|(other, _)| *other == name).map(|&(_, status)| status))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statuses_are_known_by_the_names_of_other_judges() {
        for (name, status) in [
            ("Accepted", Some("Accepted")),
            ("OK", Some("Accepted")),
            ("WRONG_ANSWER", Some("Wrong Answer")),
            ("time limit exceeded", Some("Time Limit Exceeded")),
            ("RUNTIME_ERROR", Some("Runtime Error")),
            ("Presentation Error", Some("WA: Presentation Error")),
            ("?", None),
        ] {
            assert_eq!(status_called(name), status, "{name}");
        }
    }
}
