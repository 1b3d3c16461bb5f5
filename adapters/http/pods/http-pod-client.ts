import { isLeft } from 'fp-ts/Either';
import { type Logger } from 'pino';
import { LockAnswer } from '../../contracts/graph-pod/endpoints';
import { fetchReason } from '../../system/fetch-reason';
import { type AskedPod, type PodClient } from '../../../domain/ports/pod-client';

export interface HttpPodClientOptions {
  /** The base URL of a pod, or null if it is unknown. */
  readonly addressOf: (pod: AskedPod) => string | null;
  readonly log: Logger;
}

const PATIENCE_MS = 2000;

/** Queries pods over HTTP. */
export const createHttpPodClient = ({ addressOf, log }: HttpPodClientOptions): PodClient => ({
  lockOf: async (pod) => {
    const { instanceId } = pod;
    const address = addressOf(pod);
    if (address === null) return null;
    try {
      const signal = AbortSignal.timeout(PATIENCE_MS);
      const answer = await fetch(`${address.replace(/\/+$/, '')}/lock`, { signal, redirect: 'error' });
      const decoded = LockAnswer.decode(await answer.json());
      if (isLeft(decoded)) throw new Error(`the answer has status ${answer.status} and no lock`);
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
        'the lock of a pod is not readable; the instance counts as unlocked',
      );
      return null;
    }
  },
});
