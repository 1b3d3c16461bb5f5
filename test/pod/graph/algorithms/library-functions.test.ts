import { catalogue, findEntry, nearestNames } from '../../../../pod/graph/algorithms/catalogue';
import { discoverLibraryFunctions } from '../../../../pod/graph/algorithms/library/library-functions';
import { declaredFunctions, declaredOptions } from '../../../../pod/graph/algorithms/library/type-declarations';

describe('functions of the graph library', () => {
  const functions = discoverLibraryFunctions();

  test('they are found by the declarations the packages ship, with options and defaults', () => {
    expect(functions.length).toBeGreaterThan(25);
    expect(functions.find(({ path }) => path === 'graphology-metrics/centrality/pagerank')).toMatchObject({
      name: 'pagerank',
      weighted: true,
      options: [
        { name: 'alpha', type: 'number', default: 0.85 },
        { name: 'maxIterations', type: 'number', default: 100 },
        { name: 'tolerance', type: 'number', default: 1e-6 },
      ],
    });
    expect(functions.find(({ name }) => name === 'weighted_in_degree')).toMatchObject({
      arguments: ['each node', 'weight'],
    });
  });

  test('those that want a callback or change the graph are left out', () => {
    const names = functions.map(({ name }) => name);
    expect(names).not.toContain('for_each_connected_component');
    expect(names).not.toContain('crop_to_largest_connected_component');
  });

  test('a kernel of the same name goes before', () => {
    expect(findEntry('pagerank')).toMatchObject({ choice: { kind: 'kernel' } });
    expect(findEntry('weighted_degree')).toMatchObject({ choice: { kind: 'library' }, mostNodes: 50_000 });
    const names = catalogue().map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
  });

  test('declarations with nested types are read to their end', () => {
    const text = `export function f<A extends {x: (y: number) => void}>(graph: Graph<A, B>, source: unknown): Array<string>;
      type Options<A> = {depth?: number; getEdgeWeight?: keyof A | null; deep?: boolean};`;
    expect(declaredFunctions(text)).toEqual([
      { name: 'f', parameters: [{ name: 'source', type: 'unknown' }], returns: 'Array<string>' },
    ]);
    expect(declaredOptions(text, 'Options')).toMatchObject({ weighted: true, options: [{ name: 'depth' }] });
  });
});

test('names near a misspelled one are suggested, nearest first', () => {
  const names = ['pagerank', 'betweenness', 'closeness', 'betweenness_centrality'];
  expect(nearestNames('pagernk', names)).toEqual(['pagerank']);
  expect(nearestNames('betweeness', names)[0]).toBe('betweenness');
  expect(nearestNames('zzz', names)).toEqual([]);
});
