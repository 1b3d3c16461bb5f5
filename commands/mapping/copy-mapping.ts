import { type Either, isLeft, left } from 'fp-ts/Either';
import { type LifecycleLimits } from '../../domain/config';
import { type DomainError, notFound } from '../../domain/kernel/errors';
import { mappingStream } from '../../domain/mapping';
import { mappings } from '../kit/aggregates';
import { type CommandContext, type CommandPorts } from '../kit/command-context';
import { type CreatedMapping, createMapping } from './create-mapping';
import { loadStream } from '../kit/handle-command';

/** Creates a mapping of the actor's own from the current version of another, with description and the default life span. */
export const copyMapping = async (
  ports: CommandPorts,
  mappingId: number,
  copy: { readonly name: string; readonly ownerName: string; readonly limits: LifecycleLimits },
  context: CommandContext,
): Promise<Either<DomainError, CreatedMapping>> => {
  const loaded = await loadStream(ports.store, mappings, mappingStream(mappingId));
  if (isLeft(loaded)) return loaded;
  const source = loaded.right.state;
  const current = source?.versions.at(-1);
  if (source === null || current === undefined) return left(notFound('mapping', mappingId));
  const { nodeDefinitions, edgeDefinitions } = current;
  const { description } = source;
  const body = { ...copy, description, ttl: null, inactivityTimeout: null, nodeDefinitions, edgeDefinitions };
  return createMapping(ports, body, context);
};
