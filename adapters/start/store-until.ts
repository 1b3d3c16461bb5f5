import { isLeft, left, right } from 'fp-ts/Either';
import { comparePositions, type Position } from '../../domain/kernel/event';
import { type EventStore } from '../../domain/ports/event-store';

/** The log as it was at a position: later events do not exist, and nothing can be appended. */
export const storeUntil = (store: EventStore, end: Position): EventStore => {
  const isPast = ({ position }: { readonly position: Position }): boolean => comparePositions(position, end) <= 0;
  const readPast: EventStore['readAll'] = async (after, limit, filter) => {
    const page = await store.readAll(after, limit, filter);
    if (isLeft(page)) return page;
    const position = isPast(page.right) ? page.right.position : isPast({ position: after }) ? end : after;
    return right({ events: page.right.events.filter(isPast), position });
  };
  return {
    append: () => Promise.resolve(left({ kind: 'unavailable', reason: `the log is read only up to position ${end}` })),
    readStream: async (streamId, { direction = 'forwards', fromRevision, limit } = {}) => {
      const stream = await store.readStream(streamId);
      if (isLeft(stream)) return stream;
      const past = stream.right.filter(isPast);
      const ordered = direction === 'forwards' ? past : past.reverse();
      const wanted = ordered.filter(
        ({ revision }) =>
          fromRevision === undefined ||
          (direction === 'forwards' ? revision >= fromRevision : revision <= fromRevision),
      );
      return right(wanted.slice(0, limit));
    },
    readAt: (position) => (isPast({ position }) ? store.readAt(position) : Promise.resolve(right(null))),
    readAll: readPast,
    subscribeAll: async function* (after, { filter, batchSize = 1000, signal }) {
      for (let from = after; !signal.aborted;) {
        const page = await readPast(from, batchSize, filter);
        if (isLeft(page) || comparePositions(page.right.position, from) === 0) return;
        yield page.right;
        from = page.right.position;
      }
    },
    head: () => Promise.resolve(right(end)),
  };
};
