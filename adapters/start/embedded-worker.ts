import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { releaseExportJobs } from '../../commands/export-job/change-export-job';
import { runUnderLease } from '../../commands/jobs/hold-lease';
import { requestContext } from '../../commands/kit/command-context';
import { EMBEDDED_WORKER_LEASE } from '../../domain/export-job';
import { exportJobQueue } from '../../queries/export-jobs';
import { type WorkerEnvironment } from '../contracts/export-worker/settings';
import { superviseProgram } from '../local-process/supervised-program';
import { programPath } from '../system/package-root';
import { pause } from '../system/retry';
import { tracedEnvironment } from '../system/tracing';
import { type Parts } from './parts';
import { csvLayoutVariables } from './query-engine';
import { embeddedWorkerPrefix, retryUntilDone } from './recovery';
import { internalUrl } from './settings';

/** Short exports end in this time; longer ones restart at the next start. */
const GRACE_MS = 5_000;
/** The variables that the AWS provider chain reads. */
const credentials = (): Readonly<Record<string, string | undefined>> =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => name.startsWith('AWS_')));

/** The last request of an ended worker may still claim jobs; they are released again after this time. */
const LAST_REQUEST_MS = 2_000;
const WORKER = { username: 'system:embedded-worker', role: 'system' } as const;

/**
 * Keeps one export worker running with the control plane. Each start has its own name, so that the claims of a dead
 * worker are released at once and its late reports are not attributed to its successor. A lease shows other replicas
 * that it is alive.
 */
export const startEmbeddedWorker = (parts: Parts): void => {
  const { settings, shutdownSteps, log, ports, db, tokens, objects } = parts;
  let workerId = '';
  const scratchDirectory = join(settings.dataDirectory, 'scratch');
  const launch = () => {
    // Files of exports that a killed worker left.
    rmSync(scratchDirectory, { recursive: true, force: true });
    workerId = `${embeddedWorkerPrefix(settings)}${ports.ids.secretUuid().slice(0, 8)}`;
    const environment: WorkerEnvironment = {
      ROWGRAPH_WORKER_ID: workerId,
      ROWGRAPH_WORKER_CONTROL_PLANE_URL: internalUrl(settings),
      ROWGRAPH_WORKER_TOKEN_FILE: tokens.fileFor({ kind: 'worker' }),
      ROWGRAPH_WAREHOUSE_DIR: settings.warehouseDirectory,
      ...csvLayoutVariables(settings),
      ROWGRAPH_QUERY_ENGINE: settings.trino === null ? 'duckdb' : 'trino',
      ...settings.storeVariables,
      ...(settings.s3 === null ? { ROWGRAPH_OBJECT_STORE_ROOT: objects.root } : credentials()),
      ROWGRAPH_WORKER_SCRATCH_DIR: scratchDirectory,
      ROWGRAPH_WORKER_HINTS: settings.allowedCatalogs.isUnrestricted ? 'on' : 'off',
      ROWGRAPH_LOG_LEVEL: settings.logLevel,
    };
    return {
      programPath: programPath('pod/export-worker/main'),
      environment: { ...environment, ...tracedEnvironment(true) },
    };
  };
  const closing = new AbortController();
  shutdownSteps.addLoop('lease of the export worker', (signal) =>
    runUnderLease(
      parts.leases,
      EMBEDDED_WORKER_LEASE + embeddedWorkerPrefix(settings),
      ports.ids.secretUuid(),
      (_lease, held) => new Promise((resolve) => held.addEventListener('abort', () => resolve(), { once: true })),
      signal,
    ),
  );
  const free = async (endedId: string): Promise<void> => {
    const release = async (): ReturnType<typeof releaseExportJobs> =>
      releaseExportJobs(
        ports,
        await exportJobQueue(db).heldBy(endedId),
        requestContext(ports.ids, WORKER, ports.ids.uuid()),
      );
    const what = `releasing the jobs of the ended export worker ${endedId}`;
    await retryUntilDone(what, release, closing.signal, log);
    await pause(LAST_REQUEST_MS, closing.signal);
    await retryUntilDone(what, release, closing.signal, log);
  };
  const worker = superviseProgram({ name: 'export-worker', launch, log, onExit: () => void free(workerId) });
  shutdownSteps.add('export worker', async () => {
    await worker.stop(GRACE_MS);
    closing.abort();
  });
  parts.worker.wake = () => void worker.program()?.send({ type: 'jobs_available' });
};
