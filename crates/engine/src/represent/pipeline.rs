//! Work on some threads whose results come in the order of the work.

use std::collections::BTreeMap;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::mpsc::{Receiver, SyncSender, channel, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::thread;

/// Pieces of work for each thread that are given and not taken yet.
const UNDER_WAY: usize = 2;

/// Takes pieces of work.
pub(super) trait Pipeline<W> {
    /// Does `work` now or soon. An error is one of taking results.
    fn give(&mut self, work: W) -> io::Result<()>;
}

/// Lets `fill` give work to a pipeline. `make` does the work, on `threads` threads (0: one for each core), each of which keeps what
/// `begin` gives it. `take` gets the results on this thread, in the order in which the work was given.
pub(super) fn within<S, W: Send, M: Send, E: From<io::Error>>(
    threads: usize,
    begin: &(dyn Fn() -> S + Sync),
    make: &(dyn Fn(&mut S, W) -> M + Sync),
    take: &mut dyn FnMut(M) -> io::Result<()>,
    fill: impl FnOnce(&mut dyn Pipeline<W>) -> Result<(), E>,
) -> Result<(), E> {
    let threads = match threads {
        0 => thread::available_parallelism().map_or(1, std::num::NonZero::get),
        some => some,
    };
    if threads == 1 {
        return fill(&mut InPlace { state: begin(), make, take });
    }
    let most = threads * UNDER_WAY;
    let (give, given) = sync_channel::<(usize, W)>(most);
    let (answer, results) = channel();
    let given = Mutex::new(given);
    thread::scope(|scope| {
        for _ in 0..threads {
            let (given, answer) = (&given, answer.clone());
            scope.spawn(move || {
                let mut state = begin();
                // The lock is free again before the work begins.
                while let Ok((number, work)) = next(given) {
                    let made = catch_unwind(AssertUnwindSafe(|| make(&mut state, work)));
                    if answer.send((number, made)).is_err() {
                        return;
                    }
                }
            });
        }
        let mut ordered = Ordered { give, results, waiting: BTreeMap::new(), given: 0, taken: 0, most, take };
        fill(&mut ordered)?;
        ordered.take_until(0)?;
        Ok(())
    })
}

fn next<T>(given: &Mutex<Receiver<T>>) -> Result<T, std::sync::mpsc::RecvError> {
    given.lock().unwrap_or_else(PoisonError::into_inner).recv()
}

/// Does all work on the thread that gives it.
struct InPlace<'p, S, W, M> {
    state: S,
    make: &'p (dyn Fn(&mut S, W) -> M + Sync),
    take: &'p mut dyn FnMut(M) -> io::Result<()>,
}

impl<S, W, M> Pipeline<W> for InPlace<'_, S, W, M> {
    fn give(&mut self, work: W) -> io::Result<()> {
        (self.take)((self.make)(&mut self.state, work))
    }
}

/// Gives work to threads.
struct Ordered<'p, W, M> {
    give: SyncSender<(usize, W)>,
    results: Receiver<(usize, thread::Result<M>)>,
    /// Results that came before an earlier one.
    waiting: BTreeMap<usize, thread::Result<M>>,
    given: usize,
    taken: usize,
    most: usize,
    take: &'p mut dyn FnMut(M) -> io::Result<()>,
}

impl<W, M> Pipeline<W> for Ordered<'_, W, M> {
    fn give(&mut self, work: W) -> io::Result<()> {
        self.take_until(self.most - 1)?;
        self.given += 1;
        // Its threads end when this is gone.
        self.give.send((self.given - 1, work)).map_err(|_| io::Error::other("no thread is left"))
    }
}

impl<W, M> Ordered<'_, W, M> {
    /// Takes results until at most `left` are to come, and all that are there.
    fn take_until(&mut self, left: usize) -> io::Result<()> {
        loop {
            while let Some(result) = self.waiting.remove(&self.taken) {
                self.taken += 1;
                (self.take)(result.unwrap_or_else(|panic| resume_unwind(panic)))?;
            }
            let result = if self.given - self.taken > left {
                self.results.recv().map_err(io::Error::other)?
            } else if let Ok(result) = self.results.try_recv() {
                result
            } else {
                return Ok(());
            };
            self.waiting.insert(result.0, result.1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn squares(threads: usize, count: u64) -> Vec<u64> {
        let mut taken = Vec::new();
        let make = |(): &mut (), number: u64| {
            if number.is_multiple_of(7) {
                thread::sleep(std::time::Duration::from_micros(300));
            }
            number * number
        };
        let mut take = |square| {
            taken.push(square);
            Ok(())
        };
        within::<_, _, _, io::Error>(threads, &|| (), &make, &mut take, |pipeline| {
            (0..count).try_for_each(|number| pipeline.give(number))
        })
        .expect("taking never fails");
        taken
    }

    #[test]
    fn results_come_in_the_order_of_the_work() {
        for threads in [1, 2, 5] {
            assert_eq!(squares(threads, 500), (0..500).map(|it| it * it).collect::<Vec<_>>());
        }
        assert!(squares(3, 0).is_empty());
    }

    #[test]
    fn an_error_of_taking_ends_the_work() {
        for threads in [1, 3] {
            let mut taken = 0;
            let mut take = |()| {
                taken += 1;
                if taken == 5 { Err(io::Error::other("full")) } else { Ok(()) }
            };
            let done: io::Result<()> =
                within(threads, &|| (), &|(): &mut (), _: u8| (), &mut take, |pipeline| {
                    (0..100).try_for_each(|number| pipeline.give(number))
                });
            assert_eq!(done.expect_err("taking failed").to_string(), "full");
            assert_eq!(taken, 5);
        }
    }

    #[test]
    #[should_panic(expected = "the third")]
    fn a_panic_of_the_work_comes_back() {
        let make = |(): &mut (), number: u8| assert!(number != 3, "the third");
        let _: io::Result<()> = within(2, &|| (), &make, &mut |()| Ok(()), |pipeline| {
            (0..100).try_for_each(|number| pipeline.give(number))
        });
    }
}
