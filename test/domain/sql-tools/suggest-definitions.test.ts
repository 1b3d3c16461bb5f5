import * as fc from 'fast-check';
import { type EdgeDefinition, type NodeDefinition, PrimaryKeyType } from '../../../domain/mapping';
import { validateDefinitions } from '../../../domain/mapping/validate-definitions';
import { type EngineColumn } from '../../../domain/ports/query-engine';
import { ENDS_WARNING, suggestDefinitions } from '../../../domain/sql-tools';

const columns = (...names: readonly string[]): readonly EngineColumn[] =>
  names.map((name) => ({ name, type: 'bigint' }));
const node = (sql: string, given = columns('id', 'age')) => {
  const { node_definitions, warnings } = suggestDefinitions([{ sql, columns: given }], []);
  return { ...node_definitions[0]!, warnings };
};
const edge = (sql: string, given = columns('a', 'b', 'since')) =>
  suggestDefinitions([], [{ sql, columns: given }]).edge_definitions[0]!;

describe('a suggested node', () => {
  it('is named after the first table and keyed by the first column', () => {
    expect(node('SELECT id, age FROM bank.main.customer c JOIN city USING (id)')).toEqual({
      label: 'customer',
      sql: 'SELECT id, age FROM bank.main.customer c JOIN city USING (id)',
      primary_key: { name: 'id', type: 'INT64' },
      properties: [{ name: 'age', type: 'INT64' }],
      inferred: { label: true, primary_key: true },
      warnings: [],
    });
  });

  it.each([
    ['Person', 'SELECT * FROM "Person"'],
    ['customer', 'WITH c AS (SELECT * FROM customer) SELECT * FROM c'],
    ['customer', 'SELECT * FROM (SELECT 1 FROM customer) x, city'],
    ['city', 'SELECT * FROM range(3), city'],
    ['customer', '-- all of them\nSELECT * FROM customer'],
  ])('is named %s for %s', (label, sql) => expect(node(sql)).toMatchObject({ label, warnings: [] }));

  it.each(['-- name: Client\nSELECT * FROM customer', '\n-- a remark\r\n  --name:  Client \r\nSELECT * FROM customer'])(
    'is named after a leading comment: %j',
    (sql) =>
      expect(node(sql)).toMatchObject({ label: 'Client', inferred: { label: false, primary_key: true }, warnings: [] }),
  );

  it.each([
    ['ORDER_', 'SELECT * FROM "ORDER"'],
    ['N2020_orders', 'SELECT * FROM "2020-orders"'],
    ['Kunde', '-- name: Kundé\nSELECT * FROM customer'],
    ['my_label', '-- name: my label!\nSELECT 1'],
    ['Node1', 'SELECT 1'],
    ['Node1', 'SELECT * FROM "!!!"'],
    ['a'.repeat(64), `SELECT * FROM ${'a'.repeat(70)}`],
  ])('is named %s, with a warning, for %s', (label, sql) => {
    expect(node(sql)).toMatchObject({ label, inferred: { label: true } });
    expect(node(sql).warnings[0]).toMatch(/^node_queries\.0: /);
  });

  it('differs in name from another one of the same table', () => {
    const query = { sql: 'SELECT id FROM customer', columns: columns('id') };
    const { node_definitions, warnings } = suggestDefinitions([query, query, query], []);
    expect(node_definitions.map(({ label }) => label)).toEqual(['customer', 'customer_2', 'customer_3']);
    expect(warnings).toHaveLength(2);
  });

  it('has a warning about a column that cannot be a key', () => {
    expect(node('SELECT 1 FROM t', [{ name: 'ratio', type: 'double' }]).warnings).toEqual([
      'node_queries.0: column ratio is DOUBLE, which is not a key type; put another column first, or CAST it',
    ]);
    expect(node('SELECT 1 FROM t', columns('count(*)')).warnings).toHaveLength(1);
  });

  it('omits columns that cannot be properties, with the reason', () => {
    const given = [...columns('id', 'ID', 'count(*)', 'Limit', 'x'), { name: 'big', type: 'hugeint' }];
    const { properties, warnings } = node('SELECT 1 FROM t', given);
    expect(properties).toEqual([
      { name: 'x', type: 'INT64' },
      { name: 'big', type: 'INT64' },
    ]);
    expect(warnings.map((warning) => warning.replace('node_queries.0: ', ''))).toEqual([
      'column id exists more than once; give each another name with AS',
      'column "count(*)" is omitted: a property name is a letter, then letters, digits or _, 64 at most; rename it with AS',
      'column "Limit" is omitted: this word is reserved; rename it with AS',
      'column big (hugeint) becomes INT64: values beyond 64 bits do not fit',
    ]);
    const many = node('SELECT 1 FROM t', columns('id', ...Array.from({ length: 102 }, (_, i) => `c${i}`)));
    expect(many.properties).toHaveLength(100);
    expect(many.warnings).toEqual([
      'node_queries.0: columns c100, c101 are omitted: a definition has at most 100 properties; select those that you need',
    ]);
    const more = node('SELECT 1 FROM t', columns('id', ...Array.from({ length: 110 }, (_, i) => `c${i}`)));
    expect(more.warnings.join()).toMatch(/columns c100, c101, c102, c103, c104 and 5 more are omitted/);
  });
});

describe('a suggested edge', () => {
  it('is named after the first table, has its keys from the first two columns, and needs its ends', () => {
    expect(edge('SELECT a, b, since FROM works_at')).toEqual({
      type: 'WORKS_AT',
      sql: 'SELECT a, b, since FROM works_at',
      from_key: 'a',
      to_key: 'b',
      from_node: null,
      to_node: null,
      properties: [{ name: 'since', type: 'INT64' }],
      inferred: { type: true, from_key: true, to_key: true },
      warnings: [ENDS_WARNING],
    });
    expect(edge('-- name: KNOWS\nSELECT 1')).toMatchObject({ type: 'KNOWS', inferred: { type: false } });
  });

  it('has a warning when columns for its keys are missing or share a name', () => {
    expect(edge('SELECT a FROM t', columns('a'))).toMatchObject({ from_key: 'a', to_key: '' });
    expect(edge('SELECT a FROM t', columns('a')).warnings).toHaveLength(2);
    expect(edge('SELECT a FROM t', columns('a', 'A')).warnings).toHaveLength(2);
  });
});

describe('a suggestion without warnings', () => {
  const good = fc.constantFrom('id', 'name', 'since', 'Knows', 'x'.repeat(64), 'a_1', 'b', 'c', 'd', 'limits');
  const odd = fc.constantFrom('ID', 'order', 'count(*)', 'a b', 'é', '_x', '9', 'Limit', 'x'.repeat(65), '');
  const name = fc.oneof({ weight: 12, arbitrary: good }, odd, fc.string({ maxLength: 8 }));
  const type = fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom('bigint', 'varchar', 'uuid', 'date') },
    fc.constantFrom('double', 'integer[]', 'decimal(10,2)', 'hugeint', 'odd'),
  );
  const query = fc.record({
    sql: fc
      .tuple(fc.option(name), name)
      .map(
        ([said, table]) =>
          `${said === null ? '' : `-- name: ${said.replaceAll(/[\r\n]/g, '')}\n`}SELECT 1 FROM "${table.replaceAll('"', '""')}"`,
      ),
    columns: fc.array(fc.record({ name, type }), { minLength: 1, maxLength: 4 }),
  });

  it('is accepted by a mapping after the ends are set', () => {
    let accepted = 0;
    fc.assert(
      fc.property(
        fc.array(query, { minLength: 1, maxLength: 4 }),
        fc.array(query, { maxLength: 3 }),
        (nodes, edges) => {
          const suggested = suggestDefinitions(nodes, edges);
          const isFine = (index: number) => !suggested.warnings.some((it) => it.startsWith(`node_queries.${index}:`));
          const town: NodeDefinition = {
            label: 'Town1',
            sql: 'SELECT 1',
            primary_key: { name: 'id', type: 'INT64' },
            properties: [],
          };
          const ownNodes = suggested.node_definitions
            .filter((_, index) => isFine(index))
            .map(({ inferred: _inferred, ...definition }): NodeDefinition => {
              const { type: keyType } = definition.primary_key;
              if (!PrimaryKeyType.is(keyType)) throw new Error(`${keyType} as a key came without a warning`);
              return { ...definition, primary_key: { name: definition.primary_key.name, type: keyType } };
            })
            .filter(({ sql }) => !hasRefusedTable(sql));
          const ownEdges = suggested.edge_definitions
            .filter(({ warnings }) => warnings.length === 1)
            .map(({ inferred: _inferred, warnings: _warnings, ...definition }): EdgeDefinition => {
              return { ...definition, from_node: 'Town1', to_node: 'Town1' };
            })
            .filter(({ sql }) => !hasRefusedTable(sql));
          accepted += ownNodes.length + ownEdges.length;
          expect(validateDefinitions([town, ...ownNodes.filter(({ label }) => label !== 'Town1')], ownEdges)).toEqual(
            [],
          );
        },
      ),
      { numRuns: 500 },
    );
    expect(accepted).toBeGreaterThan(100);
  });

  /** The endpoint has already rejected these. */
  const hasRefusedTable = (sql: string): boolean =>
    validateDefinitions([{ label: 'A', sql, primary_key: { name: 'id', type: 'INT64' }, properties: [] }], []).length >
    0;
});
