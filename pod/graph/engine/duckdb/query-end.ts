import { type GraphQuery, type QueryFailure } from '../graph-engine';

/** When and why a query must end although it is not answered. */
export interface QueryEnd {
  readonly signal: AbortSignal;
  /** Null before it. */
  readonly failure: () => QueryFailure | null;
  readonly release: () => void;
}

/** The end of a query: its timeout, counted from now on, or the disconnection of its client. */
export const queryEnd = ({ timeoutMs }: GraphQuery, disconnected: AbortSignal): QueryEnd => {
  const controller = new AbortController();
  let failure: QueryFailure | null = null;
  const end = (why: QueryFailure): void => {
    failure ??= why;
    controller.abort();
  };
  const timer = setTimeout(() => end({ kind: 'timeout', timeoutMs }), timeoutMs);
  const onDisconnected = (): void => end({ kind: 'abandoned' });
  disconnected.addEventListener('abort', onDisconnected);
  if (disconnected.aborted) onDisconnected();
  const release = (): void => {
    clearTimeout(timer);
    disconnected.removeEventListener('abort', onDisconnected);
  };
  return { signal: controller.signal, failure: () => failure, release };
};
