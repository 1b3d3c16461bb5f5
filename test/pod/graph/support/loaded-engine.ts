import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Either, isLeft } from 'fp-ts/Either';
import { type InstanceMapping } from '../../../../adapters/contracts/graph-pod/instance-mapping';
import { type GraphEngine } from '../../../../pod/graph/engine/graph-engine';
import { type LoadedGraph, loadGraph } from '../../../../pod/graph/loading/load-graph';
import { type LoadFailure, type LoadProgress, trackProgress } from '../../../../pod/graph/loading/load-progress';
import { type Snapshot } from './snapshot';

export const scratchDirectory = (): Promise<string> => mkdtemp(join(tmpdir(), 'rowgraph-pod-'));

/** Loads a mapping into a started engine; returns what the pod would get. */
export const loadInto = (
  engine: GraphEngine,
  mapping: InstanceMapping,
  snapshot: Snapshot,
  directory: string,
  onProgress: (progress: LoadProgress) => void = () => undefined,
): Promise<Either<LoadFailure, LoadedGraph>> =>
  loadGraph(mapping, {
    listFiles: snapshot.listFiles,
    engine,
    directory: join(directory, 'files'),
    duckdb: { memoryBytes: 2 ** 30, threads: 2, scratchDirectory: join(directory, 'scratch') },
    progress: trackProgress(mapping, onProgress),
  });

/** An engine with a loaded graph. `end` closes both. */
export interface LoadedEngine {
  readonly engine: GraphEngine;
  readonly graph: LoadedGraph;
  /** The rows of a query as JavaScript reads them; fails the test when the query fails. */
  readonly rows: (text: string, parameters?: Record<string, unknown>) => Promise<unknown[][]>;
  readonly end: () => Promise<void>;
}

export const loadedEngine = async (
  engine: GraphEngine,
  mapping: InstanceMapping,
  snapshot: Snapshot,
  directory: string,
): Promise<LoadedEngine> => {
  right(await engine.start());
  const graph = right(await loadInto(engine, mapping, snapshot, directory));
  return {
    engine,
    graph,
    rows: async (text, parameters = {}) => {
      const answer = right(await engine.query({ text, parameters, timeoutMs: 20_000 }));
      return JSON.parse(answer.rowsJson) as unknown[][];
    },
    end: async () => {
      await engine.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
};

/** The right side; a left side fails the test and is shown. */
export const right = <E, A>(either: Either<E, A>): A => {
  if (isLeft(either)) throw new Error(`Expected a success, got ${JSON.stringify(either.left)}`);
  return either.right;
};

/** The left side; a right side fails the test and is shown. */
export const left = <E, A>(either: Either<E, A>): E => {
  if (isLeft(either)) return either.left;
  throw new Error(`Expected a failure, got ${JSON.stringify(either.right)}`);
};
