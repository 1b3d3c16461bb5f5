import { isLeft } from 'fp-ts/Either';
import { type ClientBase } from 'pg';
import { type FeedEvent } from '../domain/ports/feed-consumer';
import { applyEvents } from './feed/apply-events';
import { type Projection } from './projection';
import { projectionBatch } from './projection-consumer';
import { leftOut } from './replay';

/** The reports of pods and workers are not in the log. */
export const NO_TELEMETRY = ['instance_metrics', 'instance_progress', 'snapshot_progress']
  .map((table) => `CREATE VIEW ${table} AS SELECT * FROM telemetry.${table} WHERE false`)
  .join(';');

/** Without indexes: a resource has few rows. */
const tablesOf = ({ tables }: Projection): readonly string[] =>
  tables.split(';').filter((statement) => /^\s*CREATE TABLE/.test(statement));

/**
 * Fills read models from the events of some streams, in temporary tables that the following statements of the
 * client's transaction read. They are gone when it is rolled back. Rejects if an event cannot be applied.
 */
export const fillTemporaryTables = async (
  client: ClientBase,
  projections: readonly Projection[],
  events: readonly FeedEvent[],
): Promise<void> => {
  const tables = [...projections.flatMap(tablesOf), NO_TELEMETRY].join(';');
  await client.query(`SET LOCAL search_path TO pg_temp; ${tables}`);
  for (const projection of projections) {
    const heard = events.filter(({ stored }) => Object.hasOwn(projection.on, stored.type));
    if (heard.length === 0) continue;
    const applied = await applyEvents(projectionBatch(client, projection, new Set(), leftOut), heard, null);
    if (isLeft(applied)) throw new Error(applied.left.error.message);
  }
};
