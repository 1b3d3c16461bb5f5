import { auditedResource } from '../domain/audited-resource';
import { allEvents, type RowgraphEvent } from '../domain/events';
import { type StoredEvent } from '../domain/kernel/event';
import { type EventHandlers, type Projection, type TableWriter } from './projection';

const recordEvent = async (event: StoredEvent<RowgraphEvent>, tables: TableWriter): Promise<void> => {
  const { position, id: event_id, type, revision, recordedAt: recorded_at, metadata } = event;
  const { type: resource_type, id: resource_id } = auditedResource(event);
  const { actor, role, occurredAt: occurred_at, commandId: command_id, correlationId: correlation_id } = metadata;
  await tables.insert('audit_trail', {
    ...{ position, event_id, type, resource_type, resource_id, revision, actor, role, occurred_at, recorded_at },
    ...{ command_id, correlation_id, causation_id: causeOf(event) },
  });
};

/** Older events of processes name their command as their cause; the input names the event. */
const causeOf = ({ type, data, metadata }: StoredEvent<RowgraphEvent>): string =>
  type === 'ProcessInputReceived' && !/^\d+$/.test(data.inputId) ? data.inputId : metadata.causationId;

const onEveryEvent: EventHandlers = Object.fromEntries(Object.keys(allEvents).map((type) => [type, recordEvent]));

/**
 * The audit trail: one row per event, without its data. Pages are in the order of `recorded_at`, so that each index
 * serves a filter and a range of time.
 */
export const auditTrailProjection: Projection = {
  name: 'audit_trail',
  version: 1,
  tables: `
    CREATE TABLE audit_trail (
      position bigint PRIMARY KEY,
      event_id text COLLATE "C" NOT NULL,
      type text COLLATE "C" NOT NULL,
      resource_type text COLLATE "C" NOT NULL,
      resource_id text COLLATE "C" NOT NULL,
      revision bigint NOT NULL,
      actor text COLLATE "C" NOT NULL,
      role text COLLATE "C" NOT NULL,
      occurred_at timestamptz NOT NULL,
      recorded_at timestamptz NOT NULL,
      command_id text COLLATE "C" NOT NULL,
      correlation_id text COLLATE "C" NOT NULL,
      causation_id text COLLATE "C" NOT NULL
    );
    CREATE INDEX ON audit_trail (recorded_at, position);
    CREATE INDEX ON audit_trail (actor, recorded_at, position);
    CREATE INDEX ON audit_trail (role, recorded_at, position);
    CREATE INDEX ON audit_trail (type, recorded_at, position);
    CREATE INDEX ON audit_trail (resource_type, recorded_at, position);
    CREATE INDEX ON audit_trail (resource_id, recorded_at, position);
    CREATE INDEX ON audit_trail (correlation_id, recorded_at, position);
    CREATE INDEX ON audit_trail (event_id);
    CREATE INDEX ON audit_trail (causation_id);`,
  exposes: ['audit_trail'],
  on: onEveryEvent,
};
