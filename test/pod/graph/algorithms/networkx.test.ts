import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type KernelResult } from '../../../../pod/graph/algorithms/algorithm';
import { KERNELS } from '../../../../pod/graph/algorithms/catalogue';
import { type Edge, graphOf, run } from './support';

interface Fixture {
  readonly networkx: string;
  readonly graphs: Readonly<
    Record<string, { readonly directed: boolean; readonly nodes: number; readonly edges: Edge[] }>
  >;
  readonly cases: readonly {
    readonly algorithm: string;
    readonly graph: string;
    readonly weighted: boolean;
    readonly parameters: Readonly<Record<string, unknown>>;
    readonly source?: number;
    readonly target?: number;
    readonly result: Readonly<Record<string, unknown>>;
  }[];
}

const fixture = JSON.parse(readFileSync(join(__dirname, 'networkx.fixture.json'), 'utf8')) as Fixture;

/** A result in the form of the fixture. */
const recordOf = (result: KernelResult): Record<string, unknown> => {
  const byEnds = (rows: readonly (readonly number[])[]) => [...rows].sort((a, b) => a[0]! - b[0]! || a[1]! - b[1]!);
  switch (result.type) {
    case 'node_values':
      return { values: [...result.values] };
    case 'node_maps':
      return { maps: Object.fromEntries(Object.entries(result.maps).map(([name, values]) => [name, [...values]])) };
    case 'scalar':
      return { scalar: result.value };
    case 'path':
      return { path: result.nodes };
    case 'order':
      return { order: [...Array.from(result.nodes)] };
    case 'edges':
      return { edges: byEnds(result.edges) };
    case 'edge_predictions':
      return { scores: byEnds(result.scores) };
  }
};

/** Numbers are compared to nine digits, everything else exactly. */
const rounded = (value: unknown): unknown => {
  if (typeof value === 'number') return Number.isFinite(value) ? Number(value.toFixed(8)) + 0 : String(value);
  if (Array.isArray(value)) return value.map(rounded);
  if (typeof value !== 'object' || value === null) return value === 'nan' ? 'NaN' : value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, rounded(inner)]));
};

describe(`results match NetworkX ${fixture.networkx}`, () => {
  const names = [...new Set(fixture.cases.map(({ algorithm }) => algorithm))];

  test.each(names)('%s', (name) => {
    for (const { algorithm, graph, weighted, parameters, source, target, result } of fixture.cases) {
      if (algorithm !== name) continue;
      const { nodes, edges, directed } = fixture.graphs[graph]!;
      const parallel = KERNELS.find((kernel) => kernel.name === name)?.weights?.parallel;
      const found = run(name, graphOf(nodes, edges, { directed, weighted, parallel }), {
        parameters,
        ...(source === undefined ? {} : { source }),
        ...(target === undefined ? {} : { target }),
      });
      expect({ graph, weighted, parameters, ...(rounded(recordOf(found)) as object) }).toEqual({
        graph,
        weighted,
        parameters,
        ...(rounded(result) as object),
      });
    }
  });

  test('every kernel is compared, except those with ambiguous results', () => {
    const missing = KERNELS.map(({ name }) => name).filter((name) => !names.includes(name));
    expect(missing).toEqual(['louvain_communities', 'shortest_path']);
  });
});
