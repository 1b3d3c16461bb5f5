import { signalTo } from './system-processes';

/** Runs `what` while processes are stopped, so that none of their work ends meanwhile. */
export const whileFrozen = async <A>(pids: readonly number[], what: () => Promise<A>): Promise<A> => {
  signalTo(pids, 'SIGSTOP');
  try {
    return await what();
  } finally {
    signalTo(pids, 'SIGCONT');
  }
};
