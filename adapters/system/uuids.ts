import { v4, v5, v7 } from 'uuid';
import { type IdGenerator } from '../../domain/ports/id-generator';

/** The ids that need no store. */
export const uuids: Omit<IdGenerator, 'next' | 'nextFor'> = {
  uuid: () => v7(),
  derivedUuid: (namespace, name) => v5(name, namespace),
  secretUuid: () => v4(),
};
