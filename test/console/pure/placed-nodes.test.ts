import { graphIn } from '../../../adapters/console/graph/exploration';
import { placedNodes } from '../../../adapters/console/graph/layouts';

const edge = (from: string, to: string) => ({ _id: `E:${from}${to}`, _type: 'E', _src: from, _dst: to });
const graph = graphIn([edge('A:1', 'A:2'), edge('A:2', 'A:3')]);
const nowhere = () => undefined;

test('a pinned node keeps its position, and is free after it is unpinned', () => {
  const pinned = placedNodes(graph, new Map(), (id) => (id === 'A:2' ? { x: 7, y: 8 } : undefined));
  expect(pinned.get('A:2')).toMatchObject({ x: 7, y: 8, fx: 7, fy: 8 });
  expect(pinned.get('A:1')).not.toHaveProperty('x');
  const free = placedNodes(graph, pinned, nowhere).get('A:2');
  expect(free).toMatchObject({ x: 7, y: 8 });
  expect(free).not.toHaveProperty('fx');
});

test('a new node starts next to a neighbour, and other nodes keep their positions', () => {
  const before = new Map([['A:2', { id: 'A:2', x: 100, y: 50, of: graph.nodes[1]! }]]);
  const placed = placedNodes(graph, before, nowhere);
  expect(placed.get('A:2')).toMatchObject({ x: 100, y: 50 });
  const { x = 0, y = 0 } = placed.get('A:3') ?? {};
  expect(Math.hypot(x - 100, y - 50)).toBeCloseTo(12);
});
