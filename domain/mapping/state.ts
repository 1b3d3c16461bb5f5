import { type EdgeDefinition, type NodeDefinition } from './definitions';
import { type MappingEvent } from './events';

export interface MappingVersion {
  readonly version: number;
  readonly nodeDefinitions: readonly NodeDefinition[];
  readonly edgeDefinitions: readonly EdgeDefinition[];
}

export interface PlannedSnapshot {
  readonly snapshotId: number;
  readonly instanceId: number;
}

export interface Mapping {
  readonly mappingId: number;
  readonly ownerUsername: string;
  readonly name: string;
  readonly description: string;
  readonly ttl: string | null;
  readonly inactivityTimeout: string;
  /** Oldest first; version n is at index n - 1. */
  readonly versions: readonly MappingVersion[];
  /** Every snapshot there ever was of it, also those that are gone. */
  readonly snapshots: readonly PlannedSnapshot[];
}

export const mappingStream = (mappingId: number): string => `mapping-${mappingId}`;

/** Null before its creation and after its deletion. */
export const evolve = (state: Mapping | null, event: MappingEvent): Mapping | null => {
  if (event.type === 'MappingCreated') {
    const { ownerName: _ownerName, nodeDefinitions, edgeDefinitions, ...rest } = event.data;
    return { ...rest, versions: [{ version: 1, nodeDefinitions, edgeDefinitions }], snapshots: [] };
  }
  if (state === null) return null;
  switch (event.type) {
    case 'MappingVersionCreated': {
      const { version, nodeDefinitions, edgeDefinitions } = event.data;
      return { ...state, versions: [...state.versions, { version, nodeDefinitions, edgeDefinitions }] };
    }
    case 'MappingHeaderChanged':
    case 'MappingLifecycleChanged':
      return { ...state, ...event.data };
    case 'MappingSnapshotPlanned': {
      const { snapshotId, instanceId } = event.data;
      return { ...state, snapshots: [...state.snapshots, { snapshotId, instanceId }] };
    }
    case 'MappingDeleted':
      return null;
  }
};
