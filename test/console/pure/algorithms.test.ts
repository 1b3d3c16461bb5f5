import { fieldOf, requestOf } from '../../../adapters/console/api/algorithm';
import { histogramOf } from '../../../adapters/console/pages/algorithms/histogram-of';

const shown = (name: string, type: string, more: object = {}) => ({
  name,
  type,
  required: false,
  description: '',
  ...more,
});

describe('the form of an algorithm', () => {
  test('offers labels and edge types for fields of the request only, not for parameters of the same names', () => {
    expect(fieldOf(shown('node_label', 'string'), null).type).toBe('label');
    expect(fieldOf(shown('node_label', 'string'), 'params').type).toBe('text');
    expect(fieldOf(shown('edge_types', 'array of string'), null).type).toBe('edge types');
    expect(fieldOf(shown('groups', 'array of arrays of node keys'), 'params').type).toBe('json');
  });

  test('sends the filled fields, with the parameters in their own object', () => {
    const fields = [
      fieldOf(shown('node_label', 'string'), null),
      fieldOf(shown('k', 'integer'), 'params'),
      fieldOf(shown('alpha', 'number'), 'params'),
      fieldOf(shown('groups', 'array of arrays of node keys'), 'params'),
      fieldOf(shown('normalized', 'boolean'), 'params'),
    ];
    const values = { node_label: 'A', k: '5', alpha: '', groups: '[["a"]]', normalized: false };
    expect(requestOf(fields, values)).toEqual({
      node_label: 'A',
      params: { k: 5, groups: [['a']], normalized: false },
    });
    expect(requestOf(fields, {})).toEqual({});
    expect(() => requestOf(fields, { groups: '[' })).toThrow('groups: expected JSON');
  });
});

test('a histogram counts every value once, with one bar per integer', () => {
  expect(histogramOf([3, 1, 1, NaN])).toEqual({ edges: [1, 2, 3, 4], counts: [2, 0, 1], range: [1, 3] });
  const { edges, counts } = histogramOf(Array.from({ length: 1_000 }, (_, index) => index / 999));
  expect([counts.length, counts.reduce((sum, count) => sum + count), edges.at(-1)]).toEqual([20, 1_000, 1]);
  expect([histogramOf([]), histogramOf([2.5, 2.5])]).toEqual([
    { edges: [], counts: [], range: null },
    { edges: [2.5, 2.5], counts: [2], range: [2.5, 2.5] },
  ]);
});
