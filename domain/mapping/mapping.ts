import { type Either, isLeft, left } from 'fp-ts/Either';
import {
  changeLifetime,
  checkLifetime,
  type LifecycleLimits,
  lifetimeFaults,
  lifetimeOf,
  type RequestedLifetime,
} from '../config';
import { counted } from '../kernel/counted';
import { accept, type Actor, deciderOf, existing } from '../kernel/decider';
import { mapRight } from '../kernel/either';
import { type DomainError, domainError, type Fault, invalidField, invalidFields } from '../kernel/errors';
import { checkQuery } from '../sql/check-query';
import { type EdgeDefinition, type NodeDefinition } from './definitions';
import { type MappingEvent } from './events';
import { evolve, type Mapping } from './state';
import { validateDefinitions } from './validate-definitions';

type Created = Extract<MappingEvent, { type: 'MappingCreated' }>['data'];

/** `inactivityTimeout` null: the configured one. */
export interface CreateMapping extends Omit<Created, 'ownerUsername' | 'inactivityTimeout'> {
  readonly type: 'CreateMapping';
  readonly inactivityTimeout: string | null;
  readonly limits: LifecycleLimits;
}

/** Null: unchanged. New definitions create a version and require a description of the change. */
export interface UpdateMapping {
  readonly type: 'UpdateMapping';
  readonly actorName: string;
  readonly name: string | null;
  readonly description: string | null;
  readonly changeDescription: string | null;
  readonly nodeDefinitions: readonly NodeDefinition[] | null;
  readonly edgeDefinitions: readonly EdgeDefinition[] | null;
}

export interface SetMappingLifecycle extends RequestedLifetime {
  readonly type: 'SetMappingLifecycle';
  readonly limits: LifecycleLimits;
}

export interface PlanMappingSnapshot {
  readonly type: 'PlanMappingSnapshot';
  readonly version: number;
  readonly snapshotId: number;
  readonly instanceId: number;
  /** Snapshots known to be gone, which the mapping forgets. */
  readonly goneSnapshotIds: readonly number[];
}

export interface DeleteMapping {
  readonly type: 'DeleteMapping';
  readonly reason: string;
  /** Snapshots known to be deleted. The list may be incomplete; a deleted snapshot never reappears. */
  readonly goneSnapshotIds: readonly number[];
}

/** Commands on a mapping that exists. */
export type ChangeMapping = UpdateMapping | SetMappingLifecycle | PlanMappingSnapshot | DeleteMapping;

export type MappingCommand = CreateMapping | ChangeMapping;

type Invalid = DomainError<'VALIDATION_FAILED'>;

const ofExisting = existing<Mapping>('mapping');

/** Rejects actors other than the owner, an admin or ops. */
const ofOwner = <C, D extends Either<DomainError, readonly MappingEvent[]>>(
  decide: (command: C, state: Mapping, actor: Actor) => D,
) =>
  ofExisting((command: C, state, { actor }) =>
    actor.role === 'analyst' && actor.username !== state.ownerUsername
      ? left(notOwner(state, actor))
      : decide(command, state, actor),
  );

const setLifecycleOfOwner = ofOwner((command: SetMappingLifecycle, state) =>
  mapRight(changeLifetime(state, command, command.limits), (lifetime) => [
    { type: 'MappingLifecycleChanged' as const, data: { mappingId: state.mappingId, ...lifetime } },
  ]),
);

export const mapping = deciderOf<MappingCommand, MappingEvent, Mapping | null>()({
  initial: null,

  // Errors in the request are reported before errors of its target.
  decide: {
    CreateMapping: (command, state, { actor }) => create(command, state, actor),

    UpdateMapping: (command, state, context) => {
      const invalid = checkUpdate(command);
      return invalid === null ? ofOwner(update)(command, state, context) : left(invalid);
    },

    SetMappingLifecycle: (command, state, context) => {
      const checked = checkLifetime(command, command.limits);
      return isLeft(checked) ? checked : setLifecycleOfOwner(command, state, context);
    },

    PlanMappingSnapshot: ofExisting((command, { mappingId, versions, snapshots }) => {
      const { version, snapshotId, instanceId, goneSnapshotIds } = command;
      if (version > versions.length) return left(versionNotFound(mappingId, version, versions.length));
      if (snapshots.some((known) => known.snapshotId === snapshotId)) return accept([]);
      const snapshotIds = snapshots.map((known) => known.snapshotId).filter((id) => goneSnapshotIds.includes(id));
      const planned = {
        type: 'MappingSnapshotPlanned',
        data: { mappingId, version, snapshotId, instanceId },
      } as const;
      if (snapshotIds.length === 0) return accept([planned]);
      return accept([{ type: 'MappingSnapshotsForgotten', data: { mappingId, snapshotIds } }, planned]);
    }),

    /**
     * The stream of the mapping contains its snapshots, so a snapshot planned concurrently causes a conflict and a
     * retry.
     */
    DeleteMapping: ofOwner(({ goneSnapshotIds, reason }, { mappingId, snapshots }) => {
      const count = snapshots.filter(({ snapshotId }) => !goneSnapshotIds.includes(snapshotId)).length;
      if (count === 0) return accept([{ type: 'MappingDeleted', data: { mappingId, reason } }]);
      const message = `Mapping ${mappingId} still has ${counted(count, 'snapshot')}. Delete the mapping after they expire; a failed snapshot is deleted with its instance.`;
      return left(domainError('RESOURCE_HAS_DEPENDENCIES', message, { mapping_id: mappingId, snapshot_count: count }));
    }),
  },

  evolve,
});

const create = (
  command: CreateMapping,
  state: Mapping | null,
  actor: Actor,
): Either<DomainError<'CONFLICT' | 'VALIDATION_FAILED'>, readonly MappingEvent[]> => {
  if (state !== null) {
    return left(domainError('CONFLICT', `Mapping ${command.mappingId} exists already; send the request again.`));
  }
  const { limits } = command;
  const faults = lifetimeFaults(command, limits);
  const invalid = checkDefinitions(command.nodeDefinitions, command.edgeDefinitions, faults);
  if (invalid !== null) return left(invalid);
  const { type: _type, limits: _limits, ...rest } = command;
  const definitions = withPlainSql(command.nodeDefinitions, command.edgeDefinitions);
  const data = { ...rest, ...lifetimeOf(command, limits), ownerUsername: actor.username, ...definitions };
  return accept([{ type: 'MappingCreated', data }]);
};

const checkUpdate = (command: UpdateMapping): Invalid | null => {
  const { name, description, changeDescription, nodeDefinitions, edgeDefinitions } = command;
  const hasDefinitions = nodeDefinitions !== null || edgeDefinitions !== null;
  if (!hasDefinitions && name === null && description === null) {
    return invalidField('body', 'must have name, description, node_definitions or edge_definitions');
  }
  if (!hasDefinitions) return null;
  const undescribed = changeDescription === null ? [UNDESCRIBED] : [];
  return checkDefinitions(nodeDefinitions, edgeDefinitions ?? [], undescribed);
};

const UNDESCRIBED: Fault = { field: 'change_description', message: 'is required when definitions change' };

const update = (command: UpdateMapping, state: Mapping, actor: Actor): Either<Invalid, readonly MappingEvent[]> => {
  const { mappingId, versions } = state;
  const { name, description, changeDescription } = command;
  const header: readonly MappingEvent[] =
    name === null && description === null
      ? []
      : [
          {
            type: 'MappingHeaderChanged',
            data: { mappingId, name: name ?? state.name, description: description ?? state.description },
          },
        ];
  if (command.nodeDefinitions === null && command.edgeDefinitions === null) return accept(header);
  const current = versions[versions.length - 1];
  const nodes = command.nodeDefinitions ?? current?.nodeDefinitions ?? [];
  const edges = command.edgeDefinitions ?? current?.edgeDefinitions ?? [];
  const invalid = checkDefinitions(nodes, edges);
  if (invalid !== null) return left(invalid);
  const data = {
    mappingId,
    version: versions.length + 1,
    changeDescription: changeDescription ?? '',
    createdBy: actor.username,
    createdByName: command.actorName,
    ...withPlainSql(nodes, edges),
  };
  return accept([...header, { type: 'MappingVersionCreated', data }]);
};

/** `nodes` null: not known yet. `beside`: the other errors of the request. */
const checkDefinitions = (
  nodes: readonly NodeDefinition[] | null,
  edges: readonly EdgeDefinition[],
  beside: readonly Fault[] = [],
): Invalid | null => {
  const errors = validateDefinitions(nodes, edges);
  if (errors.length + beside.length === 0) return null;
  const invalid = invalidFields([...beside, ...errors]);
  return errors.length === 0 ? invalid : { ...invalid, message: `The mapping is not valid: ${invalid.message}` };
};

const notOwner = ({ mappingId, ownerUsername }: Mapping, actor: Actor) =>
  domainError(
    'PERMISSION_DENIED',
    `Mapping ${mappingId} belongs to ${ownerUsername}; only the owner, an admin or ops may change it. Copy it instead.`,
    { owner_username: ownerUsername, your_role: actor.role },
  );

export const versionNotFound = (mappingId: number, version: number | string, latest: number) =>
  domainError('MAPPING_VERSION_NOT_FOUND', `Mapping ${mappingId} has no version ${version}; its latest is ${latest}.`, {
    mapping_id: mappingId,
    version,
    latest_version: latest,
  });

/** The definitions with their SQL as executed: without a trailing semicolon. */
const withPlainSql = (nodes: readonly NodeDefinition[], edges: readonly EdgeDefinition[]) => ({
  nodeDefinitions: nodes.map(plain),
  edgeDefinitions: edges.map(plain),
});

const plain = <D extends { readonly sql: string }>(definition: D): D => {
  const checked = checkQuery(definition.sql);
  return isLeft(checked) ? definition : { ...definition, sql: checked.right };
};
