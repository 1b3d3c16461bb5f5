import * as t from 'io-ts';
import { type EventMetadata } from './event';

/** The codecs of an event's metadata, for stores and files that keep it as JSON. */
export const eventMetadataFields = {
  commandId: t.string,
  correlationId: t.string,
  causationId: t.string,
  actor: t.string,
  role: t.string,
  occurredAt: t.string,
} satisfies Record<keyof EventMetadata, t.StringC>;
