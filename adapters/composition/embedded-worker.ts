import { join } from 'node:path';
import { type Logger } from 'pino';
import { type WorkerEnvironment } from '../../pod/export-worker/contract/settings';
import { releaseWorkers } from '../../commands/change-export-job';
import { type CommandPorts, requestContext } from '../../commands/command-context';
import { exportJobQueue } from '../../queries/export-jobs';
import { type ReadDatabase } from '../../queries/kit/database';
import { signServiceToken } from '../http/internal/service-token';
import { superviseProgram } from '../local-process/supervised-program';
import { type Closers } from './closers';
import { programPath } from './package-root';
import { internalUrl } from './pods';
import { EMBEDDED_WORKER_PREFIX } from './recovery';
import { type Settings } from './settings';

const TOKEN_SECONDS = 400 * 24 * 3600;
const GRACE_MS = 20_000;
const WORKER = { username: 'system:embedded-worker', role: 'system' } as const;

/**
 * Keeps one export worker running beside the control plane. Each start has a name of its own, so that the claims of one
 * that died are freed at once and nothing late of it is taken for its successor. Returns how to tell it of new jobs.
 */
export const startEmbeddedWorker = (
  settings: Settings,
  secret: string,
  storageRoot: string,
  { ports, db }: { readonly ports: CommandPorts; readonly db: ReadDatabase },
  closers: Closers,
  log: Logger,
): (() => void) => {
  let workerId = '';
  const launch = () => {
    workerId = `${EMBEDDED_WORKER_PREFIX}${ports.ids.secretUuid().slice(0, 8)}`;
    const environment: WorkerEnvironment = {
      ROWGRAPH_WORKER_ID: workerId,
      ROWGRAPH_WORKER_CONTROL_PLANE_URL: internalUrl(settings),
      ROWGRAPH_WORKER_TOKEN: signServiceToken(secret, { kind: 'worker' }, TOKEN_SECONDS),
      ROWGRAPH_WAREHOUSE_DIR: settings.warehouseDirectory,
      ROWGRAPH_OBJECT_STORE_ROOT: storageRoot,
      ROWGRAPH_WORKER_SCRATCH_DIR: join(settings.dataDirectory, 'scratch'),
      ROWGRAPH_LOG_LEVEL: settings.logLevel === 'fatal' ? 'error' : settings.logLevel,
    };
    return { programPath: programPath('pod/export-worker/main'), environment };
  };
  const free = (): void => {
    const context = requestContext(ports.ids, WORKER, ports.ids.uuid());
    releaseWorkers({ ...ports, queue: exportJobQueue(db) }, workerId, context).then(
      (jobs) => {
        if (jobs > 0) log.warn({ workerId, jobs }, 'the jobs of the ended export worker wait for the next one');
      },
      (error: unknown) => log.error({ err: error, workerId }, 'claims could not be freed; they end with their leases'),
    );
  };
  const worker = superviseProgram({ name: 'export-worker', launch, log, onExit: free });
  closers.add('export worker', () => worker.stop(GRACE_MS));
  return () => void worker.program()?.send({ type: 'jobs_available' });
};
