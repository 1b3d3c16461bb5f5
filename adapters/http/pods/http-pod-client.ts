import { isLeft } from 'fp-ts/Either';
import type * as t from 'io-ts';
import { type Logger } from 'pino';
import { type PodAddress, type PodClient } from '../../../domain/ports/pod-client';
import { type PodRuntime } from '../../../domain/ports/pod-runtime';
import { LockAnswer } from '../../contracts/graph-pod/endpoints';
import { SIGNATURE_HEADER, type SignRequests } from '../../contracts/graph-pod/request-signature';
import { fetchReason } from '../../system/fetch-reason';

export interface HttpPodClientOptions {
  readonly podRuntime: Pick<PodRuntime, 'managesPods' | 'routeOf'>;
  /** Pods that the control plane manages accept only requests that are signed for them. */
  readonly sign: SignRequests;
  readonly log: Logger;
}

const TIMEOUT_MS = 2000;

type Work = t.TypeOf<typeof LockAnswer>;

/** Sends requests to pods over HTTP. */
export const createHttpPodClient = ({ podRuntime, sign, log }: HttpPodClientOptions): PodClient => {
  const read = async ({ instanceId, urlSlug, reportedUrl }: PodAddress): Promise<Work | 'unreachable' | null> => {
    const route = podRuntime.routeOf(urlSlug);
    const address = podRuntime.managesPods ? (route?.url ?? null) : reportedUrl;
    if (address === null) return null;
    try {
      const signal = AbortSignal.timeout(TIMEOUT_MS);
      const url = new URL(`${address.replace(/\/+$/, '')}/lock`);
      const signed = { method: 'GET', path: url.pathname, username: null };
      const headers: Record<string, string> = route === null ? {} : { [SIGNATURE_HEADER]: sign(route, signed) };
      const answer = await fetch(url, { signal, headers, redirect: 'error' });
      const decoded = LockAnswer.decode(await answer.json());
      if (isLeft(decoded)) throw new Error(`the answer has status ${answer.status} and no lock`);
      return decoded.right;
    } catch (error) {
      log.warn({ instanceId, reason: fetchReason(error) }, 'the lock of a pod cannot be read');
      // The address that a pod of an external runner reported may be reachable by its clients only.
      return podRuntime.managesPods ? 'unreachable' : null;
    }
  };

  return {
    lockOf: async (pod) => {
      const work = await read(pod);
      if (work === null || work === 'unreachable') return work;
      const { lock } = work;
      return lock.locked
        ? {
            holderUsername: lock.holder_username ?? null,
            algorithmName: lock.algorithm_name ?? null,
            executionId: lock.execution_id ?? null,
          }
        : null;
    },
    isWorking: async (pod) => {
      const work = await read(pod);
      if (work === null || work === 'unreachable') return work !== null;
      return work.lock.locked || (work.running_queries ?? 0) > 0;
    },
  };
};
