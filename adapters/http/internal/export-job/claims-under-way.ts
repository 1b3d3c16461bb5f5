import { type ExportJobQueue } from '../../../../domain/ports/directories';

export interface ClaimsUnderWay {
  /** A queue that proposes no job some other claim was proposed; `settle` when the claim shows in the read model. */
  begin(queue: ExportJobQueue): { readonly queue: ExportJobQueue; readonly settle: () => void };
}

/**
 * Keeps workers that ask at the same moment from racing for the same jobs, as far as they ask this process. That each
 * job goes to one worker only does not depend on it.
 */
export const claimsUnderWay = (): ClaimsUnderWay => {
  const proposed = new Set<number>();
  return {
    begin: (queue) => {
      const own = new Set<number>();
      const claimable = async (limit: number, except: readonly number[]): Promise<readonly number[]> => {
        for (;;) {
          const found = await queue.claimable(limit, [...except, ...proposed]);
          const free = found.filter((jobId) => !proposed.has(jobId));
          for (const jobId of free) {
            proposed.add(jobId);
            own.add(jobId);
          }
          // Others were proposed what was found while it was looked for.
          if (free.length > 0 || found.length === 0) return free;
        }
      };
      const settle = (): void => own.forEach((jobId) => proposed.delete(jobId));
      return { queue: { ...queue, claimable }, settle };
    },
  };
};
