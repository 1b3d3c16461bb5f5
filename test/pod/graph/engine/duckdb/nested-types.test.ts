import { buffer } from 'node:stream/consumers';
import { tableFromIPC } from 'apache-arrow';
import { GraphNode } from '../../../../../pod/graph/engine/evaluate/values';
import { tablesOf } from '../../../../proof/cypher/engine/graph-tables';
import { loadedTables } from '../../../../proof/cypher/engine/loaded-graph';
import { type LoadedEngine, right } from '../../support/loaded-engine';

const nodes = [1n, 2n].map((id) => new GraphNode(Number(id), ['N'], new Map([['id', id]])));

describe('the types of an Arrow export', () => {
  let loaded: LoadedEngine;
  beforeAll(async () => {
    const tables = tablesOf({ nodes, relationships: [] });
    if (typeof tables === 'string') throw new Error(tables);
    loaded = await loadedTables('graphdb_a', tables);
  });
  afterAll(() => loaded.end());

  test.each([
    ['collect(n.id)', 'List<Int64>', '[1,2]'],
    [
      'collect({id: n.id, f: [0.5]})',
      'List<Struct<{id:Int64, f:List<Float64>}>>',
      '[{"id":1,"f":[0.5]},{"id":2,"f":[0.5]}]',
    ],
    ["collect(duration('P1D'))", 'List<Utf8>', '["P1D","P1D"]'],
    ['collect(CASE n.id WHEN 1 THEN {a: 1} ELSE {b: 2} END)', 'Utf8', '[{"a":1},{"b":2}]'],
    ['{a: CASE max(n.id) WHEN 2 THEN {a: 1} ELSE {b: 2} END}', 'Utf8', '{"a":{"a":1}}'],
    ["collect(CASE n.id WHEN 1 THEN 'x' ELSE 2 END)", 'Utf8', '["x",2]'],
    ['collect(n)[..1]', 'Utf8', '[{"_id":"N:1","_label":"N","id":1}]'],
    ['[]', 'Utf8', '[]'],
  ])('%s has the type %s', async (value, type, json) => {
    const text = `MATCH (n:N) WITH n ORDER BY n.id RETURN ${value} AS x, count(*) AS c`;
    const stream = right(await loaded.engine.exportRows({ text, parameters: {}, timeoutMs: 20_000 }, 'arrow'));
    const table = tableFromIPC(await buffer(stream));
    expect(String(table.schema.fields[0]?.type)).toBe(type);
    const found: unknown = table.getChild('x')?.get(0);
    expect(
      typeof found === 'string'
        ? found
        : JSON.stringify(found, (_, part: unknown) => (typeof part === 'bigint' ? Number(part) : part)),
    ).toBe(json);
  });
});
