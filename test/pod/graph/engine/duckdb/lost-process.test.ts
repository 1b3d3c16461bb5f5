import { join } from 'node:path';
import { right as succeeded } from 'fp-ts/Either';
import {
  type DatabaseProcess,
  ProcessEnded,
  startDatabase,
} from '../../../../../pod/graph/engine/duckdb/database-process';
import { DuckdbEngine } from '../../../../../pod/graph/engine/duckdb/duckdb-engine';
import { type EngineCrash } from '../../../../../pod/graph/engine/graph-engine';
import { createSampleGraph, type SampleGraph } from '../../../../contracts/graph-engine/sample-graph';
import { left, type LoadedEngine, loadedEngine, right, scratchDirectory } from '../../support/loaded-engine';
import { writeParquet } from '../../support/snapshot';

type Call = DatabaseProcess['call'];
type AnyCall = (name: string, ...parameters: readonly unknown[]) => Promise<unknown>;

describe('an engine whose process is lost', () => {
  let sample: SampleGraph;
  let directory: string;
  let loaded: LoadedEngine;
  const crashes: EngineCrash[] = [];
  /** Called around the next call with this name, once. */
  let trap: {
    readonly name: string;
    readonly spring: (call: () => Promise<unknown>, kill: () => void) => unknown;
  } | null;

  beforeAll(async () => {
    sample = await createSampleGraph();
    directory = await scratchDirectory();
    const launch: typeof startDatabase = async (open, onSpawn) => {
      const database = right(await startDatabase(open, onSpawn));
      const real = database.call as AnyCall;
      const trapped: AnyCall = async (name, ...parameters) => {
        const { name: awaited, spring } = trap ?? {};
        if (name !== awaited) return real(name, ...parameters);
        trap = null;
        return spring?.(() => real(name, ...parameters), database.kill);
      };
      return succeeded({ ...database, call: trapped as Call });
    };
    const options = {
      directory,
      memoryBytes: 2 ** 30,
      cpuCores: 2,
      onCrash: (crash: EngineCrash) => crashes.push(crash),
    };
    loaded = await loadedEngine(new DuckdbEngine(options, { launch }), sample.mapping, sample.snapshot, directory);
  });
  beforeEach(() => {
    trap = null;
    crashes.length = 0;
  });
  afterAll(async () => {
    await loaded.end();
    await sample.snapshot.remove();
  });

  const writeRank = async (rank: number) => {
    const parquetFile = join(directory, 'ranks.parquet');
    await writeParquet(`SELECT 'ada' AS key, ${rank}::BIGINT AS value`, parquetFile);
    const type = { kind: 'scalar', name: 'INT64' } as const;
    const property = { name: 'rank', declaredType: 'INT64', type, wholeMilliseconds: false };
    return loaded.engine.writeNodes({ label: 'Person', property, parquetFile });
  };
  const ranks = () => loaded.rows('MATCH (p:Person {name: "ada"}) RETURN p.rank, p.age');

  test('repeats a query after a fatal error of the database in another process', async () => {
    trap = { name: 'answer', spring: () => Promise.reject(new Error('FATAL Error: database has been invalidated')) };
    expect(await loaded.rows('MATCH (p:Person) RETURN count(p)')).toEqual([[3]]);
    expect(crashes).toEqual([{ how: 'signal SIGKILL', isWanted: false, recovered: true }]);
  });

  test('completes a write when the process ends after it replaced the table', async () => {
    const spring = async (call: () => Promise<unknown>, kill: () => void): Promise<never> => {
      await call();
      kill();
      throw new ProcessEnded('signal SIGKILL');
    };
    trap = { name: 'replaceTable', spring };
    expect(right(await writeRank(7))).toBe(1);
    expect(await ranks()).toEqual([[7, 36]]);
  });

  test('completes a write when the process ends before it replaced the table', async () => {
    trap = { name: 'replaceTable', spring: (call, kill) => (kill(), call()) };
    expect(right(await writeRank(8))).toBe(1);
    expect(await ranks()).toEqual([[8, 36]]);
  });

  test('keeps the values of before when the process ends while it builds the table', async () => {
    trap = { name: 'writeNodes', spring: (call, kill) => (kill(), call()) };
    expect(left(await writeRank(9))).toMatchObject({ kind: 'crashed' });
    expect(await ranks()).toEqual([[8, 36]]);
    expect(right(await writeRank(9))).toBe(1);
    expect(await ranks()).toEqual([[9, 36]]);
  });
});
