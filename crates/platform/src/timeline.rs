//! When the steps of a compilation ran: what `-ftime-trace` writes.

use std::sync::{Mutex, PoisonError};
use std::thread::ThreadId;
use std::time::{Duration, Instant, SystemTime};

/// A step that came to its end.
#[derive(Clone, Debug)]
pub struct Event {
    /// The step.
    pub name: &'static str,
    /// What it was done for: a function, a file.
    pub detail: String,
    /// From the beginning of the time line.
    pub start: Duration,
    /// How long it took.
    pub time: Duration,
    /// Where it ran.
    pub thread: ThreadId,
}

/// Steps of one compilation, as its threads report them.
#[derive(Debug)]
pub struct Timeline {
    /// The beginning.
    begin: Instant,
    /// The same by the clock on the wall.
    pub begin_time: SystemTime,
    events: Mutex<Vec<Event>>,
}

impl Timeline {
    /// A time line that begins now.
    #[expect(clippy::new_without_default, reason = "it matters when it is made")]
    pub fn new() -> Timeline {
        Timeline { begin: Instant::now(), begin_time: SystemTime::now(), events: Mutex::default() }
    }

    /// When it began.
    pub fn begin(&self) -> Instant {
        self.begin
    }

    /// Notes a step that has run from `start` until now.
    pub fn add(&self, name: &'static str, detail: &str, start: Instant) {
        let event = Event {
            name,
            detail: detail.to_string(),
            start: start.saturating_duration_since(self.begin),
            time: start.elapsed(),
            thread: std::thread::current().id(),
        };
        self.events.lock().unwrap_or_else(PoisonError::into_inner).push(event);
    }

    /// All steps so far, by their starts; outer ones before those in them.
    pub fn events(&self) -> Vec<Event> {
        let mut events = self.events.lock().unwrap_or_else(PoisonError::into_inner).clone();
        events.sort_by_key(|event| (event.start, std::cmp::Reverse(event.time)));
        events
    }
}
