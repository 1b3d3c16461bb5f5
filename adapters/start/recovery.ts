import { createHash } from 'node:crypto';
import { hostname } from 'node:os';
import { type Either, isLeft, isRight, left } from 'fp-ts/Either';
import { type Logger } from 'pino';
import { releaseExportJobs } from '../../commands/export-job/change-export-job';
import { changeInstance } from '../../commands/instance/change-instance';
import { observePodEnd } from '../../commands/instance/observe-pod';
import { requestContext } from '../../commands/kit/command-context';
import { type PodStatus } from '../../domain/instance';
import { type DomainError, unavailable } from '../../domain/kernel/errors';
import { listJobsOfWorkers } from '../../queries/export-jobs';
import { listActiveInstanceIds } from '../../queries/instances';
import { retry } from '../system/retry';
import { type Parts } from './parts';
import { type Settings } from './settings';

const SYSTEM = { username: 'system:recovery', role: 'system' } as const;

/** Name prefix of embedded export workers; every data folder has its own. */
export const embeddedWorkerPrefix = ({ dataDirectory }: Settings): string => {
  const digest = createHash('sha256').update(`${hostname()}:${dataDirectory}`).digest('hex');
  return `embedded-${digest.slice(0, 8)}-`;
};

/**
 * Recovers after the end of the embedded system, with which its pods and workers ended. Claims of its workers are
 * released, and instances with a pod, or waiting for one, are reloaded from their snapshots, unless their pods outlive
 * the control plane. Called once the read models are up to date and before anything new is started.
 */
export const recoverEmbedded = async ({ settings, log, ports, db, podRuntime }: Parts): Promise<void> => {
  const context = () => requestContext(ports.ids, SYSTEM, ports.ids.uuid());
  const held = await listJobsOfWorkers(db, embeddedWorkerPrefix(settings));
  const released = await releaseExportJobs(ports, held, context());
  if (isLeft(released)) log.error({ err: released.left }, 'the jobs of ended export workers could not be released');
  for (const instanceId of podRuntime.outlivesControlPlane ? [] : await listActiveInstanceIds(db)) {
    const command = { type: 'RestartInstance', reason: 'the system was restarted' } as const;
    const restarted = await changeInstance(ports, instanceId, command, context());
    if (isLeft(restarted)) log.error({ instanceId, err: restarted.left }, 'an instance could not be restarted');
    else log.info({ instanceId }, 'the instance is loaded again from its snapshot');
  }
};

/** Reports ended pods to their instances, including those that ended while no control plane was running. */
export const observePods = async (parts: Parts): Promise<void> => {
  const { podRuntime, ports, changeCapacity, shutdownSteps, log } = parts;
  const closing = new AbortController();
  const observed = (pod: PodStatus): void => {
    if (pod.end === null) return;
    const actor = { username: 'system:pod-runtime', role: 'system' } as const;
    const context = requestContext(ports.ids, actor, ports.ids.uuid());
    void retryUntilDone(
      `recording the end of a pod of instance ${pod.instanceId}`,
      () => observePodEnd({ ...ports, changeCapacity, podRuntime }, pod, context, closing.signal),
      closing.signal,
      log,
    );
  };
  const stop = podRuntime.onPodChanged(observed);
  shutdownSteps.add('watch on pods', () => {
    closing.abort();
    stop();
  });
  const known = await podRuntime.listPods();
  if (isRight(known)) known.right.forEach(observed);
};

/** Retries an operation that no other caller repeats, until it succeeds, fails permanently, or the signal aborts. */
export const retryUntilDone = async (
  what: string,
  attempt: () => Promise<Either<DomainError, unknown>>,
  signal: AbortSignal,
  log: Logger,
): Promise<void> => {
  const onFailure = (error: DomainError): boolean => {
    // What it gives up is found by reconciliation, or when a lease expires.
    const isRetried = error.code === 'SERVICE_UNAVAILABLE' || error.code === 'CONFLICT';
    log.error({ err: error }, `${what} failed${isRetried ? '; trying again' : ''}`);
    return isRetried;
  };
  const tried = () => attempt().catch((error: unknown) => left(unavailable('The event store', String(error))));
  if (!signal.aborted) await retry(tried, { pausesMs: [250, 5_000], signal, onFailure });
};
