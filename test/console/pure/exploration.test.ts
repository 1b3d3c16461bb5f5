import { appearanceOf, captionOf, PLAIN_STYLE, propertiesOf } from '../../../adapters/console/graph/appearance';
import {
  graphIn,
  NOTHING_EXPLORED,
  partOf,
  visibleGraph,
  withGraph,
  withoutNode,
  withRequested,
} from '../../../adapters/console/graph/exploration';
import { placesOf } from '../../../adapters/console/graph/layouts';

const node = (key: number, more: object = {}) => ({
  _id: `Person:${key}`,
  _label: 'Person',
  name: `person ${key}`,
  age: null,
  ...more,
});
const knows = (from: number, to: number) => ({
  _id: `KNOWS:${from}-${to}`,
  _type: 'KNOWS',
  _src: `Person:${from}`,
  _dst: `Person:${to}`,
  since: 2020n,
});
const people = (count: number, more: (key: number) => object = () => ({})) =>
  graphIn(Array.from({ length: count }, (_, key) => node(key, more(key))));

describe('the graph in an answer', () => {
  test('contains each node and edge once, including those in paths and lists', () => {
    const graph = graphIn([
      [node(1), [node(1), knows(1, 2), node(2)]],
      [{ list: [knows(2, 3)] }, 7],
    ]);
    expect(graph.nodes.map(({ id, isStub }) => [id, isStub])).toEqual([
      ['Person:1', false],
      ['Person:2', false],
      ['Person:3', true],
    ]);
    expect(graph.edges.map(({ id }) => id)).toEqual(['KNOWS:1-2', 'KNOWS:2-3']);
    expect(graph.nodes[0]?.properties).toEqual({ name: 'person 1' });
    expect(graphIn([1, 'a', null]).nodes).toEqual([]);
  });
});

describe('an exploration', () => {
  const found = graphIn([node(1), node(2), node(3), knows(1, 2), knows(2, 3)]);
  const begun = withGraph(NOTHING_EXPLORED, found);
  const ids = (limit: number, of = begun) => visibleGraph(of, limit).nodes.map(({ id }) => id.slice(-1));

  test('draws no more nodes than the limit plus the requested ones, with the edges between them', () => {
    expect([ids(2), visibleGraph(begun, 2).edges.length]).toEqual([['1', '2'], 1]);
    const grown = withRequested(begun, graphIn([node(9), knows(3, 9)]));
    expect(ids(2, grown)).toEqual(['1', '2', '3', '9']);
  });

  test('hides nodes until they are requested, and keeps the known properties of a node', () => {
    const hidden = withoutNode(begun, 'Person:2');
    expect(ids(9, hidden)).toEqual(['1', '3']);
    const shown = withRequested(hidden, graphIn([knows(1, 2)]));
    expect(ids(9, shown)).toEqual(['1', '2', '3']);
    expect(shown.nodes.get('Person:2')?.properties).toEqual({ name: 'person 2' });
    expect(withGraph(shown, graphIn(node(2, { rank: 1 }))).nodes.get('Person:2')?.properties).toHaveProperty('rank', 1);
  });

  test('a subgraph contains the edges between its nodes', () =>
    expect(partOf(found, ({ id }) => id !== 'Person:3').edges.map(({ id }) => id)).toEqual(['KNOWS:1-2']));
});

describe('the style of a drawing', () => {
  test('captions are the chosen property, names, or keys', () => {
    const base = { label: 'A', isStub: false };
    expect(captionOf({ ...base, id: 'A:x:1', properties: {} })).toBe('x:1');
    expect(captionOf({ ...base, id: 'A:1', properties: { name: '<b>', size: 9n } })).toBe('<b>');
    expect(captionOf({ ...base, id: 'A:1', properties: { name: '<b>', size: 9n } }, 'size')).toBe('9');
  });

  test('colours of labels do not depend on their order, and can be chosen', () => {
    const [a, b] = ['A', 'B'].map((label) => ({ id: `${label}:1`, label, properties: {}, isStub: false }));
    const legend = (nodes: readonly (typeof a)[], colours = {}) =>
      appearanceOf({ ...PLAIN_STYLE, colours }, nodes as never).legend;
    expect(legend([b, a])).toEqual(legend([a, b]));
    expect(legend([a], { A: '#123456' })).toEqual([{ key: 'A', colour: '#123456', count: 1 }]);
  });

  test('colours of communities start with the largest one, and nodes without a community have their own', () => {
    const { nodes } = people(6, (key) => (key === 5 ? {} : { group: key < 3 ? 7n : key }));
    const { legend } = appearanceOf({ ...PLAIN_STYLE, colourBy: 'group' }, nodes);
    expect(legend.map(({ key, count }) => [key, count])).toEqual([
      ['7', 3],
      ['3', 1],
      ['4', 1],
      ['no value', 1],
    ]);
  });

  test('colours of a rank divide the nodes into five equal groups, and radii grow with the value', () => {
    const { nodes } = people(100, (key) => ({ rank: key / 100 }));
    const { legend, radiusOf } = appearanceOf({ ...PLAIN_STYLE, colourBy: 'rank', sizeBy: 'rank' }, nodes);
    expect(legend.map(({ count }) => count)).toEqual([20, 20, 20, 20, 20]);
    const radii = nodes.map(radiusOf);
    expect([radii[0], radii.at(-1)]).toEqual([3, 14]);
    expect(radii).toEqual([...radii].sort((x, y) => x - y));
  });

  test('values in a narrow range have five colours, too', () => {
    const { nodes } = people(10, (key) => ({ rank: 1000.5 + key / 1000 }));
    const { legend } = appearanceOf({ ...PLAIN_STYLE, colourBy: 'rank' }, nodes);
    expect(legend.map(({ key, count }) => [key, count])).toEqual(
      ['1000.501', '1000.503', '1000.505', '1000.507', '1000.509'].map((bound) => [`≤ ${bound}`, 2]),
    );
    expect(new Set(legend.map(({ colour }) => colour)).size).toBe(5);
  });

  test('reports which properties are numeric', () =>
    expect([...propertiesOf(people(2, (key) => ({ rank: key, mixed: key === 0 ? 1 : 'x' })).nodes)]).toEqual([
      ['mixed', false],
      ['name', false],
      ['rank', true],
    ]));
});

describe('a layout', () => {
  test('a tree has one level per step, and centers parents above their children', () => {
    const places = placesOf(people(3), 'tree');
    expect(places?.size).toBe(3);
    const tree = placesOf(graphIn([knows(1, 2), knows(1, 3), knows(3, 1), knows(0, 1)]), 'tree');
    const at = (key: number) => tree?.get(`Person:${key}`);
    expect([0, 1, 2, 3].map((key) => (at(key)?.y ?? NaN) / 70)).toEqual([0, 1, 2, 2]);
    expect(at(1)?.x).toBe(((at(2)?.x ?? NaN) + (at(3)?.x ?? NaN)) / 2);
  });

  test('a tree supports long chains and cycles', () => {
    const ring = graphIn(Array.from({ length: 20_000 }, (_, key) => knows(key, (key + 1) % 20_000)));
    expect(placesOf(ring, 'tree')?.size).toBe(20_000);
  });

  test('a circle places every node at the same distance from its center', () => {
    const places = [...(placesOf(people(7), 'circle')?.values() ?? [])];
    expect(new Set(places.map(({ x, y }) => Math.hypot(x, y).toFixed(6))).size).toBe(1);
    expect(placesOf(people(7), 'force')).toBeNull();
  });
});
