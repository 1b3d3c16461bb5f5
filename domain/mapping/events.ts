import * as t from 'io-ts';
import { eventSpec, type EventsOf } from '../kernel/event-catalogue';
import { EdgeDefinition, NodeDefinition } from './definitions';

export const mappingEvents = {
  /** A mapping exists, with its version 1. */
  MappingCreated: eventSpec(
    t.strict({
      mappingId: t.number,
      ownerUsername: t.string,
      /** The owner's display name at that time. */
      ownerName: t.string,
      name: t.string,
      description: t.string,
      ttl: t.union([t.string, t.null]),
      inactivityTimeout: t.string,
      nodeDefinitions: t.readonlyArray(NodeDefinition),
      edgeDefinitions: t.readonlyArray(EdgeDefinition),
    }),
  ),
};

export type MappingEvent = EventsOf<typeof mappingEvents>;
