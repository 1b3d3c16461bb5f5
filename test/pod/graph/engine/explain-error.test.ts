import { analyseQuery } from '../../../../pod/graph/engine/cypher/analyse-query';
import { explainError } from '../../../../pod/graph/engine/cypher/explain-error';
import { DUCKDB_ERRORS } from '../../../../pod/graph/engine/duckdb/query-failure';
import { FALKORDB_ERRORS } from '../../../../pod/graph/engine/falkordb/run-query';
import { right } from '../support/loaded-engine';

const VOCABULARY = {
  functions: new Set(['HASLABELS', 'COUNT', 'SUM']),
  computed: new Set<string>(),
  procedures: new Set<string>(),
  elsewhere: new Map(),
  subqueries: new Set<never>(),
};
const asked = (text: string) => right(analyseQuery(text, VOCABULARY));

test.each([
  ['MATCH (n:A) RETURN sum(n.a)', 'Type mismatch: expected Integer, Float, or Null but was String', /^A value has the type String where Integer, Float/, [1, 20]],
  ['MATCH (a:A) OPTIONAL MATCH (a)-->(b) WHERE b.a = a.a RETURN b', "Unable to resolve filtered alias 'b'", /^A condition uses b where/, [1, 61]],
  ['MATCH (n:A) RETURN hasLabels(n)', "Received 1 arguments to function 'hasLabels', expected at least 2", /^hasLabels needs at least 2 values, and has 1/, [1, 20]],
] as const)('FalkorDB: %s, %s', (text, written, message, [line, column]) => {
  expect(explainError(written, FALKORDB_ERRORS, asked(text), null)).toEqual({
    kind: 'rejected',
    message: expect.stringMatching(message) as string,
    position: { line, column },
  });
}); // prettier-ignore

test('FalkorDB: the fields of a property that is kept as text', () => {
  const written =
    'Type mismatch: expected Map, Node, Edge, Datetime, Date, Time, Duration, Null, or Point but was String';
  expect(explainError(written, FALKORDB_ERRORS, asked('MATCH (n:A) RETURN n.a.b'), null).message).toContain(
    'FalkorDB keeps a MAP, STRUCT or nested LIST as JSON text: return the whole property',
  );
});

test.each([DUCKDB_ERRORS, FALKORDB_ERRORS])('every message has a next step, in plain words', (...lines) => {
  for (const [, reads] of lines) {
    expect(reads).toMatch(/^["A-Z$].*[^.]\.$/);
    expect(reads).not.toMatch(/exception|expected|oC_|not currently|is not supported/i);
  }
});

test('the position from the engine has precedence over the position of a name, and the text there is shown', () => {
  const text = 'MATCH (n:A) RETURN [x IN [1] WHERE x > 0]';
  expect(explainError('Invalid input <x>: expected rule oC_SingleQuery', FALKORDB_ERRORS, asked(text), 19)).toEqual({
    kind: 'rejected',
    message: 'This kind of instance cannot read "[x IN [1] WHERE x > 0]"; docs/guides/kinds.md lists what it reads.',
    position: { line: 1, column: 20 },
  });
});

test('an unknown error has the same reference whatever names and values it contains; its text is for the log', () => {
  const [one, other] = ["Basic_string: 'a' at 7", "Basic_string: 'bc' at 12"].map((written) =>
    explainError(written, FALKORDB_ERRORS, asked('RETURN 1'), null),
  );
  expect(one?.message).toMatch(/^The graph database cannot run this query\. .* \(E-[0-9a-f]{8}\)$/);
  expect(one?.unexplained?.written).toBe("Basic_string: 'a' at 7");
  expect(other?.message).toBe(one?.message);
});
