//! Many programs, each at several levels, in children that may die.

use crate::child::{self, End, Shared};
use crate::execute::{self, Answer, Way};
use crate::finding::{self, Fault, Finding};
use crate::generate::{Feature, Recipe};
use crate::random::Random;
use crate::steer::Steering;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

/// Programs of one child.
const BATCH: usize = 250;

/// Of how many programs one is asked for its statistics.
const ASKED: u64 = 40;

/// Of how many in a thousand programs gcc is asked, too, which takes longer than all else: what the
/// front end gets wrong is wrong at all levels.
const OTHERS: usize = 5;

/// What to do and how far.
pub struct Plan {
    /// Programs to try.
    pub count: u64,
    /// The first seed.
    pub seed: u64,
    /// Children at a time.
    pub jobs: usize,
    /// Where children leave their notes.
    pub folder: PathBuf,
    /// When to stop, whatever is left.
    pub until: Option<Instant>,
    /// Findings after which it stops.
    pub most: usize,
}

/// What came of it.
pub struct Outcome {
    /// Programs that were tried.
    pub tried: u64,
    /// Programs the interpreter ran, too.
    pub interpreted: u64,
    /// What is wrong, in the order it was found.
    pub findings: Vec<(Recipe, Finding)>,
    /// What was learned of the passes.
    pub steering: Steering,
}

/// A child at work.
struct Worker {
    recipes: Vec<Recipe>,
    child: i32,
    shared: Shared,
    notes: PathBuf,
    /// The program it was at when last looked, and since when.
    at: (u64, Instant),
}

// What the child tells in the shared page: the number of the program in its batch, the way it is
// run, how many were interpreted.
const PROGRAM: usize = 0;
const WAY: usize = 1;
const INTERPRETED: usize = 2;

/// Tries the programs of a plan; `progress` is told now and then how many are done and what is
/// found.
///
/// # Errors
/// There is no room for children, or their notes cannot be written.
pub fn run(plan: &Plan, mut progress: impl FnMut(u64, usize)) -> Result<Outcome, String> {
    let steering = Steering::new(plan.seed);
    let mut outcome = Outcome { tried: 0, interpreted: 0, findings: Vec::new(), steering };
    let mut workers: Vec<Option<Worker>> = (0..plan.jobs).map(|_| None).collect();
    let mut begun = 0;
    loop {
        let stop = plan.until.is_some_and(|until| Instant::now() > until) || outcome.findings.len() >= plan.most;
        let mut busy = false;
        for (slot, place) in workers.iter_mut().enumerate() {
            if place.is_none() && begun < plan.count && !stop {
                let count = (plan.count - begun).min(BATCH as u64);
                begun += count;
                let recipes: Vec<Recipe> = (0..count).map(|_| outcome.steering.next()).collect();
                *place = Some(Worker::start(recipes, plan.folder.join(format!("notes-{slot}")))?);
            }
            if let Some(worker) = place {
                busy = true;
                if worker.look(&mut outcome)? {
                    *place = None;
                    progress(outcome.tried, outcome.findings.len());
                }
            }
        }
        if !busy {
            return Ok(outcome);
        }
        std::thread::sleep(Duration::from_millis(2));
    }
}

impl Worker {
    fn start(recipes: Vec<Recipe>, notes: PathBuf) -> Result<Worker, String> {
        let shared = Shared::new()?;
        let file = std::fs::File::create(&notes).map_err(|e| format!("{}: {e}", notes.display()))?;
        drop(file);
        let child = child::start(|| work(&recipes, &shared, &notes))?;
        Ok(Worker { recipes, child, shared, notes, at: (0, Instant::now()) })
    }

    /// Looks after the child; whether the batch is done. A child that dies is followed by another
    /// for the programs that are left.
    fn look(&mut self, outcome: &mut Outcome) -> Result<bool, String> {
        let end = match child::ended(self.child) {
            Some(end) => end,
            None => {
                let steps = self.shared.number(PROGRAM).load(Relaxed) << 8 | self.shared.number(WAY).load(Relaxed);
                if steps != self.at.0 {
                    self.at = (steps, Instant::now());
                }
                if self.at.1.elapsed() < finding::LIMIT {
                    return Ok(false);
                }
                child::end(self.child);
                End::TimedOut
            }
        };
        let (program, way) =
            (self.shared.number(PROGRAM).load(Relaxed) as usize, self.shared.number(WAY).load(Relaxed));
        self.take_notes(outcome)?;
        if program >= self.recipes.len() {
            outcome.tried += self.recipes.len() as u64;
            return Ok(true);
        }
        let recipe = self.recipes[program];
        let ways = ways(recipe);
        let suspect = ways[(way as usize).min(ways.len() - 1)].clone();
        let fault = match end {
            End::Signal(signal) => Fault::Crash(signal),
            End::TimedOut => Fault::Hang,
            // A panic outside the compiler's own guard.
            End::Done => Fault::Refused("the child ended before its work".to_string()),
        };
        outcome.findings.push((recipe, Finding { reference: ways[0].clone(), suspect, fault }));
        outcome.tried += program as u64 + 1;
        self.recipes.drain(..=program);
        let recipes = std::mem::take(&mut self.recipes);
        if recipes.is_empty() {
            return Ok(true);
        }
        *self = Worker::start(recipes, self.notes.clone())?;
        Ok(false)
    }

    /// Reads the child's notes: findings and counters.
    fn take_notes(&self, outcome: &mut Outcome) -> Result<(), String> {
        let mut text = String::new();
        let file = std::fs::File::open(&self.notes).and_then(|mut file| file.read_to_string(&mut text));
        file.map_err(|e| format!("{}: {e}", self.notes.display()))?;
        outcome.interpreted += self.shared.number(INTERPRETED).load(Relaxed);
        for line in text.lines() {
            let fields: Vec<&str> = line.split('\t').collect();
            match fields[..] {
                ["finding", recipe, reference, suspect, fault, detail] => {
                    let fault = match fault {
                        "differs" => Fault::Differs,
                        "refused" => Fault::Refused(detail.to_string()),
                        _ => Fault::Undefined(detail.to_string()),
                    };
                    let finding = Finding { reference: reference.parse()?, suspect: suspect.parse()?, fault };
                    outcome.findings.push((recipe.parse()?, finding));
                }
                ["counters", features, counters] => {
                    let counters: Vec<String> = counters.split('|').map(str::to_string).collect();
                    outcome.steering.learn(u32::from_str_radix(features, 16).unwrap_or(0), &counters);
                }
                _ => {}
            }
        }
        Ok(())
    }
}

/// The ways that a program is run, the believed one first.
pub fn ways(recipe: Recipe) -> Vec<Way> {
    let mut random = Random::new(recipe.seed ^ 0x77a1_5eed);
    let native = |options: &str| Way::Native(options.split(' ').map(str::to_string).collect());
    let mut ways = vec![native("-O0")];
    // Reading the IR's text and interpreting take as long as two compilations.
    if random.chance(12) {
        ways.push(Way::Interpreted(vec!["-O0".to_string()]));
    }
    if random.chance(4) {
        ways.push(Way::Interpreted(vec!["-O2".to_string()]));
    }
    let levels = ["-O1", "-O2", "-O2", "-O2", "-O3", "-O3", "-O3", "-Os", "-Og"];
    let extra = [
        "",
        "",
        "",
        " -fno-inline",
        // Contracted operations give other results than those of `-O0`.
        " -march=x86-64-v3 -ffp-contract=off",
        " -g",
        " -fwrapv",
        " -fno-strict-aliasing",
        " -fPIC",
        " -fno-tree-vectorize",
        " -fsanitize=undefined",
        " -fno-tree-sra",
        " -fno-omit-frame-pointer",
        " -ftrivial-auto-var-init=pattern",
    ];
    let has = |feature: Feature| recipe.features >> feature as u32 & 1 != 0;
    if random.below(1000) < OTHERS && !has(Feature::BitInts) {
        ways.push(Way::Other(vec!["gcc".to_string(), random.pick(&["-O0", "-O0", "-O2"]).to_string()]));
    }
    let first = random.pick(&levels).to_string();
    ways.push(native(&(first.clone() + *random.pick(&extra))));
    if random.chance(20) {
        ways.push(native(if first == "-O2" { "-O3" } else { "-O2" }));
    }
    if random.chance(3) {
        ways.push(Way::SameCode(vec![first]));
    }
    if random.chance(12) {
        ways.push(random_passes(&mut random));
    }
    // What is wrong in the IR does not always show in what the program does.
    if random.chance(10) {
        let natives = ways.iter_mut().skip(1).filter_map(|way| match way {
            Way::Native(options) => Some(options),
            _ => None,
        });
        natives.for_each(|options| options.push("--verify-each".to_string()));
    }
    ways
}

/// A list of passes in any order.
fn random_passes(random: &mut Random) -> Way {
    // Instrumentation calls a library that is not here.
    let names: Vec<&str> = middle::pipeline::names().filter(|name| !matches!(*name, "asan" | "tsan")).collect();
    let count = 3 + random.below(25);
    let list: Vec<&str> = (0..count).map(|_| *random.pick(&names)).collect();
    Way::Native(vec!["-O2".to_string(), format!("--passes={}", list.join(","))])
}

/// The work of a child.
fn work(recipes: &[Recipe], shared: &Shared, notes: &Path) {
    let Ok(mut notes) = std::fs::OpenOptions::new().append(true).open(notes) else { return };
    for (index, &recipe) in recipes.iter().enumerate() {
        shared.number(WAY).store(0, Relaxed);
        shared.number(PROGRAM).store(index as u64, Relaxed);
        let source = execute::source(recipe);
        let mut expected = None;
        let ways = ways(recipe);
        for (number, way) in ways.iter().enumerate() {
            shared.number(WAY).store(number as u64, Relaxed);
            let answer = execute::run(&source, way);
            if matches!((way, &answer), (Way::Interpreted(_), Answer::Hash(_))) {
                shared.number(INTERPRETED).fetch_add(1, Relaxed);
            }
            let found = match (&answer, expected) {
                (Answer::Hash(hash), None) => {
                    expected = Some(*hash);
                    None
                }
                // Nothing to compare with: what is wrong with the first is said of it.
                (answer, None) => finding::fault(answer, 0),
                (answer, Some(expected)) => finding::fault(answer, expected),
            };
            let Some(found) = found else { continue };
            let (fault, detail) = match &found {
                Fault::Refused(why) => ("refused", why.as_str()),
                Fault::Undefined(why) => ("undefined", why.as_str()),
                _ => ("differs", ""),
            };
            let detail = detail.replace(['\t', '\n'], " ");
            child::answer(&mut notes, &format!("finding\t{recipe}\t{}\t{way}\t{fault}\t{detail}", ways[0]));
            break;
        }
        if recipe.seed % ASKED == 0 {
            let counters = execute::counters(&source);
            child::answer(&mut notes, &format!("counters\t{:x}\t{}", recipe.features, counters.join("|")));
        }
    }
    shared.number(PROGRAM).store(recipes.len() as u64, Relaxed);
}
