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
