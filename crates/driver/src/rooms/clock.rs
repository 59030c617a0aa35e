//! `-ftime-report`: where the time of a translation unit goes.

use super::Job;
use platform::options::Options;
use platform::timeline::Timeline;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Elapsed time stage by stage, and inside the stages what their workers took, added up over the
/// threads.
pub(super) struct Clock {
    /// Where the stages are noted for `-ftime-trace`.
    timeline: Option<Arc<Timeline>>,
    /// Whether there will be a table.
    is_printed: bool,
    /// The start of the unit and of the present stage; `None` when nobody wants to know.
    started: Option<(Instant, Instant)>,
    stages: Vec<(&'static str, Duration)>,
    parts: Vec<(&'static str, Duration)>,
}

impl Clock {
    /// Starts with the first stage.
    pub fn new(options: &Options) -> Clock {
        let (timeline, is_printed) = (options.timeline.clone(), options.time_report);
        let started = (is_printed || timeline.is_some()).then(|| (Instant::now(), Instant::now()));
        Clock { timeline, is_printed, started, stages: Vec::new(), parts: Vec::new() }
    }

    /// A stage ends and the next begins.
    pub fn stage(&mut self, name: &'static str) {
        if let Some((_, last)) = &mut self.started {
            let now = Instant::now();
            self.stages.push((name, now - *last));
            if let Some(timeline) = &self.timeline {
                // The outer steps have clang's names, which tools know.
                timeline.add(if name.starts_with("front end") { "Frontend" } else { "Backend" }, name, *last);
            }
            *last = now;
        }
    }

    /// Parts of the stages, in their order: passes, steps of code generation.
    pub fn parts(&mut self, parts: impl IntoIterator<Item = (&'static str, Duration)>) {
        if self.started.is_some() {
            self.parts.extend(parts);
        }
    }

    /// The table: milliseconds, and per cent of the elapsed time.
    pub fn print(&self, job: &Job<'_>) {
        let Some((start, last)) = self.started.filter(|_| self.is_printed) else { return };
        let total = last - start;
        let row = |name: &str, time: Duration| {
            let percent = 100.0 * time.as_secs_f64() / total.as_secs_f64().max(1e-9);
            job.session.diag.write_raw(&format!("{name:<38} {:>10.3} ms {percent:>5.1} %\n", time.as_secs_f64() * 1e3));
        };
        job.session.diag.write_raw(&format!("time of {}\n", job.options.input_name));
        self.stages.iter().for_each(|&(name, time)| row(name, time));
        row("total", total);
        if !self.parts.is_empty() {
            job.session.diag.write_raw("parts of these, over all threads\n");
            self.parts.iter().for_each(|&(name, time)| row(&format!("  {name}"), time));
        }
    }
}
