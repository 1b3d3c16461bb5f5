import { auditedResource } from '../domain/audited-resource';
import { allEvents, type RowgraphEvent } from '../domain/events';
import { type StoredEvent } from '../domain/kernel/event';
import { type EventHandlers, type Projection, type TableWriter } from './projection';

const recordEvent = (event: StoredEvent<RowgraphEvent>, tables: TableWriter): Promise<void> => {
  const { metadata } = event;
  const resource = auditedResource(event);
  return tables.append('audit_trail', {
    position: event.position,
    event_id: event.id,
    type: event.type,
    resource_type: resource.type,
    resource_id: resource.id,
    revision: event.revision,
    actor: metadata.actor,
    role: metadata.role,
    occurred_at: metadata.occurredAt,
    recorded_at: event.recordedAt,
    command_id: metadata.commandId,
    correlation_id: metadata.correlationId,
    causation_id: causeOf(event),
  });
};

/** Older events of processes name their command as their cause; the input names the event. */
const causeOf = ({ type, data, metadata }: StoredEvent<RowgraphEvent>): string =>
  type === 'ProcessInputReceived' && !/^\d+$/.test(data.inputId) ? data.inputId : metadata.causationId;

const onEveryEvent: EventHandlers = Object.fromEntries(Object.keys(allEvents).map((type) => [type, recordEvent]));

/**
 * The indexes of pages: each value of the first column has few kinds of events, and each kind is in the order of pages. The
 * index without such a column has a condition that is always true, so that PostgreSQL uses it only for queries with the
 * same condition: for a frequent actor it would estimate it to be as good, and then discard most of a kind.
 */
const PAGE_INDEXES = ['actor, ', 'resource_id, ', 'correlation_id, ', '']
  .map((column) => `CREATE INDEX ON audit_trail (${column}kind, recorded_at, position)`)
  .join(';\n    ');

/**
 * The audit trail: one row per event, without its data. `kind` stands for the type of the resource, the type of the
 * event and the role, in an index half as large as these three would make.
 */
export const auditTrailProjection: Projection = {
  name: 'audit_trail',
  version: 3,
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
      causation_id text COLLATE "C" NOT NULL,
      kind bigint GENERATED ALWAYS AS (hashtextextended(resource_type || '/' || type || '/' || role, 0)) STORED
    );`,
  indexes: `
    ${PAGE_INDEXES} WHERE position > 0;
    CREATE INDEX ON audit_trail (event_id);
    CREATE INDEX ON audit_trail (causation_id);`,
  exposes: ['audit_trail'],
  on: onEveryEvent,
};
