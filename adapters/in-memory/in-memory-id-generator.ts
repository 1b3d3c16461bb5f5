import { type IdGenerator, type IdKind } from '../../domain/ports/id-generator';
import { uuids } from '../system/uuids';

/** Counts in the memory of this process: for tests and trials. */
export const createInMemoryIdGenerator = (): IdGenerator => {
  const last = new Map<IdKind, number>();
  return {
    ...uuids,
    next: (kind, count = 1) => {
      const from = last.get(kind) ?? 0;
      last.set(kind, from + count);
      return Promise.resolve(Array.from({ length: count }, (_, index) => from + index + 1));
    },
  };
};
