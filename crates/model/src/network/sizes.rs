//! The sizes of the encoder, and with them which weights it has.

use crate::spelling;

/// How large each part of the encoder is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sizes {
    /// Numbers for each token.
    pub token: usize,
    /// Numbers for each token in the middle of a block.
    pub token_inner: usize,
    /// Blocks over tokens.
    pub token_blocks: usize,
    /// Numbers for each statement.
    pub statement: usize,
    /// Numbers for each statement in the middle of a layer.
    pub statement_inner: usize,
    /// Layers of attention over statements.
    pub statement_layers: usize,
    /// Heads of attention in each layer.
    pub heads: usize,
    /// Heads that gather the statements into the vector.
    pub pooling_heads: usize,
    /// Numbers in the network's vector.
    pub output: usize,
    /// Most tokens that are read at once.
    pub context: usize,
    /// Most statements that are read at once.
    pub statements: usize,
    /// Numbers in the vector of each of the two bags.
    pub bag: usize,
}

/// Most numbers in a vector that is put together.
pub const VECTOR: usize = 256;

/// How far apart statements can be told from one another.
pub const REACH: usize = 32;

impl Sizes {
    /// The names of the sizes, in the order of a file of weights.
    pub const NAMES: [&'static str; 12] = [
        "token",
        "token_inner",
        "token_blocks",
        "statement",
        "statement_inner",
        "statement_layers",
        "heads",
        "pooling_heads",
        "output",
        "context",
        "statements",
        "bag",
    ];

    /// The sizes with their names, in the order of a file of weights.
    pub fn named(&self) -> [(&'static str, usize); 12] {
        let values = [
            self.token,
            self.token_inner,
            self.token_blocks,
            self.statement,
            self.statement_inner,
            self.statement_layers,
            self.heads,
            self.pooling_heads,
            self.output,
            self.context,
            self.statements,
            self.bag,
        ];
        std::array::from_fn(|at| (Self::NAMES[at], values[at]))
    }

    /// The sizes whose values [`Sizes::named`] gave, or the name of one that no encoder can have.
    pub fn from_values(values: [usize; 12]) -> Result<Self, &'static str> {
        let sizes = Self {
            token: values[0],
            token_inner: values[1],
            token_blocks: values[2],
            statement: values[3],
            statement_inner: values[4],
            statement_layers: values[5],
            heads: values[6],
            pooling_heads: values[7],
            output: values[8],
            context: values[9],
            statements: values[10],
            bag: values[11],
        };
        for (name, value) in sizes.named() {
            let least = usize::from(!matches!(name, "token_blocks" | "statement_layers"));
            if value < least || value > 4096 {
                return Err(name);
            }
        }
        if !sizes.statement.is_multiple_of(sizes.heads) {
            return Err("heads");
        }
        if !sizes.statement.is_multiple_of(sizes.pooling_heads) {
            return Err("pooling_heads");
        }
        Ok(sizes)
    }

    /// Numbers of the words, the spelling and the forms, which are not put together yet.
    pub fn of_bags(&self) -> usize {
        2 * self.bag + spelling::COLUMNS
    }

    /// Numbers in a vector whose parts are not put together yet.
    pub fn unblended(&self) -> usize {
        self.output + self.of_bags()
    }

    /// Multiply-adds of the encoder for a fragment of so many tokens and statements.
    pub fn multiply_adds(&self, tokens: usize, statements: usize) -> usize {
        let (t, s) = (self.token, self.statement);
        let of_token = self.token_blocks * (4 * t * self.token_inner + self.token_inner * t);
        let of_layer = 4 * s * s + 2 * s * self.statement_inner + 2 * s * statements;
        let of_statement = t * s + self.statement_layers * of_layer + s * (self.pooling_heads + s);
        tokens * of_token + statements * of_statement + 2 * s * self.output
    }
}
