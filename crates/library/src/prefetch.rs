//! Fetching sources that lie elsewhere, a few ahead of the one that is being read.

use std::collections::BTreeSet;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Mutex, PoisonError};

use familiar_corpus::{Fetched, Limits, Source, SourceError};

use crate::CorpusError;

/// How many sources are fetched at the same time.
const THREADS: usize = 8;

/// How many more may wait until they are read.
const WAITING: usize = 4;

/// A source whose turn it is.
pub(crate) enum Turn<'s> {
    /// It is read where it lies.
    Here(&'s dyn Source),
    Fetched(Fetched),
    Failed(SourceError),
}

/// Calls `turn` with every source in its order, those from elsewhere fetched unless they are `known_blobs`, until it fails. At most
/// `THREADS + WAITING` fetched sources wait on the disk.
pub(crate) fn each(
    sources: &[(String, Box<dyn Source>)],
    held: &BTreeSet<String>,
    limits: &Limits,
    mut turn: impl FnMut(&str, Turn<'_>) -> Result<(), CorpusError>,
) -> Result<(), CorpusError> {
    let (jobs, taken) = sync_channel::<(&dyn Source, SyncSender<Result<Fetched, SourceError>>)>(0);
    let (promises, ready) = sync_channel::<Receiver<Result<Fetched, SourceError>>>(WAITING);
    let taken = Mutex::new(taken);
    let is_held = |name: &str| held.contains(name);
    let fetch = || {
        loop {
            let job = taken.lock().unwrap_or_else(PoisonError::into_inner).recv();
            // The end of the jobs.
            let Ok((source, answer)) = job else { return };
            if let Some(remote) = source.remote() {
                // Nobody takes it where the reading ended with an error.
                let _ = answer.send(remote.fetch(&is_held, limits));
            }
        }
    };
    let remotes = || sources.iter().map(|(_, source)| &**source).filter(|source| source.remote().is_some());
    let threads = remotes().take(THREADS).count();
    std::thread::scope(|scope| {
        // It goes with the end of the reading, which ends the handing out and with it the threads.
        let ready = ready;
        for _ in 0..threads {
            std::thread::Builder::new().spawn_scoped(scope, fetch).map_err(CorpusError::Thread)?;
        }
        let hand_out = move || {
            for source in remotes() {
                let (answer, promise) = sync_channel(1);
                if promises.send(promise).is_err() || jobs.send((source, answer)).is_err() {
                    return;
                }
            }
        };
        std::thread::Builder::new().spawn_scoped(scope, hand_out).map_err(CorpusError::Thread)?;
        for (name, source) in sources {
            if source.remote().is_none() {
                turn(name, Turn::Here(&**source))?;
                continue;
            }
            let fetched = ready.recv().ok().and_then(|promise| promise.recv().ok());
            match fetched {
                Some(Ok(fetched)) => turn(name, Turn::Fetched(fetched))?,
                Some(Err(error)) => turn(name, Turn::Failed(error))?,
                // The thread that had it has panicked, which the end of the scope passes on.
                None => break,
            }
        }
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use familiar_corpus::{Remote, Sink};

    use super::*;

    /// A source from elsewhere that takes its time, or fails.
    struct Far(u64);

    impl Source for Far {
        fn read(&self, _: &Limits, _: &mut Sink<'_>) -> Result<(), SourceError> {
            Ok(())
        }

        fn remote(&self) -> Option<&dyn Remote> {
            (self.0 > 0).then_some(self)
        }
    }

    impl Remote for Far {
        fn fetch(&self, held: &dyn Fn(&str) -> bool, _: &Limits) -> Result<Fetched, SourceError> {
            let name = format!("far:{}", self.0);
            if self.0.is_multiple_of(7) {
                return Err(SourceError::Remote { name, source: "gone".into() });
            }
            std::thread::sleep(Duration::from_millis(self.0 % 5));
            let source = (!held(&name)).then(|| Box::new(Self(0)) as Box<dyn Source>);
            Ok(Fetched { name, source })
        }
    }

    fn sources(count: u64) -> Vec<(String, Box<dyn Source>)> {
        (0..count).map(|n| (n.to_string(), Box::new(Far(n % 30)) as Box<dyn Source>)).collect()
    }

    #[test]
    fn sources_come_in_their_order_however_long_they_take() {
        let held = BTreeSet::from(["far:8".to_owned()]);
        let mut shown = Vec::new();
        let mut expected = Vec::new();
        for n in 0..100_u64 {
            expected.push(match n % 30 {
                0 => format!("{n} here"),
                n if n % 7 == 0 => format!("far:{n}: gone"),
                8 => format!("{n} held"),
                far => format!("{n} far:{far}"),
            });
        }
        each(&sources(100), &held, &Limits::default(), |name, turn| {
            shown.push(match turn {
                Turn::Here(_) => format!("{name} here"),
                Turn::Fetched(Fetched { source: None, .. }) => format!("{name} held"),
                Turn::Fetched(fetched) => format!("{name} {}", fetched.name),
                Turn::Failed(error) => error.to_string(),
            });
            Ok(())
        })
        .expect("no turn fails");
        assert_eq!(shown, expected);
    }

    #[test]
    fn an_error_ends_everything() {
        let mut turns = 0;
        let result = each(&sources(100), &BTreeSet::new(), &Limits::default(), |_, _| {
            turns += 1;
            if turns == 3 { Err(CorpusError::NoVectors { folder: "x".into() }) } else { Ok(()) }
        });
        assert!(result.is_err());
        assert_eq!(turns, 3);
    }
}
