import { type GraphEngine } from '../../../../../pod/graph/engine/graph-engine';
import { type BareFalkordb } from '../../support/bare-falkordb';
import { falkordb } from '../../support/falkordb';
import { left, right, scratchDirectory } from '../../support/loaded-engine';
import { createInFalkordb } from '../../support/quirk-graph';

describe('conditions that FalkorDB evaluates differently', () => {
  let engine: GraphEngine;
  let bare: BareFalkordb;

  beforeAll(async () => {
    engine = falkordb(await scratchDirectory());
    right(await engine.start());
    bare = await createInFalkordb(engine, 'CREATE (a:N {id: 1})-[:E]->(b:N {id: 2}), (a)-[:E]->(b)');
  });

  afterAll(async () => {
    bare.close();
    await engine.close();
  });

  const asked = (text: string) => ({ text, parameters: { no: false, one: 1n }, timeoutMs: 20_000 });

  test.each([
    [
      'UNWIND [2.5, -1.5, 0.49999999999999994, -1.25, 1.005, 4503599627370497.5] AS x RETURN round(x), round(x, 0), round(x, 1), round(x, 2)',
      '[[3,3,2.5,2.5],[-1,-1,-1.5,-1.5],[0,0,0.5,0.5],[-1,-1,-1.3,-1.25],[1,1,1,1.01],[4503599627370498,4503599627370498,4503599627370498,4503599627370498]]',
    ],
    [
      'MATCH (n:N) WITH n.id AS a RETURN a, [(a IN [1])], [a IN [1], 2], [(a IN [1]) AND true], [CASE WHEN a IN [1] THEN 3 END] ORDER BY a',
      '[[1,[true],[true,2],[true],[3]],[2,[false],[false,2],[false],[null]]]',
    ],
    [
      'MATCH p = (n:N {id: 1})-->(m) RETURN DISTINCT [x IN nodes(p) WHERE x:N | CASE WHEN x.id IN [1] THEN [x.id] END], [x IN nodes(p) WHERE (x:M|N) | x.id], [(n)-->(), 1]',
      '[[[[1],null],[1,2],[true,1]]]',
    ],
    ["MATCH (n:N) RETURN round(n.id / 4.0, n.id, 'HALF_EVEN') AS x ORDER BY x", '[[0.2],[0.5]]'],
    [
      'MATCH (`n``m`:N) CALL (`n``m`) { MATCH (`n``m`)-[:E]->(k) RETURN count(k) AS x } RETURN `n``m`.id, x ORDER BY x',
      '[[2,0],[1,2]]',
    ],
    ['MATCH (n:N)-[:E*3..2]->(m) RETURN count(*), count(m)', '[[0,0]]'],
    ['MATCH p = (n:N {id: 1})-[r:E*2..1]-(m)-[:E]-(k) WHERE length(p) > 0 RETURN p, r, m', '[]'],
    ['MATCH (n:N) OPTIONAL MATCH (n)-[r:E*..0]->(m) RETURN n.id, r, m ORDER BY n.id', '[[1,null,null],[2,null,null]]'],
    [
      'MATCH (n:N) WHERE NOT (n)-[:E*3..2]->() RETURN n.id, size([(n)-[:E*2..1]->(m) | m]), COUNT { (n)-[:E*3..2]->() }, exists((n)-[:E*2..1]-()) ORDER BY n.id',
      '[[1,0,0,false],[2,0,0,false]]',
    ],
    ['MATCH (n:N) RETURN n.id, NOT (n)-[:E]->() AS x ORDER BY x', '[[1,false],[2,true]]'],
    ['MATCH (n:N) RETURN n.id, exists((n)-[:E]->()) AS x ORDER BY n.id', '[[1,true],[2,false]]'],
    ['MATCH (n:N) WHERE exists((n)-[:E]->()) OR n.id = 7 RETURN n.id', '[[1]]'],
    [
      'MATCH (n:N) RETURN n.id, COUNT { (n)--() }, COUNT { (n)-[:E]->(:N) }, COUNT { (n)-[:E]->(:M) }, EXISTS { (n)<-[:F|E]-() }, COUNT { ()-->(n) } ORDER BY n.id',
      '[[1,2,2,0,false,0],[2,2,0,0,true,2]]',
    ],
    ['MATCH (n:N) RETURN COUNT { (m)-->() } AS m, n.id ORDER BY n.id', '[[2,1],[2,2]]'],
    [
      'MATCH (n:N) OPTIONAL MATCH (n)-->(m) RETURN DISTINCT n.id, COUNT { (m)<--() }, exists((m)<--()) ORDER BY n.id',
      '[[1,2,true],[2,0,false]]',
    ],
    ['MATCH (n:N) RETURN [x IN [n] WHERE (x)-[:E]->() | x.id] AS x ORDER BY x', '[[[]],[[1]]]'],
    ['MATCH (n)-[r]->() RETURN n.id, count(r), count(*)', '[[1,2,2]]'],
    ['MATCH (n:N) WITH n, COUNT { (n)-[:E]->() } AS x RETURN n.id, x ORDER BY x', '[[2,0],[1,2]]'],
    ['MATCH (n:N) WHERE NOT (n)-[:E]->() AND n.id < 7 RETURN n.id', '[[2]]'],
    ['MATCH (n:N) WHERE COUNT { (n)-[:E]->() } > 1 RETURN n.id', '[[1]]'],
    ['MATCH (n:N) WHERE NOT (n)-[:E]->() XOR n.id = 7 RETURN n.id', '[[2]]'],
    [
      'MATCH (n:N) RETURN n.id, [(n)-[:E]->(m) | m.id] AS x, COUNT { (n)--() } AS y ORDER BY y DESC, n.id',
      '[[1,[2,2],2],[2,[],2]]',
    ],
    ['MATCH (n:N) WHERE EXISTS { MATCH (n)-->(m) WHERE m.id > n.id } RETURN n.id', '[[1]]'],
    [
      'MATCH (n:N) WHERE any(x IN [0, 1] WHERE COUNT { (n)-->() } > x) RETURN *',
      '[[{"_id":"N:1","_label":"N","id":1}]]',
    ],
    [
      'MATCH (n:N) OPTIONAL MATCH (n)-->(m) WHERE NOT EXISTS { (m)-->(k) WHERE k.id > 0 } RETURN n.id, m.id',
      '[[1,2],[1,2],[2,null]]',
    ],
    [
      'MATCH (n:N) OPTIONAL MATCH (n)-->(m) RETURN DISTINCT n.id, any(x IN [2] WHERE x = m.id), reduce(s = 0, x IN [1] | s + m.id), [x IN [1] | m][0] IS NULL ORDER BY n.id',
      '[[1,true,2,false],[2,null,null,true]]',
    ],
    [
      'MATCH (n:N) OPTIONAL MATCH (n)-->(m) OPTIONAL MATCH (k:N) WHERE any(x IN [2] WHERE x = m.id) RETURN DISTINCT n.id, k.id ORDER BY n.id, k.id',
      '[[1,1],[1,2],[2,null]]',
    ],
    ['MATCH (n:N) RETURN n.id, COLLECT { MATCH (n)-->(m) RETURN DISTINCT m.id } AS x ORDER BY x', '[[2,[]],[1,[2]]]'],
    ['MATCH (n:N) WHERE EXISTS { MATCH (n)-->(m) RETURN m UNION MATCH (n)-[:F]->(m) RETURN m } RETURN n.id', '[[1]]'],
    [
      'MATCH (n:N) RETURN n.id AS i, {n: n.id, c: count(*), s: sum(n.id)} AS m ORDER BY n.id DESC LIMIT 1',
      '[[2,{"n":2,"c":1,"s":2}]]',
    ],
    ['MATCH (n:N) WITH n.id % 1 AS x, n.id AS y, count(n) + n.id AS z WHERE z > 2 RETURN x, y, z', '[[0,2,3]]'],
    [
      'MATCH (n:N {id: 2}) RETURN n.id, count(n) + n.id UNION ALL MATCH (n:N {id: 1}) RETURN n.id, count(n) + n.id',
      '[[2,3],[1,2]]',
    ],
    ['CALL { MATCH (n:N) RETURN n.id AS i, count(*) + n.id AS c ORDER BY c DESC LIMIT 1 } RETURN i, c', '[[2,3]]'],
    ['MATCH (n:N) WITH n WHERE $no AND n.id > 0 RETURN count(*)', '[[0]]'],
    ['MATCH (n:N) WITH n AS m WHERE m.id > 0 AND $one = 1 RETURN count(*)', '[[2]]'],
    ['UNWIND [1] AS n WITH DISTINCT n WHERE null RETURN count(n), max(n)', '[[0,null]]'],
    ['RETURN $one AS x, [0x1F, 0o17], "\\u00e9\\n" = "é\\n", 2 ^ 3 ^ 2', '[[1,[31,15],true,64]]'],
  ])('%s', async (text, rows) => {
    expect(right(await engine.query(asked(text))).rowsJson).toBe(rows);
  });

  test.each([
    [
      'MATCH (n:N) OPTIONAL MATCH (n)-[r:E*1..2]->(m) RETURN n.id, m.id, size(r) ORDER BY n.id',
      '[[1,2,1],[1,2,1],[2,null,null]]',
    ],
    [
      'MATCH (n:N) OPTIONAL MATCH p = (n)-[:E*1..2]->(m) WHERE m.id > 1 RETURN n.id, length(p) ORDER BY n.id',
      '[[1,1],[1,1],[2,null]]',
    ],
    ['MATCH (n:N)-[:E*1..6]->(m), (n)-[:E*1..6]->(k) RETURN count(*)', '[[2]]'],
  ])('%s has no warning', async (text, rows) => {
    const { rowsJson, warnings } = right(await engine.query(asked(text)));
    expect([rowsJson, warnings]).toEqual([rows, undefined]);
  });

  test.each([
    ['MATCH (n:N)-[r:E*]->(m) RETURN count(*)', 'its length is not limited; write lengths up to 8'],
    ['MATCH (n:N)-[:E*1..7]->(m), (n)-[:E*1..8]->(k) RETURN count(*)', 'the variable lengths of one MATCH have 56'],
  ])('the rejection of %s gives its cause', async (text, cause) =>
    expect(left(await engine.query(asked(text)))).toMatchObject({
      kind: 'rejected',
      message: expect.stringContaining(`because ${cause}`) as string,
    }),
  );

  test.each([
    ['MATCH (n:N) RETURN (n)-[:E]->()', 'A pattern is a condition', 20],
    ['MATCH (n:N) RETURN [x IN [n] WHERE (x)-[:E]->({id: 2}) | x.id]', 'write UNWIND list AS x', 36],
    ['MATCH (n) RETURN n.`a``b` AS x', 'The name a`b is not possible here', 20],
    ['MATCH (n:N) RETURN size((n)-->()) AS x', 'Write COUNT { (a)-->(b) } instead of size', 20],
    ['RETURN 017', 'Write 17, or 0o017', 8],
    ['RETURN "\\u0000"', 'Invalid character in a text', 8],
    ['RETURN CAST(1 AS STRING)', 'instead of CAST', 8],
    ['MATCH (n:N) RETURN n.*', 'Write properties(n)', 22],
  ])('%s is rejected', async (text, message, column) => {
    expect(left(await engine.query(asked(text)))).toEqual({
      kind: 'rejected',
      message: expect.stringContaining(message) as string,
      position: { line: 1, column },
    });
  });
});
