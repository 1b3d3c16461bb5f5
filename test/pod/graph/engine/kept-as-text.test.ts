import { isLeft } from 'fp-ts/Either';
import { engineOfKind, type Kind, KINDS } from '../support/engine-of-kind';
import { type LoadedEngine, loadedEngine, scratchDirectory } from '../support/loaded-engine';
import { createSnapshot, mappingOf } from '../support/snapshot';

const UUID = 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11';
const STRUCT = { x: 1, d: '2020-02-02' };

/** One node with values that are not texts, and one with the same names of other types. */
const NODES = [
  `SELECT 1::BIGINT AS id, DATE '1998-03-01' AS opened, TIMESTAMP '2024-05-01 10:30:00' AS seen, '${UUID}'::UUID AS code,
    'abc'::BLOB AS image, {x: 1::BIGINT, d: DATE '2020-02-02'} AS parts, [[1::BIGINT, 2], [3]] AS nested, 'é' AS text`,
  `SELECT 1::BIGINT AS id, '1998-03-01' AS opened, 7::BIGINT AS parts`,
] as const;

const REJECTED = 'rejected';

/** A value of the node `n`, with its expected answer by both kinds; that of `graphdb_b` if it differs. */
type Answer = readonly [expression: string, both: unknown, ofFalkordb?: unknown];

const VALUES: readonly Answer[] = [
  ['n.opened + 1', REJECTED],
  ['true + n.opened', REJECTED],
  ['n.opened + n.seen', REJECTED],
  ['n.opened - 1', REJECTED],
  ['-n.opened', REJECTED],
  ['n.opened[0]', REJECTED],
  ['left(n.opened, 4)', REJECTED],
  ['size(n.seen)', REJECTED],
  ['reverse(n.code)', REJECTED],
  ['toInteger(n.opened)', REJECTED],
  ["split(n.opened, '-')", REJECTED],
  ['toString(n.image)', REJECTED],
  ['max(n.image)', REJECTED],
  ['[d IN [n.opened] | d + 1]', REJECTED],
  ['reduce(s = 0, d IN [n.opened] | s + size(d))', REJECTED],
  ["n.opened + 'x'", '1998-03-01x'],
  ['n.seen + $text', '2024-05-01T10:30y'],
  ["n.code + 'x'", `${UUID}x`],
  ['n.opened + [1]', ['1998-03-01', 1]],
  ['toString(n.seen)', '2024-05-01T10:30'],
  ['size(toString(n.opened))', 10],
  ["'1998-03-01x' STARTS WITH n.opened", null],
  ["n.code CONTAINS 'a'", null],
  [`n.code = '${UUID.toUpperCase()}'`, true],
  ["n.code > 'a'", null],
  ['n.opened IN $days', true],
  [`CASE n.code WHEN '${UUID.toUpperCase()}' THEN 1 END`, 1],
  ['CASE WHEN n.opened THEN 1 END', REJECTED],
  ['CASE WHEN n.id THEN 1 END', REJECTED],
  ['n.id + true', REJECTED],
  ['n < n < n', null],
  ['{a: n.id} < {a: 2}', null],
  ['min([n.missing])', [null]],
  ["replace(n.text, '', '-')", '-é-'],
  ["toUpper(n.text + 'ß')", 'ÉSS'],
  ['n.parts', STRUCT],
  ['count(n.parts)', 1],
  ['collect(n.parts)', [STRUCT], REJECTED],
  ['[n.parts]', [STRUCT], REJECTED],
  ['n {.parts}', { parts: STRUCT }, REJECTED],
  ['coalesce(n.parts, 1)', STRUCT, REJECTED],
  ['COLLECT { MATCH (m:Account) RETURN m.parts }', [STRUCT], REJECTED],
  ['n.parts.x', 1, REJECTED],
  ['n.parts = n.parts', true, REJECTED],
  ['size(n.nested)', 2],
  ['reverse(n.nested)', [[3], [1, 2]]],
  ['[n.nested]', [[[1, 2], [3]]]],
];

const QUERIES: readonly Answer[] = [
  ['MATCH (n:Account) WITH n.parts AS p, count(*) AS c RETURN p', STRUCT],
  ['MATCH (n:Account) WITH n.nested AS p RETURN *', [[1, 2], [3]]],
  ['MATCH (n:Account) UNWIND n.nested AS x RETURN x LIMIT 1', [1, 2]],
  ['MATCH (n:Account) RETURN n.id ORDER BY n.image', REJECTED],
  ["MATCH (n) WHERE n.opened STARTS WITH '19' RETURN labels(n)[0]", 'Other', REJECTED],
  ['MATCH (n) RETURN n.opened + 1', REJECTED],
  ["MATCH (n) WITH toString(n.opened) + 'x' AS x RETURN DISTINCT x", '1998-03-01x'],
  ['MATCH (n) RETURN DISTINCT left(toString(n.opened), 4)', '1998'],
];

const PARAMETERS = { text: 'y', days: ['1998-3-1'] };

describe.each(KINDS)('values that FalkorDB keeps as text, on %s', (kind: Kind) => {
  let loaded: LoadedEngine;

  beforeAll(async () => {
    const snapshot = await createSnapshot();
    await snapshot.export('nodes/Account', NODES[0]);
    await snapshot.export('nodes/Other', NODES[1]);
    const id = { name: 'id', type: 'INT64' } as const;
    const mapping = mappingOf(snapshot, {
      node_definitions: [
        {
          label: 'Account',
          primary_key: id,
          properties: [
            { name: 'opened', type: 'DATE' },
            { name: 'seen', type: 'TIMESTAMP' },
            { name: 'code', type: 'UUID' },
            { name: 'image', type: 'BLOB' },
            { name: 'parts', type: 'STRUCT' },
            { name: 'nested', type: 'LIST' },
            { name: 'text', type: 'STRING' },
          ],
        },
        {
          label: 'Other',
          primary_key: id,
          properties: [
            { name: 'opened', type: 'STRING' },
            { name: 'parts', type: 'INT64' },
          ],
        },
      ],
      edge_definitions: [],
    });
    const directory = await scratchDirectory();
    loaded = await loadedEngine(engineOfKind(kind, directory), mapping, snapshot, directory);
    await snapshot.remove();
  });
  afterAll(() => loaded.end());

  const queries: readonly Answer[] = [
    ...VALUES.map(([expression, ...answers]): Answer => [`MATCH (n:Account) RETURN ${expression}`, ...answers]),
    ...QUERIES,
  ];
  const cases = queries.map(([text, both, ofFalkordb = both]) => ({ text, both, ofFalkordb }));
  test.each(cases)('$text', async ({ text, both, ofFalkordb }) => {
    const answer = await loaded.engine.query({ text, parameters: PARAMETERS, timeoutMs: 20_000 });
    const found: unknown = isLeft(answer) ? answer.left.kind : JSON.parse(answer.right.rowsJson);
    const expected = kind === 'graphdb_a' ? both : ofFalkordb;
    expect(found).toEqual(expected === REJECTED ? REJECTED : [[expected]]);
  });
});
