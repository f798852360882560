//! A set of words that is asked for each token.

/// A set of words.
#[derive(Debug)]
pub(super) struct Words {
    /// In the order of their bytes.
    pub(super) words: &'static [&'static str],
    /// For each first byte, where its words start.
    starts: [u8; 129],
    /// For each first byte, a bit for each length that one of its words has.
    lengths: [u32; 128],
}

impl Words {
    pub(super) const fn new(words: &'static [&'static str]) -> Self {
        let (mut starts, mut lengths) = ([0; 129], [0; 128]);
        let mut at = 0;
        while at < words.len() {
            let word = words[at].as_bytes();
            assert!(word.len() < 32 && word[0] < 128);
            lengths[word[0] as usize] |= 1 << word.len();
            let mut behind = word[0] as usize + 1;
            while behind < starts.len() {
                starts[behind] = at as u8 + 1;
                behind += 1;
            }
            at += 1;
        }
        Self { words, starts, lengths }
    }

    #[inline]
    pub(super) fn has(&self, text: &[u8]) -> bool {
        let Some(&first) = text.first().filter(|&&byte| byte < 128 && text.len() < 32) else { return false };
        let first = usize::from(first);
        if self.lengths[first] >> text.len() & 1 == 0 {
            return false;
        }
        let words = &self.words[usize::from(self.starts[first])..usize::from(self.starts[first + 1])];
        words.iter().any(|word| word.as_bytes() == text)
    }
}
