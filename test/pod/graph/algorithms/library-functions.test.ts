import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { nearestNames } from '../../../../domain/kernel/nearest-names';
import { findAlgorithm, GRAPH_LIBRARY } from '../../../../pod/graph/algorithms/catalogue';
import { LIBRARY_FUNCTIONS } from '../../../../pod/graph/algorithms/library/library-functions.generated';
import { libraryTable } from './library-table';

const FOLDER = join(__dirname, '..', '..', '..', '..', 'pod', 'graph', 'algorithms', 'library');

/** The table as a source file, one function a line. */
const tableText = (): string =>
  [
    `// Generated from the types of the installed packages: UPDATE_TABLE=1 npx jest library-functions`,
    `import { type LibraryFunction } from './library-function';`,
    `export const LIBRARY_FUNCTIONS: readonly LibraryFunction[] = [`,
    ...libraryTable().map((entry) => `  ${JSON.stringify(entry)},`),
    `];\n`,
  ].join('\n');

describe('functions of the graph library', () => {
  test('are those of the installed packages, with their declared options and defaults', () => {
    if (process.env['UPDATE_TABLE'] === '1') {
      return writeFileSync(join(FOLDER, 'library-functions.generated.ts'), tableText());
    }
    expect(LIBRARY_FUNCTIONS).toEqual(libraryTable());
    expect(LIBRARY_FUNCTIONS.length).toBeGreaterThan(25);
    expect(LIBRARY_FUNCTIONS.find(({ path }) => path === 'graphology-metrics/centrality/pagerank')).toMatchObject({
      name: 'pagerank',
      weighted: true,
      options: [
        { name: 'alpha', type: 'number', default: 0.85 },
        { name: 'maxIterations', type: 'number', default: 100 },
        { name: 'tolerance', type: 'number', default: 1e-6 },
      ],
    });
    expect(LIBRARY_FUNCTIONS.find(({ name }) => name === 'weighted_in_degree')).toMatchObject({
      arguments: ['each node', 'weight'],
    });
  });

  test('exclude those that take a callback or change the graph', () => {
    const names = LIBRARY_FUNCTIONS.map(({ name }) => name);
    expect(names).not.toContain('for_each_connected_component');
    expect(names).not.toContain('crop_to_largest_connected_component');
  });

  test('have lower precedence than a kernel of the same name', () => {
    expect(findAlgorithm('pagerank')).toMatchObject({ engine: 'kernel' });
    expect(findAlgorithm('weighted_size')).toMatchObject({ engine: 'library', maxNodes: 50_000 });
    const names = GRAPH_LIBRARY.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
  });
});

test('suggests the closest names for a misspelled one, closest first', () => {
  const names = ['pagerank', 'betweenness', 'closeness', 'betweenness_centrality'];
  expect(nearestNames('pagernk', names)).toEqual(['pagerank']);
  expect(nearestNames('betweeness', names)[0]).toBe('betweenness');
  expect(nearestNames('zzz', names)).toEqual([]);
});
