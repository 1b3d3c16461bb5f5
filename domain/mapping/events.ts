import * as t from 'io-ts';
import { type EventsOf, eventSpec } from '../kernel/event-catalogue';
import { EdgeDefinition, NodeDefinition } from './definitions';

const ofMapping = { mappingId: t.number };
const lifetime = { ttl: t.union([t.string, t.null]), inactivityTimeout: t.string };
const definitions = {
  nodeDefinitions: t.readonlyArray(NodeDefinition),
  edgeDefinitions: t.readonlyArray(EdgeDefinition),
};

export const mappingEvents = {
  /** A mapping was created, with version 1. */
  MappingCreated: eventSpec(
    t.strict({
      ...ofMapping,
      ownerUsername: t.string,
      /** The owner's display name at that time. */
      ownerName: t.string,
      name: t.string,
      description: t.string,
      ...lifetime,
      ...definitions,
    }),
  ),
  /** A new version of the definitions was added; earlier versions do not change. */
  MappingVersionCreated: eventSpec(
    t.strict({
      ...ofMapping,
      version: t.number,
      changeDescription: t.string,
      createdBy: t.string,
      /** The author's display name at that time. */
      createdByName: t.string,
      ...definitions,
    }),
  ),
  /** Name or description changed; the version did not. */
  MappingHeaderChanged: eventSpec(t.strict({ ...ofMapping, name: t.string, description: t.string })),
  MappingLifecycleChanged: eventSpec(t.strict({ ...ofMapping, ...lifetime })),
  /** An instance of a version is about to be created: the mapping has this snapshot and cannot be deleted. */
  MappingSnapshotPlanned: eventSpec(
    t.strict({ ...ofMapping, version: t.number, snapshotId: t.number, instanceId: t.number }),
  ),
  /** Planned snapshots are deleted for good, or will never exist: they do not prevent the deletion of the mapping. */
  MappingSnapshotsForgotten: eventSpec(t.strict({ ...ofMapping, snapshotIds: t.readonlyArray(t.number) })),
  MappingDeleted: eventSpec(t.strict({ ...ofMapping, reason: t.string })),
};

export type MappingEvent = EventsOf<typeof mappingEvents>;
