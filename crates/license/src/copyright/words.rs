//! The words that names of holders are made of, and those that end them.

/// A list of words in lower case, with spaces between them.
pub(super) struct Words(&'static str);

impl Words {
    pub(super) fn hold(&self, word: &str) -> bool {
        self.0.split(' ').any(|held| held == word)
    }
}

/// Words in lower case that stand within the name of a holder.
pub(super) const WITHIN: Words = Words(
    "a.k.a a.k.a. academy affiliate affiliates aka al al. all an and and/or association at authors author by committers \
     community companies company consortium contributors contributor core corp corp. corporation da das de del dem den \
     der des dev developer developers development di do dos du e el en et för for foundation from für gmbh group her his \
     i in inc inc. individual institute its la labs le les library limited list listed llc ltd ltd. maintainers \
     maintainer members member og of on open or organization original other others packagers parties partners project \
     projects respective source subsidiaries team teams the their to und university users van various vom von voor vor y \
     zu zur",
);

/// What the last word of a group's name is, in lower case.
const GROUPS: Words =
    Words("authors committers community contributors developers maintainers members packagers project team");

/// Words that join names; a name does not end with them.
pub(super) const JOINING: Words =
    Words("& + - / and and/or at by de for from in of on or other the to und von – —");

/// Words that begin what comes after a statement, however they are capitalized.
pub(super) const AFTER: Words = Words(
    "additional alle available based contact copying created disclaimer distributed dual-licensed e-mail email everyone \
     everybody except file: freely gnu if it licence licensed license licenced made modified note notice permission \
     permissions please portions provided published redistribution redistributions released reserved see \
     spdx-license-identifier subject there these this tous under unless usage use used using version warranty written \
     you your",
);

/// Words in lower case that no name holds.
pub(super) const NEVER: Words = Words(
    "above any are as assignment be been but can claim claimed code disclaim disclaims does exists file files granted \
     has have header holder holders information interest is law laws line may must name no not notices only owner owners \
     ownership protection protected shall should statement statements string such symbol text than that they was we were \
     when where which who will with without year years",
);

/// What follows `Copyright` in titles and license wording rather than in statements without a year.
pub(super) const NO_HOLDER: Words = Words(
    "act agent and assignment claims date details dialog disclaimer file files flag for header holder holders in info \
     information infringement interest is issues law laws licence license licenses licensing line message n/a name \
     nobody none note notes notice notices of office on or owner owners ownership page policy protection public rights \
     section statement statements status string symbol tag terms text to treaty unknown url year years ©",
);

/// What a company's name ends with.
const COMPANY: Words = Words(
    "ab ag as asa b.v b.v. bv cic co co. company corp corp. corporation e.v e.v. foundation foundation. gmbh inc inc. \
     incorporated institute kg l.l.c. laboratories laboratory labs limited llc llc. llp ltd ltd. n.v n.v. nv oy plc pty \
     s.a s.a. s.l. s.r.l. s.r.o. sa sarl software srl systems technologies technology university",
);

/// Abbreviations within names whose full stop ends no sentence.
const ABBREVIATED: Words = Words("al bros co gmbh corp dr etc inc jr ltd mr mrs pty sr st univ llc");

/// Whether a company's name may end with the word.
pub(super) fn is_company(word: &str) -> bool {
    let lower = word.to_lowercase();
    COMPANY.hold(lower.as_str()) || COMPANY.hold(lower.trim_end_matches('.'))
}

/// Whether the name of a group ends with the word.
pub(super) fn is_group(word: &str) -> bool {
    GROUPS.hold(word.trim_end_matches('.').to_lowercase().as_str())
}

/// Whether a full stop at the end of the word belongs to it: `Inc.`, `J.`, `e.V.`.
pub(super) fn is_abbreviated(word: &str) -> bool {
    let Some(bare) = word.strip_suffix('.') else { return false };
    bare.chars().count() == 1 || bare.contains('.') || ABBREVIATED.hold(bare.to_lowercase().as_str())
}

/// Whether the name is that of a constant in code: `SPDX_TEXT`, `Prefix.SPDX_TEXT`.
pub(super) fn is_constant(name: &str) -> bool {
    let last = name.rsplit('.').next().unwrap_or(name);
    let mut bytes = last.bytes();
    last.contains('_') && bytes.all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_')
}

/// Whether the word is written as a name: `Holder`, `nexB`, `37signals`, `Ørsted`.
pub(super) fn is_name(word: &str) -> bool {
    let mut chars = word.chars().filter(|char| char.is_alphanumeric()).peekable();
    let digit = chars.peek().is_some_and(char::is_ascii_digit);
    match chars.peek() {
        Some(first) if first.is_uppercase() || (first.is_alphabetic() && !first.is_lowercase()) => true,
        _ => chars.any(|char| char.is_uppercase() || (digit && char.is_alphabetic())),
    }
}
