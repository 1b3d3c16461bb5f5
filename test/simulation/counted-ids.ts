import { type IdGenerator } from '../../domain/ports/id-generator';
import { createInMemoryIdGenerator } from '../support/in-memory/in-memory-id-generator';

/** Sequential ids instead of random ones: the same in each repetition of a run, and cheap. */
export const createCountedIds = (): IdGenerator => {
  let count = 0;
  const derived = new Map<string, string>();
  const uuid = (): string => `00000000-0000-7000-8000-${String(++count).padStart(12, '0')}`;
  return {
    ...createInMemoryIdGenerator(),
    uuid,
    secretUuid: uuid,
    derivedUuid: (namespace, name) => {
      const origin = `${namespace} ${name}`;
      const id = derived.get(origin) ?? uuid();
      derived.set(origin, id);
      return id;
    },
  };
};
