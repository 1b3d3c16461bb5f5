import { type MappingEvent } from './events';

type Data<T extends MappingEvent['type']> = Extract<MappingEvent, { type: T }>['data'];
type Definitions = 'nodeDefinitions' | 'edgeDefinitions';

export type MappingVersion = Pick<Data<'MappingVersionCreated'>, 'version' | Definitions>;
export type PlannedSnapshot = Pick<Data<'MappingSnapshotPlanned'>, 'snapshotId' | 'instanceId'>;

export interface Mapping extends Omit<Data<'MappingCreated'>, 'ownerName' | Definitions> {
  /** Oldest first; version n is at index n - 1. */
  readonly versions: readonly MappingVersion[];
  /** The snapshots of the mapping, including deleted ones that it has not forgotten. */
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
    case 'MappingSnapshotsForgotten': {
      const forgotten = new Set(event.data.snapshotIds);
      return { ...state, snapshots: state.snapshots.filter(({ snapshotId }) => !forgotten.has(snapshotId)) };
    }
    case 'MappingDeleted':
      return null;
  }
};
