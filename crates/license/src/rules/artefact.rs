//! Rules as bytes: one zstd frame of numbers in little endian and of texts with their lengths before them.

use std::io;

use super::{Distinguishing, Does, Flags, KnownLicense, Rule, Rules, Telling, Vocabulary, Word};

const MAGIC: u32 = 0x4652_5532;
/// Compression of the artefact; it is made once.
const LEVEL: i32 = 19;

/// Room for what is unpacked, of which no more is used than is written; what takes more is unpacked again.
const MOST_UNPACKED: usize = 32 << 20;

/// Most items of a list that room is made for before they are read.
const MOST_AT_ONCE: usize = 1 << 16;

/// The bytes are no rules.
#[derive(Debug, thiserror::Error)]
#[error("the license rules are damaged")]
pub struct Damaged;

impl Rules {
    /// The rules as one artefact.
    pub fn encode(&self) -> io::Result<Vec<u8>> {
        let mut out = Writer::default();
        out.number(MAGIC);
        out.number(u32::from(self.vocabulary.legal));
        out.list(&self.vocabulary.words, |out, (word, number)| {
            out.text(word);
            out.number(u32::from(*number));
        });
        out.list(&self.expressions, |out, expression| out.text(expression));
        out.list(&self.licenses, |out, license| {
            out.text(&license.id);
            out.text(&license.category);
            out.list(&license.aliases, |out, alias| out.text(alias));
        });
        out.list(&self.rules, |out, rule| {
            out.text(&rule.name);
            out.number(rule.expression);
            out.number(u32::from(rule.flags.0));
            out.number(u32::from(rule.relevance));
            out.number(u32::from(rule.minimum_coverage));
            out.number(rule.legal);
            out.number(rule.anchor);
            out.list(&rule.required, |out, range| {
                out.number(range.start);
                out.number(range.end);
            });
            out.list(&rule.stops, |out, &(position, count)| {
                out.number(position);
                out.number(count);
            });
        });
        let Distinguishing { exchanged, dropped, passages } = &self.distinguishing;
        for Telling { words, after, before } in [exchanged, dropped, passages] {
            out.list(words, |out, word| out.number(u32::from(*word)));
            for pairs in [after, before] {
                out.list(pairs, |out, &(word, neighbor, does)| {
                    out.number(u32::from(word));
                    out.number(u32::from(neighbor) << 2 | does as u32);
                });
            }
        }
        for lengths in self.starts.windows(2) {
            out.number(lengths[1] - lengths[0]);
        }
        out.0.extend(self.tokens.iter().flat_map(|token| token.to_le_bytes()));
        let mut encoder = zstd::Encoder::new(Vec::new(), LEVEL)?;
        encoder.long_distance_matching(true)?;
        encoder.window_log(24)?;
        io::Write::write_all(&mut encoder, &out.0)?;
        encoder.finish()
    }

    /// Reads what [`Rules::encode`] wrote.
    pub fn decode(bytes: &[u8]) -> Result<Self, Damaged> {
        let mut unpacked = unpack(bytes)?;
        let mut from = Reader(bytemuck::cast_slice(&unpacked));
        if from.number()? != MAGIC {
            return Err(Damaged);
        }
        let legal = from.word()?;
        let words = from.list(|from| Ok((from.text()?, from.word()?)))?;
        let expressions = from.list(Reader::text)?;
        let licenses = from.list(|from| {
            Ok(KnownLicense { id: from.text()?, category: from.text()?, aliases: from.list(Reader::text)? })
        })?;
        let rules = from.list(Reader::rule)?;
        let distinguishing = Distinguishing {
            exchanged: from.telling()?,
            dropped: from.telling()?,
            passages: from.telling()?,
        };
        let mut starts = vec![0u32];
        for _ in &rules {
            let start = starts.last().copied().unwrap_or(0).checked_add(from.number()?).ok_or(Damaged)?;
            starts.push(start);
        }
        let count = starts.last().copied().unwrap_or(0) as usize;
        let tokens = from.0.get(..count * size_of::<Word>()).ok_or(Damaged)?;
        let start = unpacked.len() * size_of::<Word>() - from.0.len();
        let end = start + tokens.len();
        // They move to the front of the memory that they stand in: as much again would have to be made ready by the system.
        bytemuck::cast_slice_mut::<Word, u8>(&mut unpacked).copy_within(start..end, 0);
        unpacked.truncate(count);
        let mut tokens = unpacked;
        for token in &mut tokens {
            *token = Word::from_le(*token);
        }
        let vocabulary = Vocabulary { words, legal };
        Ok(Self { vocabulary, expressions, licenses, rules, starts, tokens, distinguishing })
    }
}

/// Unpacks all at once: unpacked part after part, it would need a window besides, as large as most of it.
fn unpack(bytes: &[u8]) -> Result<Vec<Word>, Damaged> {
    let mut size = MOST_UNPACKED;
    loop {
        let mut all: Vec<Word> = vec![0; size / size_of::<Word>()];
        let mut into = zstd::bulk::Decompressor::new().map_err(|_| Damaged)?;
        match into.decompress_to_buffer(bytes, bytemuck::cast_slice_mut::<Word, u8>(&mut all)) {
            Ok(length) => {
                all.truncate(length.div_ceil(size_of::<Word>()));
                return Ok(all);
            }
            Err(_) if size < MOST_UNPACKED << 4 => size *= 2,
            Err(_) => return Err(Damaged),
        }
    }
}

#[derive(Default)]
struct Writer(Vec<u8>);

impl Writer {
    /// Seven bits a byte, the low ones first.
    fn number(&mut self, mut number: u32) {
        while number >= 0x80 {
            self.0.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.0.push(number as u8);
    }

    fn text(&mut self, text: &str) {
        self.number(text.len() as u32);
        self.0.extend_from_slice(text.as_bytes());
    }

    fn list<T>(&mut self, items: &[T], each: impl Fn(&mut Self, &T)) {
        self.number(items.len() as u32);
        for item in items {
            each(self, item);
        }
    }
}

struct Reader<'b>(&'b [u8]);

impl Reader<'_> {
    fn number(&mut self) -> Result<u32, Damaged> {
        let mut number = 0u32;
        for shift in (0..35).step_by(7) {
            let (&byte, rest) = self.0.split_first().ok_or(Damaged)?;
            self.0 = rest;
            number |= u32::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Ok(number);
            }
        }
        Err(Damaged)
    }

    fn word(&mut self) -> Result<Word, Damaged> {
        Word::try_from(self.number()?).map_err(|_| Damaged)
    }

    fn byte(&mut self) -> Result<u8, Damaged> {
        u8::try_from(self.number()?).map_err(|_| Damaged)
    }

    fn text(&mut self) -> Result<String, Damaged> {
        let length = self.number()? as usize;
        let (text, rest) = self.0.split_at_checked(length).ok_or(Damaged)?;
        self.0 = rest;
        String::from_utf8(text.to_vec()).map_err(|_| Damaged)
    }

    fn list<T>(&mut self, mut each: impl FnMut(&mut Self) -> Result<T, Damaged>) -> Result<Vec<T>, Damaged> {
        let count = self.number()? as usize;
        let mut list = Vec::with_capacity(count.min(MOST_AT_ONCE));
        for _ in 0..count {
            list.push(each(self)?);
        }
        Ok(list)
    }

    fn telling(&mut self) -> Result<Telling, Damaged> {
        Ok(Telling {
            words: self.list(Self::word)?,
            after: self.list(Self::pair)?,
            before: self.list(Self::pair)?,
        })
    }

    /// A word, its neighbor, and whether it tells licenses apart there.
    fn pair(&mut self) -> Result<(Word, Word, Does), Damaged> {
        let (word, neighbor) = (self.word()?, self.number()?);
        let does = Does::ALL.get(neighbor as usize & 3).ok_or(Damaged)?;
        Ok((word, Word::try_from(neighbor >> 2).map_err(|_| Damaged)?, *does))
    }

    fn rule(&mut self) -> Result<Rule, Damaged> {
        Ok(Rule {
            name: self.text()?,
            expression: self.number()?,
            flags: Flags(self.word()?),
            relevance: self.byte()?,
            minimum_coverage: self.byte()?,
            legal: self.number()?,
            anchor: self.number()?,
            required: self.list(|from| Ok(from.number()?..from.number()?))?,
            stops: self.list(|from| Ok((from.number()?, from.number()?)))?,
        })
    }
}
