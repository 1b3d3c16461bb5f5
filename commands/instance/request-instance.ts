import { isLeft, left, right } from 'fp-ts/Either';
import { decideLifetime } from '../../domain/config';
import { type Instance, type InstanceAccess, instanceStream, type WrapperType } from '../../domain/instance';
import { domainError } from '../../domain/kernel/errors';
import { type Mapping, mappingStream, versionNotFound } from '../../domain/mapping';
import { type ChangeCapacity } from '../capacity/reserve-slot';
import { loadConfig } from '../config/configure';
import { instances, mappings } from '../kit/aggregates';
import { type CommandContext, type CommandPorts } from '../kit/command-context';
import { type CommandOutcome, type CommandResult, handleCommand } from '../kit/handle-command';
import { loadHistory, loadStream } from '../kit/load-stream';
import { changeMapping } from '../mapping/change-mapping';
import { goneSnapshots } from '../mapping/gone-snapshots';
import { validateAccess } from './change-access';

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
  readonly access: InstanceAccess;
}

type Ports = CommandPorts & { readonly changeCapacity: ChangeCapacity };

/**
 * Reserves a slot, plans the snapshot in the mapping and requests an instance; the startup process continues from
 * there. The slot is released if the request fails; if the outcome is unknown, the reservation expires.
 */
export const requestInstance = async (
  ports: Ports,
  request: InstanceRequest,
  context: CommandContext,
): CommandResult<
  CommandOutcome<Instance | null>,
  'VALIDATION_FAILED' | 'RESOURCE_NOT_FOUND' | 'MAPPING_VERSION_NOT_FOUND' | 'CONCURRENCY_LIMIT_EXCEEDED'
> => {
  const config = await loadConfig(ports);
  if (isLeft(config)) return config;
  const { lifecycle, concurrency: limits } = config.right;
  const lifetime = decideLifetime(request, lifecycle.instance);
  if (isLeft(lifetime)) return lifetime;
  const access = await validateAccess(ports, request.access, 'access.');
  if (isLeft(access)) return access;
  const mapping = await findVersion(ports, request);
  if (isLeft(mapping)) return mapping;
  const { snapshots, ...ofMapping } = mapping.right;
  const { mappingId, mappingVersion } = ofMapping;
  const begun = await begin(ports, context);
  if (isLeft(begun)) return begun;
  const { instanceId, snapshotId, attemptId, requested } = begun.right;
  if (requested !== null) return right(requested);
  const ownerUsername = context.actor.username;
  const reserved = await ports.changeCapacity(
    { type: 'ReserveSlot', instanceId, ownerUsername, limits },
    { ...context, commandId: ports.ids.derivedUuid(attemptId, 'slot') },
  );
  if (isLeft(reserved)) return reserved;
  const gone = await goneSnapshots(ports, someOf(snapshots, snapshotId));
  const goneSnapshotIds = isLeft(gone) ? [] : gone.right;
  const planned = await changeMapping(
    ports,
    mappingId,
    { type: 'PlanMappingSnapshot', version: mappingVersion, snapshotId, instanceId, goneSnapshotIds },
    { ...context, commandId: ports.ids.derivedUuid(attemptId, 'snapshot') },
  );
  const { wrapperType, name, description, cpuCores } = request;
  const command = {
    type: 'RequestInstance',
    ...lifetime.right,
    instanceId,
    ownerUsername,
    snapshotId,
    urlSlug: ports.ids.secretUuid(),
    ...ofMapping,
    wrapperType,
    name,
    description,
    cpuCores,
    access: access.right,
  } as const;
  const handled = isLeft(planned)
    ? planned
    : await handleCommand(ports, instances, instanceStream(instanceId), command, context);
  if (isLeft(handled) && (isLeft(planned) || NOT_WRITTEN.has(handled.left.code))) {
    await releaseAttempt(ports, instanceId, attemptId, context);
  }
  return handled;
};

/** A mapping forgets gone snapshots when the next one is planned, from this number on. */
const MANY_SNAPSHOTS = 16;
/** Snapshots to look at each time: more than are added. */
const LOOKED_AT = 8;

/** Some snapshots of a mapping with many, others for each new snapshot. */
const someOf = (snapshots: Mapping['snapshots'], snapshotId: number): Mapping['snapshots'] => {
  if (snapshots.length < MANY_SNAPSHOTS) return [];
  const start = (snapshotId * LOOKED_AT) % snapshots.length;
  return [...snapshots.slice(start), ...snapshots].slice(0, LOOKED_AT);
};

/** Failures which guarantee that the instance does not exist. */
const NOT_WRITTEN: ReadonlySet<string> = new Set(['PAYLOAD_TOO_LARGE', 'VALIDATION_FAILED']);

/** Releases the slot of an attempt without a stored request. */
const releaseAttempt = (
  { changeCapacity, ids }: Ports,
  instanceId: number,
  attemptId: string,
  context: CommandContext,
) =>
  changeCapacity(
    { type: 'ReleaseSlot', instanceId },
    { ...context, commandId: ids.derivedUuid(attemptId, 'give back') },
  );

/** The current name and snapshots of the mapping, and the requested version or else the latest. */
const findVersion = async (
  ports: CommandPorts,
  { mappingId, mappingVersion }: InstanceRequest,
): CommandResult<
  {
    readonly mappingId: number;
    readonly mappingName: string;
    readonly mappingVersion: number;
    readonly snapshots: Mapping['snapshots'];
  },
  'RESOURCE_NOT_FOUND' | 'MAPPING_VERSION_NOT_FOUND'
> => {
  const loaded = await loadStream(ports, mappings, mappingStream(mappingId));
  if (isLeft(loaded)) return loaded;
  const mapping = loaded.right.state;
  if (mapping === null) {
    const message = `Mapping ${mappingId} does not exist; list the mappings to find its id.`;
    return left(domainError('RESOURCE_NOT_FOUND', message, { mapping_id: mappingId }));
  }
  const latest = mapping.versions.length;
  const version = mappingVersion ?? latest;
  if (version > latest) return left(versionNotFound(mappingId, version, latest));
  const { name: mappingName, snapshots } = mapping;
  return right({ mappingId, mappingName, mappingVersion: version, snapshots });
};

interface Begun {
  readonly instanceId: number;
  readonly snapshotId: number;
  readonly attemptId: string;
  /** The result of an earlier run of the same command. */
  readonly requested: CommandOutcome<Instance | null> | null;
}

/**
 * The ids of a command. A repeated command returns the instance of its first run. If the first run stopped before its
 * request, its slot is released, and the command restarts with new ids.
 */
const begin = async (ports: Ports, context: CommandContext): CommandResult<Begun, 'CONCURRENCY_LIMIT_EXCEEDED'> => {
  const { ids, store } = ports;
  for (let attemptId = context.commandId; ; attemptId = ids.derivedUuid(attemptId, 'again')) {
    const { id: instanceId, isNew } = await ids.nextFor(attemptId, 'instance');
    const { id: snapshotId } = await ids.nextFor(attemptId, 'snapshot');
    if (isNew) return right({ instanceId, snapshotId, attemptId, requested: null });
    const loaded = await loadHistory(store, instances, instanceStream(instanceId));
    if (isLeft(loaded)) return loaded;
    const [first] = loaded.right.events;
    // A reservation that lapsed before the request abandoned the instance.
    if (first?.type === 'InstanceRequested') {
      const { position, metadata } = first;
      const requested = { state: instances.decider.evolve(null, first), position, occurredAt: metadata.occurredAt };
      return right({ instanceId, snapshotId, attemptId, requested });
    }
    const released = await releaseAttempt(ports, instanceId, attemptId, context);
    if (isLeft(released)) return released;
  }
};
