import { type AskedLifetime, type LifecycleLimits } from '../config';
import { type EdgeDefinition, type NodeDefinition } from './definitions';
import { type MappingEvent } from './events';

type Created = Extract<MappingEvent, { type: 'MappingCreated' }>['data'];

/** `inactivityTimeout` null: the configured one. */
export interface CreateMapping extends Omit<Created, 'ownerUsername' | 'inactivityTimeout'> {
  readonly type: 'CreateMapping';
  readonly inactivityTimeout: string | null;
  readonly limits: LifecycleLimits;
}

/** Null keeps what there is. Definitions make a new version and need a description of the change. */
export interface UpdateMapping {
  readonly type: 'UpdateMapping';
  readonly actorName: string;
  readonly name: string | null;
  readonly description: string | null;
  readonly changeDescription: string | null;
  readonly nodeDefinitions: readonly NodeDefinition[] | null;
  readonly edgeDefinitions: readonly EdgeDefinition[] | null;
}

export interface SetMappingLifecycle extends AskedLifetime {
  readonly type: 'SetMappingLifecycle';
  readonly limits: LifecycleLimits;
}

export interface PlanMappingSnapshot {
  readonly type: 'PlanMappingSnapshot';
  readonly version: number;
  readonly snapshotId: number;
  readonly instanceId: number;
}

export interface DeleteMapping {
  readonly type: 'DeleteMapping';
  readonly reason: string;
  /** Snapshots known to be gone. They never come back, so knowing of too few is the worst that can happen. */
  readonly goneSnapshotIds: readonly number[];
}

/** Commands on a mapping that exists. */
export type ChangeMapping = UpdateMapping | SetMappingLifecycle | PlanMappingSnapshot | DeleteMapping;

export type MappingCommand = CreateMapping | ChangeMapping;
