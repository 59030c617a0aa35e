//! A layered layout (Sugiyama, Tagawa and Toda, "Methods for Visual Understanding of Hierarchical
//! System Structures", 1981).
//!
//! 1. Nodes come in an order in which edges go forward but for the back edges of loops; a node's
//!    layer is the longest way to it.
//! 2. An edge over several layers passes through a *bend* in each; a back edge gets bends beside
//!    its own ends as well, so that it leaves its block at the bottom, runs up beside the others
//!    and enters at the top.
//! 3. Sweeps down and up order each layer by the mean position of the neighbours.
//! 4. Coordinates: alternately for each layer the least squares of the distances to the neighbours'
//!    centres, in order and without overlap (isotonic regression by pooling adjacent violators).

/// What is to be laid out. Nodes are numbered in drawing order: all edges but back edges lead to
/// higher numbers.
pub struct Graph {
    /// Width and height of each node.
    pub sizes: Vec<(f32, f32)>,
    /// From, to.
    pub edges: Vec<(usize, usize)>,
}

/// Where things are.
pub struct Layout {
    /// Left and top of each node.
    pub nodes: Vec<(f32, f32)>,
    /// The points of each edge, from its start to its end: between them it is vertical through
    /// layers and curved between layers.
    pub edges: Vec<Vec<(f32, f32)>>,
    /// Width and height of all.
    pub size: (f32, f32),
}

/// Between neighbours of a layer.
const GAP: f32 = 26.0;
/// Width of a bend.
const BEND: f32 = 8.0;
/// Between layers, and more for each edge that crosses.
const LAYER_GAP: f32 = 40.0;
const LAYER_GAP_PER_EDGE: f32 = 3.0;
const LAYER_GAP_MOST: f32 = 110.0;
/// Sweeps of ordering and of placement; the last one goes down, so that the edges of a tree do not
/// cross.
const SWEEPS: usize = 13;
/// Bends of one drawing; further long edges go straight.
const MAX_BENDS: usize = 40_000;

/// A node or a bend in its layer.
struct Item {
    layer: usize,
    width: f32,
    /// Items of the layers above and below that it is joined to.
    up: Vec<usize>,
    down: Vec<usize>,
    /// A bend beside the end of a back edge: the node it belongs to.
    beside: Option<usize>,
    /// Position in the layer while it is ordered.
    order: f32,
    centre: f32,
}

/// Lays out a graph.
pub fn layout(graph: &Graph) -> Layout {
    let layers = layers_of(graph);
    let mut items: Vec<Item> = graph.sizes.iter().zip(&layers).map(|(size, &layer)| Item::new(layer, size.0)).collect();
    let chains: Vec<Vec<usize>> = graph.edges.iter().map(|&edge| add_bends(&mut items, &layers, edge)).collect();
    let depth = layers.iter().max().map_or(0, |l| l + 1);
    let mut rows: Vec<Vec<usize>> = vec![Vec::new(); depth];
    for (index, item) in items.iter().enumerate() {
        rows[item.layer].push(index);
    }
    order(&mut items, &mut rows);
    place(&mut items, &rows);
    coordinates(graph, &items, &rows, &layers, &chains)
}

impl Item {
    fn new(layer: usize, width: f32) -> Item {
        Item { layer, width, up: Vec::new(), down: Vec::new(), beside: None, order: 0.0, centre: 0.0 }
    }
}

fn layers_of(graph: &Graph) -> Vec<usize> {
    let mut layers = vec![0; graph.sizes.len()];
    let mut sorted: Vec<(usize, usize)> = graph.edges.iter().copied().filter(|(from, to)| from < to).collect();
    sorted.sort_unstable();
    for (from, to) in sorted {
        layers[to] = layers[to].max(layers[from] + 1);
    }
    layers
}

/// Makes the bends of an edge, from its start to its end, and joins them.
fn add_bends(items: &mut Vec<Item>, layers: &[usize], (from, to): (usize, usize)) -> Vec<usize> {
    let back = from >= to;
    let (top, bottom) =
        if back { (layers[to], layers[from]) } else { (layers[from] + 1, layers[to].saturating_sub(1)) };
    let count = (bottom + 1).saturating_sub(top);
    if items.len() + count > MAX_BENDS + layers.len() {
        return Vec::new();
    }
    let mut chain: Vec<usize> = Vec::with_capacity(count);
    for layer in top..bottom + 1 {
        let bend = items.len();
        items.push(Item::new(layer, BEND));
        if let Some(&above) = chain.last() {
            join(items, above, bend);
        }
        chain.push(bend);
    }
    if back {
        if let (Some(&first), Some(&last)) = (chain.first(), chain.last()) {
            items[first].beside = Some(to);
            items[last].beside = Some(from);
        }
        chain.reverse();
    } else {
        let (first, last) = (chain.first().copied().unwrap_or(to), chain.last().copied().unwrap_or(from));
        join(items, from, first);
        if last != from {
            join(items, last, to);
        }
    }
    chain
}

fn join(items: &mut [Item], above: usize, below: usize) {
    items[above].down.push(below);
    items[below].up.push(above);
}

/// Orders the layers by the mean position of the neighbours.
fn order(items: &mut [Item], rows: &mut [Vec<usize>]) {
    for row in rows.iter() {
        for (position, &item) in row.iter().enumerate() {
            items[item].order = position as f32;
        }
    }
    for sweep in 0..SWEEPS {
        let down = sweep % 2 == 0;
        let count = rows.len();
        for step in 0..count {
            let row = &mut rows[if down { step } else { count - 1 - step }];
            let mut keys: Vec<(f32, usize)> = row
                .iter()
                .map(|&index| {
                    let item = &items[index];
                    let neighbours = if down { &item.up } else { &item.down };
                    let mut sum: f32 = neighbours.iter().map(|&n| items[n].order).sum();
                    let mut count = neighbours.len();
                    if let Some(node) = item.beside {
                        sum += items[node].order + 0.5;
                        count += 1;
                    }
                    (if count == 0 { item.order } else { sum / count as f32 }, index)
                })
                .collect();
            keys.sort_by(|a, b| a.0.total_cmp(&b.0));
            *row = keys.into_iter().map(|k| k.1).collect();
            let middle = row.len() as f32 / 2.0;
            for (position, &item) in row.iter().enumerate() {
                items[item].order = position as f32 - middle;
            }
        }
    }
}

/// Centres: near the neighbours', in order, without overlap.
fn place(items: &mut [Item], rows: &[Vec<usize>]) {
    for row in rows {
        let mut at = 0.0;
        for &item in row {
            items[item].centre = at + items[item].width / 2.0;
            at += items[item].width + GAP;
        }
    }
    for sweep in 0..SWEEPS {
        let down = sweep % 2 == 0;
        for step in 0..rows.len() {
            let row = &rows[if down { step } else { rows.len() - 1 - step }];
            let wanted: Vec<f32> = row.iter().map(|&index| wanted_centre(items, index, down, sweep)).collect();
            // With the least distances taken off, "in order" is "not descending".
            let mut offsets = Vec::with_capacity(row.len());
            let mut offset = 0.0;
            for (position, &item) in row.iter().enumerate() {
                if position > 0 {
                    offset += (items[row[position - 1]].width + items[item].width) / 2.0 + GAP;
                }
                offsets.push(offset);
            }
            let relative: Vec<f32> = wanted.iter().zip(&offsets).map(|(w, o)| w - o).collect();
            for ((&item, value), offset) in row.iter().zip(ascending(&relative)).zip(&offsets) {
                items[item].centre = value + offset;
            }
        }
    }
}

/// The mean of the neighbours' centres; in the last sweeps of both sides.
fn wanted_centre(items: &[Item], index: usize, down: bool, sweep: usize) -> f32 {
    let item = &items[index];
    let both = sweep + 4 >= SWEEPS;
    let mut sum = 0.0;
    let mut count = 0;
    for (list, used) in [(&item.up, down || both), (&item.down, !down || both)] {
        for &neighbour in list.iter().filter(|_| used) {
            sum += items[neighbour].centre;
            count += 1;
        }
    }
    if let Some(node) = item.beside {
        sum += items[node].centre + (items[node].width + item.width) / 2.0 + GAP;
        count += 1;
    }
    if count == 0 { item.centre } else { sum / count as f32 }
}

/// The ascending sequence with the least sum of squared distances to the one given.
fn ascending(wanted: &[f32]) -> Vec<f32> {
    // Pools of neighbours with one value: sum and length.
    let mut pools: Vec<(f32, usize)> = Vec::new();
    for &value in wanted {
        pools.push((value, 1));
        while let [.., (a, m), (b, n)] = pools[..]
            && a / m as f32 > b / n as f32
        {
            pools.truncate(pools.len() - 2);
            pools.push((a + b, m + n));
        }
    }
    pools.into_iter().flat_map(|(sum, count)| std::iter::repeat_n(sum / count as f32, count)).collect()
}

fn coordinates(graph: &Graph, items: &[Item], rows: &[Vec<usize>], layers: &[usize], chains: &[Vec<usize>]) -> Layout {
    let left = items.iter().map(|i| i.centre - i.width / 2.0).fold(f32::MAX, f32::min).min(f32::MAX);
    let right = items.iter().map(|i| i.centre + i.width / 2.0).fold(f32::MIN, f32::max);
    let mut tops = Vec::with_capacity(rows.len());
    let mut bottoms = Vec::with_capacity(rows.len());
    let mut at = LAYER_GAP;
    for row in rows {
        let height = row.iter().filter(|&&i| i < graph.sizes.len()).map(|&i| graph.sizes[i].1).fold(0.0, f32::max);
        tops.push(at);
        bottoms.push(at + height);
        let crossing: usize = row.iter().map(|&i| items[i].down.len()).sum();
        at += height + (LAYER_GAP + LAYER_GAP_PER_EDGE * crossing as f32).min(LAYER_GAP_MOST);
    }
    let nodes: Vec<(f32, f32)> =
        (0..graph.sizes.len()).map(|n| (items[n].centre - items[n].width / 2.0 - left, tops[layers[n]])).collect();
    let (starts, ends) = ports(graph, items, chains);
    let mut edges = Vec::with_capacity(graph.edges.len());
    for (number, &(from, to)) in graph.edges.iter().enumerate() {
        let mut points = vec![(starts[number] - left, nodes[from].1 + graph.sizes[from].1)];
        for &bend in &chains[number] {
            let (x, layer) = (items[bend].centre - left, items[bend].layer);
            let through = [(x, tops[layer]), (x, bottoms[layer])];
            // Back edges run upwards.
            if from >= to { points.extend(through.iter().rev()) } else { points.extend(through) }
        }
        points.push((ends[number] - left, nodes[to].1));
        edges.push(points);
    }
    Layout { nodes, edges, size: (right - left, at) }
}

/// Where edges leave and enter: spread over the node's lower and upper side in the order of where
/// they go to and come from.
fn ports(graph: &Graph, items: &[Item], chains: &[Vec<usize>]) -> (Vec<f32>, Vec<f32>) {
    let (mut starts, mut ends) = (vec![0.0; graph.edges.len()], vec![0.0; graph.edges.len()]);
    let mut leaving: Vec<Vec<(f32, usize)>> = vec![Vec::new(); graph.sizes.len()];
    let mut entering = leaving.clone();
    for (number, &(from, to)) in graph.edges.iter().enumerate() {
        let chain = &chains[number];
        leaving[from].push((items[chain.first().copied().unwrap_or(to)].centre, number));
        entering[to].push((items[chain.last().copied().unwrap_or(from)].centre, number));
    }
    for (lists, out) in [(leaving, &mut starts), (entering, &mut ends)] {
        for (node, mut list) in lists.into_iter().enumerate() {
            list.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
            let (left, count) = (items[node].centre - items[node].width / 2.0, list.len() as f32);
            for (position, (_, number)) in list.into_iter().enumerate() {
                out[number] = left + items[node].width * (position as f32 + 1.0) / (count + 1.0);
            }
        }
    }
    (starts, ends)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn random(nodes: usize, seed: u64) -> Graph {
        let mut state = seed;
        let mut below = |n: usize| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 33) as usize % n
        };
        let mut edges = Vec::new();
        for node in 1..nodes {
            edges.push((below(node), node));
            if below(3) == 0 {
                edges.push((node, below(nodes)));
            }
        }
        let sizes = (0..nodes).map(|_| (40.0 + below(300) as f32, 20.0 + below(100) as f32)).collect();
        Graph { sizes, edges }
    }

    #[test]
    fn nodes_do_not_overlap_and_edges_join_them() {
        for seed in 0..20 {
            let graph = random(60, seed);
            let layout = layout(&graph);
            for (i, (a, s)) in layout.nodes.iter().zip(&graph.sizes).enumerate() {
                assert!(a.0 >= -0.1 && a.0 + s.0 <= layout.size.0 + 0.1 && a.1 + s.1 <= layout.size.1);
                for (b, t) in layout.nodes.iter().zip(&graph.sizes).skip(i + 1) {
                    let apart = a.0 + s.0 < b.0 || b.0 + t.0 < a.0 || a.1 + s.1 < b.1 || b.1 + t.1 < a.1;
                    assert!(apart, "seed {seed}: {a:?} {s:?} and {b:?} {t:?}");
                }
            }
            for (&(from, to), points) in graph.edges.iter().zip(&layout.edges) {
                let (first, last) = (points[0], points[points.len() - 1]);
                assert_eq!(first.1, layout.nodes[from].1 + graph.sizes[from].1);
                assert_eq!(last.1, layout.nodes[to].1);
            }
        }
    }

    #[test]
    fn the_edges_of_a_tree_do_not_cross() {
        let edges: Vec<(usize, usize)> = (1..60).map(|n| ((n - 1) / 3, n)).collect();
        let layout = layout(&Graph { sizes: vec![(40.0, 20.0); 60], edges: edges.clone() });
        let centre = |n: usize| layout.nodes[n].0;
        for &(a, b) in &edges {
            for &(c, d) in edges.iter().filter(|e| layout.nodes[e.0].1 == layout.nodes[a].1) {
                assert!((centre(a) - centre(c)) * (centre(b) - centre(d)) >= -0.1);
            }
        }
    }
}
