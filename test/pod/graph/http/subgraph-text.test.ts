import fc from 'fast-check';
import { entitiesText } from '../../../../pod/graph/http/subgraph-text';

/** The entities of values, found by parsing. */
const entitiesIn = (values: readonly unknown[]) => {
  const [nodes, edges] = [new Map<unknown, object>(), new Map<unknown, object>()];
  const collect = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    const [[first, id] = [], [second] = []] = Object.entries(value) as [string, unknown][];
    const isEntity = first === '_id' && (typeof id !== 'object' || id === null);
    if (isEntity && second === '_label') return void nodes.set(id, value);
    if (!isEntity || second !== '_type') return Object.values(value).forEach(collect);
    const { _src, _dst, ...shown } = value as Readonly<Record<string, unknown>>;
    const names = Object.entries(shown).map(([name, one]) => [{ _start: '_from', _end: '_to' }[name] ?? name, one]);
    edges.set(id, Object.fromEntries(names) as object);
  };
  values.forEach(collect);
  const [a, b] = [[...nodes.values()], [...edges.values()]];
  return { nodes: a, edges: b, node_count: a.length, edge_count: b.length };
};

const texts = fc.constantFrom('', 'x', '"', '\\', '\\"', '{"_id":1,"_label":"L"}', ',]}:', 'é\n');
const scalars = fc.oneof(texts, fc.integer(), fc.boolean(), fc.constant(null));
const properties = fc.dictionary(texts, fc.oneof(scalars, fc.array(scalars), fc.constant({ _id: 1, _label: 'inner' })));
const ids = fc.oneof(fc.integer({ min: 0, max: 5 }), texts);
const nodes = fc.tuple(ids, properties).map(([_id, rest]) => ({ _id, _label: 'L', ...rest }));
const edges = fc
  .tuple(ids, properties)
  .map(([_id, rest]) => ({ _id, _type: 'T', _src: 1, _start: 'a', _end: 'b', _dst: 2, ...rest }));
const values = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 5 },
    nodes,
    edges,
    scalars,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.oneof(texts, fc.constantFrom('_id', '_label', '_type')), tie('value'), { maxKeys: 4 }),
  ),
})).value;

describe('the entities of an answer', () => {
  it('the entities are those anywhere in the rows, each once, with numbers as they are spelt', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(values, { maxLength: 6 }), async (rows) => {
        const text = await entitiesText(rows.map((row) => JSON.stringify(row)));
        expect(JSON.parse(`{${text}}`)).toEqual(entitiesIn(rows));
      }),
    );
    const exact = '{"_id":"n","_label":"N","x":9007199254740993,"y":1.0}';
    expect(await entitiesText([`[[${exact},{"m":[${exact}]}]]`])).toBe(
      `"nodes":[${exact}],"edges":[],"node_count":1,"edge_count":0`,
    );
  });

  it('an answer is read once, however deep it is, with pauses in which other requests run', async () => {
    const row = JSON.stringify(Array.from({ length: 20_000 }, (_, key) => ({ _id: key, _label: 'L', name: 'Zoë' })));
    const pausesOf = async (text: string): Promise<number> => {
      let pauses = 0;
      await entitiesText([text], () => Promise.resolve(pauses++));
      return pauses;
    };
    const pauses = await pausesOf(row);
    expect(pauses).toBe(Math.floor(row.length / 65_536));
    expect(await pausesOf('['.repeat(60) + row + ']'.repeat(60))).toBe(pauses);
  });
});
