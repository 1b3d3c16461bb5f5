import { type CheckedSql } from '../../../adapters/console/api/check-sql';
import { guessGraph } from '../../../adapters/console/api/guess-graph';
import {
  definitionsOf,
  type Draft,
  draftOf,
  EMPTY_DRAFT,
  withGuess,
  withNode,
  withoutNode,
} from '../../../adapters/console/api/mapping-draft';
import { diagramOf } from '../../../adapters/console/kit/diagram-of';
import { amountOf, DAY, HOUR, lifetimeOf } from '../../../adapters/console/kit/lifetime';
import { fieldText } from '../../../adapters/console/pages/mappings/field-text';

const table = (name: string, columns: Readonly<Record<string, string>>) => ({
  catalog: 'town',
  schema: 'main',
  table: name,
  columns: Object.entries(columns).map(([column, type]) => ({ name: column, type, isNullable: true })),
});
const person = table('person', { id: 'bigint', name: 'varchar', home_city_id: 'bigint' });
const city = table('city', { id: 'bigint', name: 'varchar' });

const found = (columns: Readonly<Record<string, CheckedSql['columns'][number]['type']>>): CheckedSql => ({
  problem: null,
  columns: Object.entries(columns).map(([name, type]) => ({ name, type })),
  warnings: [],
});
const neverAsked = (sql: string): Promise<CheckedSql> => Promise.reject(new Error(`asked: ${sql}`));

const saved = {
  id: 1,
  name: 'Town',
  description: '',
  version: {
    version: 3,
    node_definitions: [
      {
        label: 'Person',
        sql: 'SELECT id, name FROM people',
        primary_key: { name: 'id', type: 'STRING' },
        properties: [{ name: 'name', type: 'STRING' }],
      },
    ],
    edge_definitions: [
      {
        type: 'KNOWS',
        sql: 'SELECT a, b, since FROM friends',
        from_key: 'b',
        to_key: 'a',
        from_node: 'Person',
        to_node: 'Person',
        properties: [{ name: 'since', type: 'DATE' }],
      },
    ],
  },
} as unknown as Parameters<typeof draftOf>[0];

const changedNode = (draft: Draft, change: Partial<Draft['nodes'][number]>): Draft => ({
  ...draft,
  nodes: draft.nodes.map((node) => ({ ...node, ...change })),
});

describe('a draft', () => {
  test('a draft of tables contains each node and edge once, with unique edge types', async () => {
    const guess = guessGraph([person, city]);
    const twice = { ...guess, edges: [...guess.edges, { ...guess.edges[0]!, toKey: 'name' }] };
    const once = withGuess(EMPTY_DRAFT, twice);
    expect(withGuess(once, twice)).toEqual(once);
    expect(once.edges.map(({ type }) => type)).toEqual(['HOME_CITY', 'HOME_CITY_2']);
    const { edge_definitions } = await definitionsOf(once, () =>
      Promise.resolve(found({ id: 'INT64', name: 'STRING', home_city_id: 'INT64' })),
    );
    expect(edge_definitions[0]).toMatchObject({ from_node: 'Person', to_node: 'City', from_key: 'id' });
  });

  test('an unchanged mapping keeps its definitions and runs no check', async () => {
    const { node_definitions, edge_definitions } = saved.version;
    expect(JSON.stringify(await definitionsOf(draftOf(saved), neverAsked))).toBe(
      JSON.stringify({ node_definitions, edge_definitions }),
    );
  });

  test('takes the types of a changed query, and keeps the chosen columns', async () => {
    const draft = changedNode(draftOf(saved), { sql: 'SELECT id, name, age FROM people' });
    const check = () => Promise.resolve(found({ id: 'INT64', name: 'STRING', age: 'INT32' }));
    const [kept] = (await definitionsOf(draft, check)).node_definitions;
    expect(kept).toMatchObject({ primary_key: { type: 'INT64' }, properties: [{ name: 'name' }] });
    const [all] = (await definitionsOf(changedNode(draft, { chosen: null }), check)).node_definitions;
    expect(all?.properties).toEqual([
      { name: 'name', type: 'STRING' },
      { name: 'age', type: 'INT32' },
    ]);
  });

  test('is rejected with its definition and position if a query is missing or invalid or its key is invalid', async () => {
    const draft = changedNode(draftOf(saved), { sql: 'SELECT nme' });
    const problem = { message: 'no column nme', place: { line: 1, column: 8 } };
    const refusals = [
      definitionsOf(draft, () => Promise.resolve({ problem, columns: [], warnings: [] })),
      definitionsOf(draft, () => Promise.resolve(found({ id: 'DOUBLE', name: 'STRING' }))),
      definitionsOf(draft, () => Promise.resolve(found({ name: 'STRING' }))),
      definitionsOf(withNode(EMPTY_DRAFT, { label: 'City' }), neverAsked),
    ].map((refused) => refused.catch(String));
    expect(await Promise.all(refusals)).toEqual([
      'Error: The query of Person is not valid. Line 1, column 8: no column nme',
      'Error: id has the type DOUBLE, which cannot be a key: choose another for Person.',
      'Error: The query of Person has no column id: choose another key.',
      'Error: City has no query: write one, or remove it.',
    ]);
  });

  test('keeps the edges of a removed node without that end', () => {
    const draft = draftOf(saved);
    expect(withoutNode(draft, draft.nodes[0]!.id)).toMatchObject({ nodes: [], edges: [{ from: null, to: null }] });
  });
});

test('a picture shows every label, and an arrow for each type with both ends', () => {
  const nodes = ['a', 'b', 'c'].map((id) => ({ id, label: id.repeat(40) }));
  const { arrows, nodes: drawn } = diagramOf(nodes, [
    { type: 'ONE', from: 'a', to: 'b' },
    { type: 'TWO', from: 'b', to: 'a' },
    { type: 'OWN', from: 'a', to: 'a' },
    { type: 'OPEN', from: 'a', to: null },
  ]);
  expect(arrows.map(({ text }) => text)).toEqual(['ONE', 'TWO', 'OWN']);
  expect(new Set(arrows.map(({ x, y }) => `${Math.round(x)} ${Math.round(y)}`)).size).toBe(3);
  expect(arrows.every(({ path }) => !/NaN|Infinity/.test(path))).toBe(true);
  expect(drawn[0]?.text).toHaveLength(23);
});

test('lifetimes are converted to and from hours or days', () => {
  expect(['P7D', 'PT36H', 'P1W', null].map((text) => amountOf(text, DAY))).toEqual([7, 1.5, 7, '']);
  expect(['P1DT1H', 'PT90M'].map((text) => amountOf(text, HOUR))).toEqual([25, 1.5]);
  expect([30, 1.5, ''].map((days) => lifetimeOf(days, DAY))).toEqual(['P30D', 'PT36H', null]);
  expect(['5', 24, 1.5].map((hours) => lifetimeOf(hours, HOUR))).toEqual(['PT5H', 'P1D', 'PT90M']);
});

test('fields of definitions are shown as text', () => {
  const definition = {
    sql: 'SELECT 1',
    primary_key: { name: 'id', type: 'INT64' },
    properties: [{ name: 'a', type: 'BOOL' }],
  };
  expect(['sql', 'primary_key', 'properties', 'none'].map((field) => fieldText(definition, field))).toEqual([
    'SELECT 1',
    'id INT64',
    'a BOOL',
    '',
  ]);
});
