import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { KERNELS } from '../../../../pod/graph/algorithms/catalogue';
import { checkWeights } from '../../../../pod/graph/algorithms/check-weights';
import { type PlannedRun } from '../../../../pod/graph/algorithms/plan-run';
import { type DuckdbSession, openDuckdb } from '../../../../pod/graph/duckdb/duckdb-session';
import { scratchDirectory } from '../support/loaded-engine';
import { writeParquet } from '../support/snapshot';

describe('the weights of a request', () => {
  let directory: string;
  let session: DuckdbSession;
  let files = 0;
  beforeAll(async () => {
    directory = await scratchDirectory();
    session = await openDuckdb({ memoryBytes: 2 ** 28, threads: 1, scratchDirectory: join(directory, 'scratch') });
  });
  afterAll(async () => {
    session.close();
    await rm(directory, { recursive: true, force: true });
  });

  const check = async (name: string, weights: string): Promise<string | null> => {
    const file = join(directory, `${files++}.parquet`);
    await writeParquet(`SELECT unnest([${weights}]::DOUBLE[]) AS w`, file);
    const algorithm = KERNELS.find((kernel) => kernel.name === name);
    const edges = [{ files: [file], rowCount: 1, weightColumn: 'w' }];
    return (
      (await checkWeights(session, { request: { algorithm }, graph: { edges } } as unknown as PlannedRun))?.message ??
      null
    );
  };

  test.each([
    'pagerank', 'hits', 'eigenvector_centrality', 'louvain_communities', 'modularity', 'shortest_path',
    'closeness_centrality', 'harmonic_centrality', 'betweenness_centrality', 'eccentricity', 'diameter',
  ])('weights of %s must not be negative, even if another edge makes the sum positive', async (name) => {
    expect(await check(name, '1, -1.5, 2')).toContain('-1.5');
    expect(await check(name, '1, NULL, 2')).toBeNull();
  }); // prettier-ignore

  test.each(['weighted_degree', 'minimum_spanning_tree', 'katz_centrality', 'clustering'])(
    'weights of %s may be negative',
    async (name) => expect(await check(name, '1, -1.5')).toBeNull(),
  );

  test('must be finite, and above 0 where paths are counted', async () => {
    for (const weight of ["'nan'", "'inf'", "'-inf'"]) {
      expect(await check('weighted_degree', `1, ${weight}::DOUBLE`)).toMatch(/NaN|Infinity/);
    }
    expect(await check('betweenness_centrality', '0, 1')).toContain('is 0 on an edge');
    expect(await check('shortest_path', '0, 1')).toBeNull();
  });
});
