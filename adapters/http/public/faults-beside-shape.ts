import { isLeft } from 'fp-ts/Either';
import { loadConfig } from '../../../commands/config/configure';
import { lifetimeFaults } from '../../../domain/config';
import { Duration, type FieldError } from '../../../domain/kernel/codecs';
import { type EventStore } from '../../../domain/ports/event-store';
import { definitionFaults } from './mapping/definition-faults';
import { type publicEndpoints } from './public-endpoints';

type Body = Readonly<Record<string, unknown>>;

/** Operations whose bodies have a lifetime: of what, and whether the default ttl holds where none is sent. */
const LIFETIMES: Readonly<Record<string, { readonly kind: 'mapping' | 'instance'; readonly isNew: boolean }>> = {
  createMapping: { kind: 'mapping', isNew: true },
  setMappingLifecycle: { kind: 'mapping', isNew: false },
  createInstance: { kind: 'instance', isNew: true },
  updateInstanceLifecycle: { kind: 'instance', isNew: false },
} as const satisfies Partial<Record<keyof typeof publicEndpoints, unknown>>;
const WITH_DEFINITIONS = new Set(['createMapping', 'updateMapping']);

/**
 * What the rules of definitions and lifetimes say of a body whose shape is wrong. Of a lifetime they say nothing while
 * the store is away.
 */
export const faultsBesideShape =
  (store: EventStore) =>
  async (name: string, body: unknown, shape: readonly FieldError[]): Promise<readonly FieldError[]> => {
    if (typeof body !== 'object' || body === null || Array.isArray(body)) return [];
    const given = body as Body;
    return [
      ...(WITH_DEFINITIONS.has(name) ? definitionFaults(given, shape) : []),
      ...(name === 'updateMapping' ? missingDescription(given) : []),
      ...(await faultsOfLifetime(store, name, given)),
    ];
  };

/** Definitions need it, whatever their shape. */
const missingDescription = ({ change_description: description = null, ...body }: Body): readonly FieldError[] =>
  description === null && (body['node_definitions'] !== undefined || body['edge_definitions'] !== undefined)
    ? [{ field: 'change_description', message: 'is required when definitions change' }]
    : [];

const faultsOfLifetime = async (store: EventStore, name: string, body: Body): Promise<readonly FieldError[]> => {
  const lifetime = LIFETIMES[name];
  const { ttl = null, inactivity_timeout: inactivity = null } = body;
  if (lifetime === undefined || (!Duration.is(ttl) && !Duration.is(inactivity))) return [];
  const config = await loadConfig(store);
  if (isLeft(config)) return [];
  const { defaultTtl, maxTtl } = config.right.lifecycle[lifetime.kind];
  return lifetimeFaults(
    { ttl: Duration.is(ttl) ? ttl : null, inactivityTimeout: Duration.is(inactivity) ? inactivity : null },
    // Nothing is known of a ttl that cannot be read, nor here of one that stays.
    { defaultTtl: lifetime.isNew && ttl === null ? defaultTtl : null, maxTtl },
  ).map(({ field, message }) => ({ field, message }));
};
