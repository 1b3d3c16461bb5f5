import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { type Logger } from 'pino';
import { describeFullDisk, isDiskFull } from '../../adapters/filesystem/disk-full';
import { inSpan } from '../../adapters/system/tracing';
import { type CallFailure } from '../control-plane/internal-api';
import { type InstanceApi, throttleProgress } from './control-plane/instance-api';
import { type GraphEngine } from './engine/graph-engine';
import { type Instance, totalRows } from './instance';
import { type LoadedGraph, loadGraph } from './loading/load-graph';
import { failed, type LoadFailure, type LoadProgress, trackProgress } from './loading/load-progress';

export interface StartParts {
  readonly instance: Instance;
  readonly controlPlane: InstanceApi;
  readonly engine: GraphEngine;
  readonly log: Logger;
}

/** Why the pod ends before it is running; `report` is sent to the control plane, null if that rejected a report. */
export interface StartFailure {
  readonly report: LoadFailure | null;
  readonly message: string;
  /** The instance has ended or is being deleted, so the pod is not needed. */
  readonly isOver: boolean;
}

/** Starts the instance: report, fetch the mapping, load, report `running`. */
export const startInstance = async (parts: StartParts): Promise<Either<StartFailure, void>> => {
  const { instance, controlPlane, engine, log } = parts;
  const { settings } = instance;
  const engineStart = prepareEngine(engine, settings.dataDirectory);
  const reported = await controlPlane.reportStatus({ status: 'starting' });
  if (isLeft(reported)) return notTaken('starting', reported.left);
  const reports = throttleProgress((progress) => controlPlane.reportProgress(progress));
  reports.push({ phase: 'fetching_mapping', steps: [] });
  const loadingSince = performance.now();
  const loaded = await inSpan('load', {}, () => load(parts, engineStart, (progress) => reports.push(progress)));
  if (!isLeft(loaded)) instance.loaded = loaded.right;
  await reports.flush();
  if (isLeft(loaded)) return left({ report: loaded.left, message: loaded.left.message, isOver: false });

  const { nodes, edges } = loaded.right;
  const running = await controlPlane.reportStatus({
    status: 'running',
    pod_ip: settings.host,
    instance_url: settings.instanceUrl,
    loading_seconds: (performance.now() - loadingSince) / 1000,
    graph_stats: { node_count: totalRows(nodes), edge_count: totalRows(edges) },
  });
  if (isLeft(running)) return notTaken('running', running.left);
  const sinceStartMs = Date.now() - instance.startedAt.getTime();
  log.info({ nodes: totalRows(nodes), edges: totalRows(edges), sinceStartMs }, 'running');
  return right(undefined);
};

/** Status codes for an instance that has ended or was deleted. */
const OVER = [404, 409];

const notTaken = (status: string, failure: CallFailure): Either<StartFailure, never> => {
  const isOver = failure.kind === 'refused' && OVER.includes(failure.status);
  const message = `The control plane refused the ${status} report: ${failure.message}`;
  return left({ report: null, message, isOver });
};

/** The engine starts during the first calls to the control plane. */
const prepareEngine = async (engine: GraphEngine, dataDirectory: string): ReturnType<GraphEngine['start']> => {
  await mkdir(dataDirectory, { recursive: true });
  for (const leftover of [filesDirectory(dataDirectory), join(dataDirectory, 'algorithms')]) {
    await rm(leftover, { recursive: true, force: true });
  }
  return engine.start();
};

const filesDirectory = (dataDirectory: string): string => join(dataDirectory, 'files');

const load = async (
  { instance, controlPlane, engine }: StartParts,
  engineStart: ReturnType<GraphEngine['start']>,
  report: (progress: LoadProgress) => void,
): Promise<Either<LoadFailure, LoadedGraph>> => {
  const { settings } = instance;
  const mapping = await controlPlane.fetchMapping();
  if (isLeft(mapping)) {
    const message = `The mapping of instance ${settings.instanceId} could not be fetched: ${mapping.left.message}`;
    return failed('MAPPING_FETCH_ERROR', 'fetching_mapping', message);
  }
  instance.mapping = mapping.right;
  const started = await engineStart;
  if (isLeft(started)) {
    const { kind, reason } = started.left;
    if (kind === 'unavailable') return failed('STARTUP_FAILED', 'starting', reason);
    if (isDiskFull(reason)) return failed('STARTUP_FAILED', 'starting', await describeFullDisk(settings.dataDirectory));
    const message = `The graph database could not be started: ${reason}`;
    return failed('DATABASE_ERROR', 'creating_schema', message);
  }
  const progress = trackProgress(mapping.right, report);
  const loaded = await loadGraph(mapping.right, {
    listFiles: ({ type, name }, after) => controlPlane.fetchFilePage(type, name, after),
    engine,
    progress,
    directory: filesDirectory(settings.dataDirectory),
    duckdb: {
      memoryBytes: settings.memoryBytes / 4,
      threads: settings.cpuCores,
      scratchDirectory: join(settings.dataDirectory, 'scratch'),
    },
  });
  if (!isLeft(loaded)) progress.enter('ready');
  return loaded;
};
