import { tmpdir } from 'node:os';
import { findNodes, readKeys } from '../../../../pod/graph/algorithms/node-keys';
import { numberedTable } from '../../../../pod/graph/algorithms/read-graph';
import { openDuckdb } from '../../../../pod/graph/duckdb/duckdb-session';

const BIG = '9223372036854775807';

test.each([
  ['whole numbers', { A: ['-1', '7', '8'], B: ['7', '9'], C: ['8', '10'] }, 'BIGINT'],
  ['large whole numbers', { A: ['7', BIG], B: [BIG] }, 'BIGINT'],
  ['texts', { A: ['a', 'b:c', '"x"'], B: ['b:c', 'A:a'] }, 'VARCHAR'],
  ['one label', { A: ['1', '2'] }, 'BIGINT'],
])(
  'keys that are %s are shown with the label where labels share them, and are found by that text',
  async (_, labels, type) => {
    const session = await openDuckdb({ memoryBytes: 2 ** 28, threads: 1, scratchDirectory: tmpdir() });
    const nodes = Object.entries(labels).map(([label, { length: rowCount }]) => ({
      label,
      files: [],
      rowCount,
      keyColumn: 'key',
    }));
    const all = Object.entries(labels).flatMap(([label, keys]) => keys.map((key) => ({ label, key })));
    for (const [place, { label }] of nodes.entries()) {
      const rows = all.flatMap((node, number) => (node.label === label ? [`('${node.key}'::${type}, ${number}::UINTEGER)`] : [])); // prettier-ignore
      await session.run(
        `CREATE TABLE ${numberedTable(place)} AS SELECT * FROM (VALUES ${rows.join()}) AS t(key, number)`,
      );
    }
    const graph = { directed: false, parallel: 'sum' as const, nodes, edges: [] };
    const expected = all.map(({ label, key }) =>
      all.filter((other) => other.key === key).length > 1 ? `${label}:${key}` : key,
    );

    const keyOf = await readKeys(session, graph, all.length);
    const someKeyOf = await readKeys(session, graph, all.length, [...all.keys()]);
    const found = await findNodes(session, graph, [...expected, 'unknown', ...all.map(({ key }) => key)]);
    expect(new Set(found.keys())).toEqual(new Set(expected));
    for (const [number, shown] of expected.entries()) {
      const oneKeyOf = await readKeys(session, graph, all.length, [number]);
      expect([keyOf(number), someKeyOf(number), oneKeyOf(number)]).toEqual([shown, shown, shown]);
      expect(found.get(shown)).toBe(number);
    }
    session.close();
  },
);
