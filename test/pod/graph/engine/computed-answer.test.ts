import { left as leftOf, right as rightOf } from 'fp-ts/Either';
import { analyseQuery } from '../../../../pod/graph/engine/cypher/analyse-query';
import { VOCABULARY } from '../../../../pod/graph/engine/duckdb/compile/functions';
import { computedAnswer } from '../../../../pod/graph/engine/evaluate/computed-answer';
import { markedRows } from '../../../../pod/graph/engine/evaluate/row-values';
import { type GraphAnswer, type GraphQuery } from '../../../../pod/graph/engine/graph-engine';
import { EMPTY_SCHEMA, scalar } from '../../../../pod/graph/engine/graph-schema';
import { left, right } from '../support/loaded-engine';

const ID = { name: 'id', type: scalar('INT64'), declaredType: 'INT64', wholeMilliseconds: false };
const SCHEMA = {
  ...EMPTY_SCHEMA,
  nodeTables: [{ label: 'N', primaryKey: ID, properties: [], rowCount: 0 }],
} as unknown as typeof EMPTY_SCHEMA;
const REFUSED = { kind: 'rejected', message: 'not possible here', position: null } as const;

/** An engine that rejects one text and answers others with rows; `asked`: the other texts it received. */
const refusing = (text: string, rows: readonly (readonly unknown[])[], parameters: GraphQuery['parameters'] = {}) => {
  const asked: string[] = [];
  const answer = (): GraphAnswer => ({
    columns: [],
    columnTypes: [],
    rowsJson: JSON.stringify(rows),
    rowCount: rows.length,
    truncated: false,
  });
  const computing = {
    schema: SCHEMA,
    analyse: (each: string) => analyseQuery(each, VOCABULARY),
    ask: (query: GraphQuery) => {
      if (query.text === text) return Promise.resolve(leftOf(REFUSED));
      asked.push(query.text);
      return Promise.resolve(rightOf(answer()));
    },
  };
  return { asked, answered: computedAnswer(computing, { text, parameters, timeoutMs: 1_000 }) };
};

test('the pod computes the clauses after the last MATCH from the properties that they use', async () => {
  const { asked, answered } = refusing(
    'MATCH (n:N) WHERE n.id > 1 RETURN [x IN [n.id, $x] | x + 1] AS l LIMIT 2',
    [[2]],
    {
      x: 5,
    },
  );
  expect(right(await answered).rowsJson).toBe('[[[3,6]]]');
  expect(asked).toEqual(['MATCH (`n`:`N`) WHERE `n`.`id` > 1 RETURN `n`.`id` AS `_r1` LIMIT 2']);
});

test('numbers are exact, columns have the titles and types of the query', async () => {
  const { answered } = refusing('MATCH (n:N) RETURN n.id + 1, [1, null, {a: 0.5}]', []);
  expect(right(await answered)).toMatchObject({ columns: ['n.id + 1', '[1, null, {a: 0.5}]'], rowCount: 0 });
  const huge = refusing("RETURN 9007199254740993 IN [1] AS a, {b: 9007199254740993, c: 'é'} AS b", []);
  expect(right(await huge.answered)).toMatchObject({
    columnTypes: ['BOOL', 'MAP'],
    rowsJson: '[[false,{"b":9007199254740993,"c":"é"}]]',
  });
});

test('what is an error in openCypher is rejected without the engine', async () => {
  const { asked, answered } = refusing('WITH $x AS x RETURN x[0]', [], { x: 'text' });
  expect(left(await answered)).toMatchObject({
    kind: 'rejected',
    message: expect.stringMatching(/openCypher/) as string,
  });
  expect(asked).toEqual([]);
});

test('a text of an answer may have any length, and numbers stay exact', () => {
  const text = 'a'.repeat(20_000_000);
  expect(markedRows(`[["${text}\\"",9223372036854775807,-1.5e-7]]`)).toEqual([
    [`s${text}"`, 'n9223372036854775807', 'n-1.5e-7'],
  ]);
});

const many = Array.from({ length: 10_001 }, (_, at) => [at]);

test.each([
  ['more rows than the pod reads', 'MATCH (n:N) RETURN [n.id]', many, {}],
  ['more steps than it takes', 'UNWIND range(1, 100000) AS x RETURN [x, x, x, x, x] AS l', [], {}],
  ['more steps of a sort', 'UNWIND range(1, 20000) AS x RETURN [x] AS l ORDER BY x * 7919 % 20011', [], {}],
  ['a list that doubles', "RETURN reduce(s = 'a', x IN range(1, 90) | s + s) AS s", [], {}],
  ['a regular expression', "MATCH (n:N) RETURN ['a' =~ '(a+)+b']", [[1]], {}],
  ['an id, which is the engine’s', 'MATCH (n:N) RETURN [id(n)]', [[1]], {}],
  ['a missing parameter', 'MATCH (n:N) RETURN [$x]', [[1]], {}],
  ['an error of openCypher', 'MATCH (n:N) RETURN [n.id / 0]', [[1]], {}],
  ['ORDER BY of what DISTINCT has dropped', 'MATCH (n:N) RETURN DISTINCT [1] AS l ORDER BY n.id', [[1]], {}],
] as const)('the rejection of the engine is kept for %s', async (_, text, rows, parameters) => {
  expect(left(await refusing(text, rows, parameters).answered)).toEqual(REFUSED);
});

test.each([
  ['ends the engine', { kind: 'fatal', message: 'SIGSEGV' }],
  ['takes too long', { kind: 'timeout', timeoutMs: 1_000 }],
  ['takes too much memory', { kind: 'memory' }],
] as const)('a query for rows that %s fails the query, and nothing runs again', async (_, failure) => {
  const asked: string[] = [];
  const ask = ({ text }: GraphQuery) => {
    asked.push(text);
    return Promise.resolve(leftOf(asked.length === 1 ? REFUSED : failure));
  };
  const computing = { schema: SCHEMA, analyse: (each: string) => analyseQuery(each, VOCABULARY), ask };
  const text = 'MATCH (n:N) WHERE n.id > 1 RETURN [n.id]';
  expect(left(await computedAnswer(computing, { text, parameters: {}, timeoutMs: 1_000 }))).toEqual(failure);
  expect(asked).toHaveLength(2);
});
