//! Strongly connected components of any graph.

/// The components of nodes `0..count`, each after those that
/// its edges lead to. `target` gives the end of a node's edge by number, or nothing after the last;
/// the end may be no node. Tarjan's algorithm ("Depth-First Search and Linear Graph Algorithms",
/// 1972) with an explicit stack; linear.
pub fn components(count: usize, target: impl Fn(usize, usize) -> Option<Option<usize>>) -> Vec<Vec<usize>> {
    let (mut index, mut low, mut on_stack) = (vec![0u32; count], vec![0u32; count], vec![false; count]);
    let (mut clock, mut stack, mut components) = (0, Vec::new(), Vec::new());
    for root in 0..count {
        if index[root] != 0 {
            continue;
        }
        let mut frames = vec![(root, 0usize)];
        while let Some((node, next)) = frames.last_mut() {
            let node = *node;
            if *next == 0 {
                clock += 1;
                (index[node], low[node]) = (clock, clock);
                stack.push(node);
                on_stack[node] = true;
            }
            if let Some(inner) = target(node, *next) {
                *next += 1;
                let Some(inner) = inner else { continue };
                if index[inner] == 0 {
                    frames.push((inner, 0));
                } else if on_stack[inner] {
                    low[node] = low[node].min(index[inner]);
                }
                continue;
            }
            frames.pop();
            if let Some(&(outer, _)) = frames.last() {
                low[outer] = low[outer].min(low[node]);
            }
            if low[node] == index[node] {
                let start = stack.iter().rposition(|&s| s == node).expect("component root is on the stack");
                let component = stack.split_off(start);
                component.iter().for_each(|&n| on_stack[n] = false);
                components.push(component);
            }
        }
    }
    components
}
