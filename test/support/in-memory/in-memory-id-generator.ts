import { uuids } from '../../../adapters/system/uuids';
import { type IdGenerator, type IdKind } from '../../../domain/ports/id-generator';

/** A counter in memory, for tests and trials. */
export const createInMemoryIdGenerator = (): IdGenerator => {
  const last = new Map<IdKind, number>();
  const given = new Map<string, number>();
  const next = (kind: IdKind, count = 1): readonly number[] => {
    const from = last.get(kind) ?? 0;
    last.set(kind, from + count);
    return Array.from({ length: count }, (_, index) => from + index + 1);
  };
  return {
    ...uuids,
    next: (kind, count) => Promise.resolve(next(kind, count)),
    nextFor: (commandId, kind) => {
      const known = given.get(`${commandId} ${kind}`);
      const [id = 0] = known === undefined ? next(kind) : [known];
      given.set(`${commandId} ${kind}`, id);
      return Promise.resolve({ id, isNew: known === undefined });
    },
  };
};
