import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { decideLifetime } from '../domain/config';
import { type Instance, instanceStream, type WrapperType } from '../domain/instance';
import { type DomainError, domainError } from '../domain/kernel/errors';
import { mappingStream, versionNotFound } from '../domain/mapping';
import { instances, mappings } from './aggregates';
import { changeMapping } from './change-mapping';
import { type CommandContext, type CommandPorts } from './command-context';
import { loadConfig } from './configure';
import { type Handled, handleCommand, loadStream } from './handle-command';
import { type ChangeCapacity } from './reserve-slot';

export interface InstanceRequest {
  readonly mappingId: number;
  /** Null: the current version. */
  readonly mappingVersion: number | null;
  readonly wrapperType: WrapperType;
  readonly name: string;
  readonly description: string;
  readonly ttl: string | null;
  readonly inactivityTimeout: string | null;
  readonly cpuCores: number;
}

/**
 * Reserves a slot, tells the mapping of its new snapshot and requests an instance; the startup process does the rest. A
 * slot whose instance is not requested lapses.
 */
export const requestInstance = async (
  ports: CommandPorts & { readonly changeCapacity: ChangeCapacity },
  request: InstanceRequest,
  context: CommandContext,
): Promise<Either<DomainError, Handled<Instance | null>>> => {
  const config = await loadConfig(ports.store);
  if (isLeft(config)) return config;
  const { lifecycle, concurrency: limits } = config.right;
  const lifetime = decideLifetime(request, lifecycle.instance);
  if (isLeft(lifetime)) return lifetime;
  const { mappingId } = request;
  const loaded = await loadStream(ports.store, mappings.decider, mappings.catalogue, mappingStream(mappingId));
  if (isLeft(loaded)) return loaded;
  const mapping = loaded.right.state;
  if (mapping === null) {
    const message = `There is no mapping ${mappingId}; list the mappings to find the one you mean.`;
    return left(domainError('RESOURCE_NOT_FOUND', message, { mapping_id: mappingId }));
  }
  const latest = mapping.versions.length;
  const mappingVersion = request.mappingVersion ?? latest;
  if (mappingVersion > latest) return left(versionNotFound(mappingId, mappingVersion, latest));
  const [instanceId = 0] = await ports.ids.next('instance');
  const [snapshotId = 0] = await ports.ids.next('snapshot');
  const ownerUsername = context.actor.username;
  const reserved = await ports.changeCapacity(
    { type: 'ReserveSlot', instanceId, ownerUsername, limits },
    { ...context, commandId: ports.ids.derivedUuid(context.commandId, 'slot') },
  );
  if (isLeft(reserved)) return reserved;
  const planned = await changeMapping(
    ports,
    mappingId,
    { type: 'PlanMappingSnapshot', version: mappingVersion, snapshotId, instanceId },
    { ...context, commandId: ports.ids.derivedUuid(context.commandId, 'snapshot') },
  );
  if (isLeft(planned)) return planned;
  const { wrapperType, name, description, cpuCores } = request;
  const handled = await handleCommand(
    ports,
    instances,
    instanceStream(instanceId),
    {
      type: 'RequestInstance',
      ...lifetime.right,
      instanceId,
      ownerUsername,
      snapshotId,
      urlSlug: ports.ids.secretUuid(),
      mappingId,
      mappingName: mapping.name,
      mappingVersion,
      wrapperType,
      name,
      description,
      cpuCores,
    },
    context,
  );
  return isLeft(handled) ? handled : right(handled.right);
};
