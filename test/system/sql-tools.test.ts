import { join } from 'node:path';
import { runInDatabase } from '../adapters/duckdb/warehouse-fixture';
import { type ApiClient } from '../support/api-client';
import { type InProcessApi, startInhabitedApi } from '../support/in-process-api';

let system: InProcessApi;
let ada: ApiClient;
beforeAll(async () => {
  system = await startInhabitedApi(
    async (warehouse) => {
      await runInDatabase(
        join(warehouse, 'town.duckdb'),
        'CREATE TABLE people (id BIGINT, name VARCHAR, born DATE, balance DECIMAL(10,2), tags VARCHAR[])',
        'CREATE TABLE friends (a BIGINT, b BIGINT, since DATE)',
        'CREATE SCHEMA secret',
        'CREATE TABLE secret.diary AS SELECT 1 AS id',
      );
    },
    { ROWGRAPH_ALLOWED_CATALOGS: 'town.main' },
  );
  ada = system.as('ada');
});
afterAll(() => system.close());

const validate = async (sql: string) => (await ada.call('validateSql', { body: { sql } })).data;
const parse = async (node_queries: readonly string[], edge_queries: readonly string[] = []) =>
  (await ada.call('parseSql', { body: { node_queries, edge_queries } })).data;

describe('validating a query', () => {
  it('returns its columns and runs nothing', async () => {
    expect(await validate('SELECT id, balance, tags FROM people;')).toEqual({
      valid: true,
      columns: [
        { name: 'id', type: 'bigint' },
        { name: 'balance', type: 'decimal(10,2)' },
        { name: 'tags', type: 'varchar[]' },
      ],
      warnings: [],
    });
    const { warnings } = await parse(['-- name: Person\nSELECT id, id::hugeint AS big FROM people']);
    expect(warnings).toHaveLength(1);
    expect(await validate('SELECT id, id::hugeint AS big FROM people')).toMatchObject({
      warnings: warnings.map((warning) => warning.replace('node_queries.0: ', '')),
    });
    expect(await validate("SELECT CAST(name AS BIGINT) / 0 AS x, error('ran') FROM people")).toMatchObject({
      valid: true,
    });
  });

  it.each([
    ['SELECT id FROM people WHERE', null],
    ["-- name: Person\n\nSELECT 'äöü',\r\n  nothere FROM people", { line: 4, column: 3 }],
    ['SELECT id FROM people WHERE name = 3 + ', null],
    ['SELECT id FROM nowhere', { line: 1, column: 16 }],
    ['DROP TABLE people', { line: 1, column: 1 }],
    ['SELECT 1; SELECT 2', { line: 1, column: 11 }],
    ["SELECT *\nFROM read_csv('/etc/passwd')", { line: 2, column: 6 }],
    ["COPY people TO 'x.csv'", { line: 1, column: 1 }],
    ['INSERT INTO people VALUES (1)', { line: 1, column: 1 }],
    [' ', { line: 1, column: 1 }],
    ['SELECT $1', null],
  ])('reports %j as invalid', async (sql, position) => {
    const answer = await validate(sql);
    expect(answer).toMatchObject({ valid: false, error: expect.any(String) as string });
    if (position !== null) expect(answer).toMatchObject({ position });
  });

  it.each([
    ['no text', {}],
    ['an empty text', { sql: '' }],
    ['a text that is too long', { sql: `SELECT ${'1'.repeat(100_000)}` }],
    ['a number', { sql: 1 }],
  ])('rejects %s as a request', async (_, body) => {
    expect(await ada.refused('POST', '/api/queryengine/validate', { body })).toMatchObject({
      status: 400,
      code: 'VALIDATION_FAILED',
      details: { field: 'sql' },
    });
  });

  it('rejects tables outside the allow-list, however they are named, without disclosing them', async () => {
    for (const sql of [
      'SELECT * FROM town.secret.diary',
      'SELECT * FROM SECRET.diary',
      'SELECT 1 FROM people, (SELECT * FROM secret."diary") x',
    ]) {
      const refused = { status: 403, code: 'PERMISSION_DENIED' };
      expect(await ada.refused('POST', '/api/queryengine/validate', { body: { sql } })).toMatchObject(refused);
      expect(await ada.refused('POST', '/api/queryengine/parse-sql', { body: { edge_queries: [sql] } })).toMatchObject(
        refused,
      );
    }
    expect(JSON.stringify(await validate('SELECT * FROM diary'))).not.toContain('secret');
  });
});

describe('parsing queries', () => {
  it('suggests definitions that a mapping accepts after the ends are set', async () => {
    const suggested = await parse(
      ['SELECT id, name, born, balance, tags FROM people'],
      ['-- name: KNOWS\nSELECT a, b, since FROM town.main.friends;'],
    );
    expect(suggested).toEqual({
      node_definitions: [
        {
          label: 'people',
          sql: 'SELECT id, name, born, balance, tags FROM people',
          primary_key: { name: 'id', type: 'INT64' },
          properties: [
            { name: 'name', type: 'STRING' },
            { name: 'born', type: 'DATE' },
            { name: 'balance', type: 'DOUBLE' },
            { name: 'tags', type: 'LIST' },
          ],
          inferred: { label: true, primary_key: true },
        },
      ],
      edge_definitions: [
        {
          type: 'KNOWS',
          sql: '-- name: KNOWS\nSELECT a, b, since FROM town.main.friends',
          from_key: 'a',
          to_key: 'b',
          from_node: null,
          to_node: null,
          properties: [{ name: 'since', type: 'DATE' }],
          inferred: { type: false, from_key: true, to_key: true },
          warnings: ['from_node and to_node must be set by hand to the labels of the nodes the keys refer to'],
        },
      ],
      warnings: [],
    });
    const [edge] = suggested.edge_definitions;
    await ada.call('createMapping', {
      body: {
        name: 'Town',
        node_definitions: suggested.node_definitions,
        edge_definitions: [{ ...edge, from_node: 'people', to_node: 'people' }],
      },
    });
  });

  it('warns of uncertain suggestions and unsuitable columns', async () => {
    const { warnings } = await parse(['SELECT count(*), sum(id) AS total FROM people', 'SELECT 1.5 AS x']);
    expect(warnings.map((warning) => warning.slice(0, 14))).toEqual(expect.arrayContaining(['node_queries.0']));
    expect(warnings.join('\n')).toMatch(/"count_star\(\)" is not a valid key name/);
    expect(warnings.join('\n')).toMatch(/total \(hugeint\) becomes INT64/);
    expect(warnings.join('\n')).toMatch(/node_queries\.1: the query does not name a table; the name is Node2/);
  });

  it('reports every invalid query with its line and column', async () => {
    const body = {
      node_queries: ['SELECT id FROM people', 'SELECT nothere\nFROM people'],
      edge_queries: ['DROP TABLE x'],
    };
    expect(await ada.refused('POST', '/api/queryengine/parse-sql', { body })).toMatchObject({
      status: 400,
      code: 'VALIDATION_FAILED',
      details: {
        errors: [
          { field: 'node_queries.1', message: expect.stringMatching(/nothere.*\(line 1, column 8\)/s) as string },
          { field: 'edge_queries.0', message: expect.stringMatching(/\(line 1, column 1\)/) as string },
        ],
      },
    });
  });

  it.each([
    ['nothing', {}],
    ['empty lists', { node_queries: [], edge_queries: [] }],
    ['a text', { node_queries: 'SELECT 1' }],
    ['an empty query', { node_queries: [''] }],
    ['a number', { edge_queries: [1] }],
    ['too many queries', { node_queries: Array.from({ length: 101 }, () => 'SELECT 1') }],
  ])('rejects %s', async (_, body) => {
    expect(await ada.refused('POST', '/api/queryengine/parse-sql', { body })).toMatchObject({
      status: 400,
      code: 'VALIDATION_FAILED',
    });
  });
});
