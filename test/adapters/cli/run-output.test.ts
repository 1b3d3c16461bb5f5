import { type Run } from '../../../adapters/cli/algorithms/algorithms';
import { runOutput } from '../../../adapters/cli/algorithms/run-output';
import { render } from '../../../adapters/cli/output';
import { type AlgorithmResult } from '../../../adapters/client';

const csv = (result: AlgorithmResult, top = 25): string => render(runOutput(runWith(result), top), 'csv', Infinity);
const runWith = (result: AlgorithmResult): Run => ({
  data: {},
  execution_id: 'r-1',
  algorithm: 'any',
  algorithm_type: 'native',
  status: 'completed',
  user_name: 'ada',
  started_at: '2026-01-01T00:00:00.000Z',
  duration_seconds: 1,
  result,
});

test('sorts node values from highest to lowest, infinities at the ends, ties by name', () => {
  const values = { n10: 1, n2: 1, low: -3, most: 'Infinity', unknown: 'NaN' };
  expect(csv({ type: 'node_values', values })).toBe('node,value\nmost,Infinity\nn2,1\nn10,1\nlow,-3\nunknown,NaN');
});

test('shows several values of a node in adjacent columns', () => {
  const values = { hubs: { a: 0.1, b: 0.9 }, authorities: { a: 1, b: 0 } };
  expect(csv({ type: 'node_values', values })).toBe('node,hubs,authorities\nb,0.9,0\na,0.1,1');
});

test('sorts predicted edges by descending score', () => {
  const predictions = [{ source: 'a', target: 'b', score: 1 }, { source: 'a', target: 'c', score: 2 }]; // prettier-ignore
  expect(csv({ type: 'edge_predictions', predictions })).toBe('source,target,score\na,c,2\na,b,1');
});

test('shows the top values and the total count in a table', () => {
  const output = runOutput(runWith({ values: { a: 1, b: 2, c: 3 } }), 1);
  expect(render(output, 'table', Infinity)).toMatch(/\nValues \(3\), highest first\nnode  value\n─+  ─+\nc +3$/);
  expect(output.note).toContain('2 more');
});

test('sorts the groups of a partition by descending size, with their node counts', () => {
  const values = { a: 2, b: 0, c: 0, d: 1, e: 1, f: 1, g: 2 };
  const partition = { ...runWith({ type: 'node_values', values }), isPartition: true };
  expect(render(runOutput(partition, 2), 'table', Infinity)).toMatch(
    /\nGroups \(3\), largest first\ngroup +nodes +examples\n─+ +─+ +─+\n +1 +3 +d, e, f\n +0 +2 +b, c$/,
  );
  expect(render(runOutput(partition, 1), 'csv', Infinity)).toBe('node,group\nd,1\ne,1\nf,1');
  expect(render(runOutput(partition, undefined), 'csv', Infinity).split('\n')).toHaveLength(8);
});

test('shows a path as its nodes in order', () => {
  const text = render(runOutput(runWith({ path: ['a', 'b'], hop_count: 1, total_weight: 2 }), 1), 'table', Infinity);
  expect(text).toMatch(/\npath +a → b\nhops +1\ntotal weight +2$/);
});
