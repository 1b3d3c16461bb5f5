import { buffer } from 'node:stream/consumers';
import { engineOfKind, KINDS } from '../support/engine-of-kind';
import { type LoadedEngine, loadedEngine, right, scratchDirectory } from '../support/loaded-engine';
import { createSnapshot, mappingOf } from '../support/snapshot';

describe.each(KINDS)('names that stand for several things in %s', (kind) => {
  let loaded: LoadedEngine;

  beforeAll(async () => {
    const snapshot = await createSnapshot();
    const big = '9223372036854775807::BIGINT';
    await snapshot.export(
      'nodes/A',
      `SELECT i AS id, ${big} - i AS n, 'x' AS v, DATE '2024-01-01' AS w FROM range(3) t (i)`,
    );
    await snapshot.export('nodes/B', "SELECT 1::BIGINT AS id, [{'a': 1}] AS v, '\\xFF'::BLOB AS w");
    const key = { name: 'id', type: 'INT64' } as const;
    const properties = (v: 'STRING' | 'LIST', w: 'DATE' | 'BLOB') => [
      { name: 'v', type: v },
      { name: 'w', type: w },
    ];
    const mapping = mappingOf(snapshot, {
      node_definitions: [
        { label: 'A', primary_key: key, properties: [{ name: 'n', type: 'INT64' }, ...properties('STRING', 'DATE')] },
        { label: 'B', primary_key: key, properties: properties('LIST', 'BLOB') },
      ],
      edge_definitions: [],
    });
    const directory = await scratchDirectory();
    loaded = await loadedEngine(engineOfKind(kind, directory), mapping, snapshot, directory);
    await snapshot.remove();
  });
  afterAll(() => loaded.end());

  const asked = async (text: string) => right(await loaded.engine.query({ text, parameters: {}, timeoutMs: 20_000 }));

  test.each([
    ['MATCH (n:A) RETURN n.id AS id, n.n AS n ORDER BY n.id DESC', [2, 1, 0]],
    ['MATCH (n:A) WITH n.id AS id, n.n AS n ORDER BY n.id DESC LIMIT 2 RETURN id, n', [2, 1]],
    ['MATCH (n:A) RETURN n.id AS id, n.n AS n ORDER BY n.n', [2, 1, 0]],
  ])('%s sorts by the column with this expression', async (text, ids) => {
    expect((await loaded.rows(text)).map(([id]) => id)).toEqual(ids);
    const written = right(await loaded.engine.exportRows({ text, parameters: {}, timeoutMs: 20_000 }, 'csv'));
    expect(
      (await buffer(written))
        .toString()
        .split('\n')
        .slice(1, -1)
        .map((line) => Number(line[0])),
    ).toEqual(ids);
  });

  test('a property has the type that the label declares, although another label has one of its name', async () => {
    expect((await asked('MATCH (n:A) RETURN n.v, n.w')).columnTypes).toEqual(['STRING', 'DATE']);
    expect((await asked('MATCH (n:B) RETURN n.v, n.w')).columnTypes).toEqual(['LIST', 'BLOB']);
  });
});
