import { analyseQuery } from '../../../../../pod/graph/engine/cypher/analyse-query';
import { foldConstants } from '../../../../../pod/graph/engine/evaluate/fold-constants';
import { VOCABULARY } from '../../../../../pod/graph/engine/falkordb/vocabulary';
import { type GraphEngine } from '../../../../../pod/graph/engine/graph-engine';
import { type BareFalkordb } from '../../support/bare-falkordb';
import { falkordb } from '../../support/falkordb';
import { right, scratchDirectory } from '../../support/loaded-engine';
import { createInFalkordb } from '../../support/quirk-graph';

describe('expressions without names of variables, which the pod computes', () => {
  let engine: GraphEngine;
  let bare: BareFalkordb;

  beforeAll(async () => {
    engine = falkordb(await scratchDirectory());
    right(await engine.start());
    bare = await createInFalkordb(engine, "CREATE (:N {id: 1, name: 'Ann'}), (:N {id: 2, name: 'Bob'})");
  });

  afterAll(async () => {
    bare.close();
    await engine.close();
  });

  const parameters = { id: '2', x: 'Annabel', one: 1n, ids: ['1', '3'] };
  const ask = async (text: string) => right(await engine.query({ text, parameters, timeoutMs: 20_000 }));

  test.each([
    ['MATCH (n:N {id: toInteger($id)}) RETURN n.name', '[["Bob"]]'],
    ['MATCH (n:N {id: toFloat($id)}) RETURN n.name', '[["Bob"]]'],
    ['MATCH (n:N {id: round(1.6)}) RETURN n.name', '[["Bob"]]'],
    ['MATCH (n:N {id: 1}) WHERE n.name = left($x, 3) RETURN n.id', '[[1]]'],
    ['MATCH (n:N {id: 1, name: substring($x, 0, 3)}) RETURN n.id', '[[1]]'],
    ['MATCH (n:N) WHERE n.id IN [x IN $ids | toInteger(x)] RETURN n.name', '[["Ann"]]'],
    ['MATCH (n:N) RETURN n.id ORDER BY n.id SKIP $one * 1 LIMIT toInteger($id)', '[[2]]'],
    ['MATCH (n:N) WHERE $one = 2 OR n.id = 2 RETURN n.id', '[[2]]'],
    ['MATCH (n:N {id: 1}) RETURN n.id / toFloat(2), n.id / toInteger(2.0), [x IN [2.0, 1] | x / 2]', '[[0.5,0,[1,0]]]'],
    ["MATCH (n:N) WHERE n.id < toInteger('9223372036854775807') RETURN count(*)", '[[2]]'],
    ["MATCH (n:N {id: 1}) RETURN toInteger('9223372036854775807') - n.id", '[[9223372036854775806]]'],
    ['MATCH (n:N {id: 1}) RETURN CASE WHEN n.id = 1 THEN 1 ELSE 1 / 0 END', '[[1]]'],
    ['UNWIND range(1, 3) AS x RETURN sum(x) / 4', '[[1]]'],
    ['MATCH (n:N) WITH n, rand() < 2 AS r WHERE r RETURN count(*)', '[[2]]'],
  ])('%s', async (text, rows) => expect((await ask(text)).rowsJson).toBe(rows));

  test('a column without a name has the text of the query as its title', async () => {
    const { columns, columnTypes } = await ask('MATCH (n:N {id: 1}) RETURN left($x, 3), 1 + 1, 1 + 1 AS two');
    expect([columns, columnTypes]).toEqual([
      ['left($x, 3)', '1 + 1', 'two'],
      ['STRING', 'INT64', 'INT64'],
    ]);
  });

  test('a text is analysed once for all values of its parameters', () => {
    const analysed = right(analyseQuery('MATCH (n:N {id: toInteger($id)}) RETURN n.id + 1, rand()', VOCABULARY));
    const [one, two, same, great] = ['1', '2', 2.5, '9223372036854775807'].map((id) => foldConstants(analysed, { id }));
    expect(two?.query).toBe(one?.query);
    expect(same?.query).toBe(one?.query);
    expect(same?.parameters).toEqual({ id: 2.5, _c1: 2n });
    expect(great?.query).toBe(one?.query);
    expect(great?.parameters).toEqual({ id: '9223372036854775807', _c1: 9223372036854775807n });
  });
});
