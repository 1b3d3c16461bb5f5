import { pictureOf } from '../../../adapters/console/kit/picture-of';
import { daysOf, durationOf } from '../../../adapters/console/pages/mappings/days-of';
import { fieldText } from '../../../adapters/console/pages/mappings/field-text';

test('a picture has every label, and an arrow for each type with both ends', () => {
  const nodes = ['a', 'b', 'c'].map((id) => ({ id, label: id.repeat(40) }));
  const { arrows, nodes: drawn } = pictureOf(nodes, [
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

test('lifetimes are days', () => {
  expect(['P7D', 'PT36H', 'P1W', null, 'P2M'].map(daysOf)).toEqual([7, 1.5, 7, '', '']);
  expect([30, 1.5, ''].map(durationOf)).toEqual(['P30D', 'PT36H', null]);
});

test('fields of definitions are texts', () => {
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
