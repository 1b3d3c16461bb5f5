import { v4, v5, v7 } from 'uuid';
import { type IdGenerator } from '../../domain/ports/id-generator';

/** Ids that do not need a store. */
export const uuids: Omit<IdGenerator, 'next' | 'nextFor'> = {
  uuid: () => v7(),
  derivedUuid: (namespace, name) => v5(name, namespace),
  secretUuid: () => v4(),
};
