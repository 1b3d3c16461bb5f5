import { exactJson } from '../../../adapters/client/web';
import { edgeSql, guessGraph, guessKey, nodeSql } from '../../../adapters/console/api/guess-graph';
import {
  cellText,
  digitsOf,
  duration,
  exactText,
  localTimeOf,
  shortNumber,
  timeOf,
} from '../../../adapters/console/kit/format';
import { latestOf } from '../../../adapters/console/kit/latest-of';
import { readStoredQueries, withRun } from '../../../adapters/console/kit/stored-json';
import { proposalsFor } from '../../../adapters/console/language/cypher';
import { readParameters } from '../../../adapters/console/pages/query/read-parameters';

const table = (name: string, columns: Readonly<Record<string, string>>) => ({
  catalog: 'shop',
  schema: 'main',
  table: name,
  columns: Object.entries(columns).map(([column, type]) => ({ name: column, type, isNullable: true })),
});

describe('a guessed graph', () => {
  test('has an edge from a table that references two others', () => {
    const tables = [
      table('customers', { id: 'bigint', name: 'varchar' }),
      table('products', { product_id: 'bigint', 'Full Name': 'varchar' }),
      table('bought', { customer_id: 'bigint', product_id: 'bigint', at: 'date' }),
    ];
    const { nodes, edges } = guessGraph(tables);
    expect(nodes.map(({ label, key }) => [label, key])).toEqual([
      ['Customer', 'id'],
      ['Product', 'product_id'],
    ]);
    expect(edges).toMatchObject([{ type: 'BOUGHT', fromLabel: 'Customer', toLabel: 'Product' }]);
    expect(nodeSql(nodes[1]!)).toBe('SELECT product_id, "Full Name" FROM shop.main.products');
    expect(edgeSql(edges[0]!, true)).toBe(
      'SELECT customer_id, product_id, at FROM shop.main.bought WHERE customer_id IS NOT NULL AND product_id IS NOT NULL',
    );
  });

  test('has an edge from a column that references another table', () => {
    const tables = [
      table('city', { id: 'integer' }),
      table('person', { id: 'bigint', home_city_id: 'integer', city_name: 'varchar' }),
    ];
    expect(guessGraph(tables).edges).toMatchObject([
      { type: 'HOME_CITY', fromLabel: 'Person', toLabel: 'City', fromKey: 'id', toKey: 'home_city_id' },
    ]);
  });

  test('recognizes keys named after tables, with the initials of their own table', () => {
    const bigints = (...names: readonly string[]) => Object.fromEntries(names.map((name) => [name, 'bigint']));
    const tables = [
      table('nation', bigints('n_nationkey', 'n_regionkey')),
      table('orders', bigints('o_orderkey', 'o_custkey')),
      table('customer', bigints('c_custkey', 'c_nationkey')),
      table('part', bigints('p_partkey', 'p_size')),
      table('supplier', bigints('s_suppkey')),
      table('partsupp', bigints('ps_partkey', 'ps_suppkey')),
      table('lineitem', bigints('l_orderkey', 'l_partkey', 'l_suppkey')),
    ];
    const { nodes, edges } = guessGraph(tables);
    expect(nodes.map(({ label, key }) => `${label} ${key}`)).toEqual([
      'Nation n_nationkey',
      'Order_ o_orderkey',
      'Customer c_custkey',
      'Part p_partkey',
      'Supplier s_suppkey',
    ]);
    expect(edges.map(({ type, fromLabel, toLabel }) => `${fromLabel} ${type} ${toLabel}`)).toEqual([
      'Order_ CUSTOMER Customer',
      'Customer NATION Nation',
      'Part PARTSUPP Supplier',
      'Order_ LINEITEM Part',
    ]);
  });

  test('uses a corrected key in the edges, and has no edge from the key that was guessed', () => {
    const tables = [
      table('city', { id: 'integer' }),
      table('person', { person_id: 'bigint', number: 'bigint', home_city_id: 'integer', boss_person_id: 'bigint' }),
    ];
    const { nodes, edges } = guessGraph(tables, (one) => (one.table === 'person' ? 'number' : guessKey(one)));
    expect(nodes.map(({ key }) => key)).toEqual(['id', 'number']);
    expect(edges.map(({ fromKey, toKey }) => [fromKey, toKey])).toEqual([
      ['number', 'home_city_id'],
      ['number', 'boss_person_id'],
    ]);
    expect(edges.map(({ id }) => id)).toEqual(guessGraph(tables).edges.map(({ id }) => id));
  });

  test('avoids reserved words as labels and types', () => {
    const tables = [table('orders', { id: 'bigint' }), table('2024_lines', { id: 'bigint', order_id: 'bigint' })];
    const { nodes, edges } = guessGraph(tables);
    expect([...nodes.map(({ label }) => label), ...edges.map(({ type }) => type)]).toEqual([
      'Order_',
      'N2024Line',
      'ORDER_',
    ]);
  });

  test('has no edge between columns of different types', () => {
    const tables = [table('city', { id: 'varchar' }), table('person', { id: 'bigint', city_id: 'integer' })];
    expect(guessGraph(tables).edges).toEqual([]);
  });
});

test('64-bit integers are exact', () => {
  expect(cellText(9007199254740993n)).toBe('9007199254740993');
  expect(exactText([{ id: 9007199254740993n, text: '"1"' }])).toBe('[{"id":9007199254740993,"text":"\\"1\\""}]');
});

test('short numbers have the digits by which they differ, and no exponent', () => {
  const texts = (...values: readonly number[]) => values.map((value) => shortNumber(value, digitsOf(values)));
  expect(texts(0.12345, 2 / 3, 7)).toEqual(['0.123', '0.667', '7']);
  expect(texts(1234.5, 1234.75, 20_000)).toEqual(['1234.5', '1234.75', '20000']);
  expect(texts(1234.5, 9876.5)).toEqual(['1230', '9880']);
  expect(texts(0.1, 0.1 + 2 ** -56)).toEqual(['0.1', '0.10000000000000002']);
  expect(texts(2.5, 2.5)).toEqual(['2.5', '2.5']);
});

test('the latest of several mutations is the one that started last, also if none has started', () => {
  const [old, young, idle] = [{ submittedAt: 5 }, { submittedAt: 7 }, { submittedAt: 0 }];
  expect(latestOf([old, young, idle])).toBe(young);
  expect(latestOf([idle, { submittedAt: 0 }])).toBe(idle);
});

test('durations have one or two units', () => {
  expect([duration(59_000), duration(3_600_000), duration(90_000_000), duration(-5)]).toEqual([
    '59 s',
    '1 h',
    '1 d 1 h',
    '0 s',
  ]);
});

test('the value of an input of local time and the time of the API are the same minute', () => {
  const local = '2026-03-29T02:30';
  expect(localTimeOf(timeOf(timeOf(local)?.toISOString()))).toBe(localTimeOf(new Date(local)));
  expect([localTimeOf(undefined), timeOf('yesterday'), timeOf('')]).toEqual(['', undefined, undefined]);
});

test('parameters are an object that is sent as it is written', () => {
  const sent = (text: string): string => exactJson({ parameters: readParameters(text) });
  expect(sent(' ')).toBe('{"parameters":{}}');
  expect(sent('{"a": [1.0, 9007199254740993, 1e2]}')).toBe('{"parameters":{"a": [1.0, 9007199254740993, 1e2]}}');
  for (const wrong of ['[1]', '{']) expect(() => readParameters(wrong)).toThrow('Parameters');
});

test('the editor suggests labels, types, properties and keywords', () => {
  const vocabulary = {
    labels: ['Person'],
    types: ['KNOWS'],
    properties: ['name'],
    functions: ['tolower'],
    procedures: ['db.labels'],
    keywords: ['MATCH'],
  };
  const after = (text: string) => proposalsFor(text, vocabulary).map(({ label }) => label);
  expect(after('MATCH (p:Pe')).toContain('Person');
  expect(after('MATCH (p)-[r:')).toEqual(['KNOWS']);
  expect(after('RETURN p.')).toEqual(['name']);
  expect(after('MAT')).toEqual(['MATCH', 'tolower']);
  expect(after('CALL db.la')).toEqual(['db.labels']);
});

test('saved queries survive invalid stored data and contain no duplicates', () => {
  const kept = readStoredQueries({ getItem: () => '{broken' }, 'key');
  expect(withRun(withRun(withRun(kept, 'a'), 'b'), 'a').history).toEqual(['a', 'b']);
});
