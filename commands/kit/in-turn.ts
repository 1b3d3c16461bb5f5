import { type EventStore } from '../../domain/ports/event-store';

const queues = new WeakMap<EventStore, Map<string, Promise<unknown>>>();

/**
 * Runs the tasks on one stream one after the other within this process, so that many at once do not lose races against
 * each other until they give up. Correctness does not depend on it: other processes are held off by revisions alone.
 */
export const inTurn = <A>(store: EventStore, streamId: string, task: () => Promise<A>): Promise<A> => {
  const last = queues.get(store) ?? new Map<string, Promise<unknown>>();
  queues.set(store, last);
  const result = (last.get(streamId) ?? Promise.resolve()).then(task, task);
  last.set(streamId, result);
  const forget = (): void => {
    if (last.get(streamId) === result) last.delete(streamId);
  };
  result.then(forget, forget);
  return result;
};
