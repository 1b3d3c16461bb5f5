import { isLeft } from 'fp-ts/Either';
import { type Logger } from 'pino';
import { LockAnswer } from '../../contracts/graph-pod/endpoints';
import { fetchReason } from '../../system/fetch-reason';
import { type PodClient } from '../../../domain/ports/pod-client';

export interface HttpPodClientOptions {
  /** Local port of a pod; null for one that does not run here. */
  readonly portOf: (urlSlug: string) => number | null;
  readonly log: Logger;
}

const PATIENCE_MS = 2000;

/** Asks pods over HTTP: those of this machine at their port, others at their address. */
export const createHttpPodClient = ({ portOf, log }: HttpPodClientOptions): PodClient => ({
  lockOf: async ({ instanceId, urlSlug, instanceUrl }) => {
    const port = portOf(urlSlug);
    const address = port === null ? instanceUrl : `http://127.0.0.1:${port}`;
    if (address === null) return null;
    try {
      const signal = AbortSignal.timeout(PATIENCE_MS);
      const answer = await fetch(`${address.replace(/\/+$/, '')}/lock`, { signal, redirect: 'error' });
      const decoded = LockAnswer.decode(await answer.json());
      if (isLeft(decoded)) {
        log.warn({ instanceId, status: answer.status }, 'a pod does not tell its lock; it counts as not locked');
        return null;
      }
      const { lock } = decoded.right;
      return lock.locked
        ? {
            holderUsername: lock.holder_username ?? null,
            algorithmName: lock.algorithm_name ?? null,
            executionId: lock.execution_id ?? null,
          }
        : null;
    } catch (error) {
      log.warn(
        { instanceId, reason: fetchReason(error) },
        'a pod could not be asked for its lock; it counts as not locked',
      );
      return null;
    }
  },
});
