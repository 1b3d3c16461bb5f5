import { type Migration } from './migration';

/**
 * `es.append` writes a batch of appends, at most one per stream, as one transaction.
 *
 * It takes a lock first and holds it until its transaction has ended. So events become visible in the order of their
 * positions, which are dense, and a reader that has seen position n has seen everything before it. A sequence would
 * give out positions faster than transactions commit, and a reader would step over those still under way for ever.
 * The price, one writer at a time, is paid back by batches.
 *
 * An append that expects another revision drops out without failing the rest. One whose event ids are already where it
 * wants them reports the first outcome again: sending a batch twice is safe, and the way to learn what became of it
 * when the connection was lost.
 *
 * `batch` is `[{stream, expected, events: [{id, type, version, data, metadata}]}]`, `expected` null for any and -1 for
 * no stream. In a conflict `last_revision` is the actual one. The planner is held to index lookups, because it would
 * keep a plan made while the tables were small.
 */
export const appendFunction: Migration = {
  id: 2,
  name: 'append function',
  sql: `
CREATE FUNCTION es.append(batch jsonb)
RETURNS TABLE (n integer, outcome text, last_position bigint, last_revision bigint)
LANGUAGE plpgsql
SET enable_seqscan = off
SET enable_hashjoin = off
SET enable_mergejoin = off
AS $append$
#variable_conflict use_column
DECLARE
  base bigint;
  recorded timestamptz;
BEGIN
  PERFORM pg_advisory_xact_lock(7020170610);
  SELECT coalesce(max(position), 0) INTO base FROM es.events;
  recorded := date_trunc('milliseconds', clock_timestamp());

  RETURN QUERY
  WITH request AS MATERIALIZED (
    SELECT
      r.n::integer AS n,
      r.item ->> 'stream' AS stream_id,
      (r.item ->> 'expected')::bigint AS expected,
      r.item -> 'events' AS events,
      jsonb_array_length(r.item -> 'events') AS size,
      coalesce((SELECT s.revision FROM es.streams s WHERE s.stream_id = r.item ->> 'stream'), -1) AS actual
    FROM jsonb_array_elements(batch) WITH ORDINALITY AS r (item, n)
  ),
  -- The first event of an append that may have been written before.
  earlier AS MATERIALIZED (
    SELECT request.n, request.events, request.size, e.stream_id, e.position, e.revision
    FROM request
    JOIN es.events e ON e.stream_id = request.stream_id AND e.id = (request.events -> 0 ->> 'id')::uuid
    WHERE (request.expected IS NULL OR request.expected < request.actual)
      AND (request.expected IS NULL OR e.revision = request.expected + 1)
  ),
  repeated AS MATERIALIZED (
    SELECT DISTINCT ON (earlier.n)
      earlier.n, earlier.position + earlier.size - 1 AS position, earlier.revision + earlier.size - 1 AS revision
    FROM earlier
    WHERE NOT EXISTS (
      SELECT FROM jsonb_array_elements(earlier.events) WITH ORDINALITY AS w (event, i)
      WHERE NOT EXISTS (
        SELECT FROM es.events e
        WHERE e.stream_id = earlier.stream_id
          AND e.revision = earlier.revision + w.i - 1
          AND e.id = (w.event ->> 'id')::uuid
      )
    )
    ORDER BY earlier.n, earlier.position
  ),
  accepted AS MATERIALIZED (
    SELECT request.*, base + sum(request.size) OVER (ORDER BY request.n) - request.size AS offset_position
    FROM request
    WHERE (request.expected IS NULL OR request.expected = request.actual)
      AND request.n NOT IN (SELECT repeated.n FROM repeated)
  ),
  written AS (
    INSERT INTO es.events (position, stream_id, revision, id, type, schema_version, data, metadata, recorded_at)
    SELECT
      accepted.offset_position + w.i,
      accepted.stream_id,
      accepted.actual + w.i,
      (w.event ->> 'id')::uuid,
      w.event ->> 'type',
      (w.event ->> 'version')::integer,
      w.event -> 'data',
      w.event -> 'metadata',
      recorded
    FROM accepted, jsonb_array_elements(accepted.events) WITH ORDINALITY AS w (event, i)
  ),
  moved AS (
    INSERT INTO es.streams AS s (stream_id, revision)
    SELECT accepted.stream_id, accepted.actual + accepted.size FROM accepted
    ON CONFLICT (stream_id) DO UPDATE SET revision = excluded.revision
  )
  SELECT
    request.n,
    CASE WHEN accepted.n IS NOT NULL OR repeated.n IS NOT NULL THEN 'appended' ELSE 'conflict' END,
    coalesce(repeated.position, (accepted.offset_position + accepted.size)::bigint),
    coalesce(repeated.revision, accepted.actual + accepted.size, request.actual)
  FROM request LEFT JOIN accepted USING (n) LEFT JOIN repeated USING (n);

  IF EXISTS (SELECT FROM es.events WHERE position = base + 1) THEN
    PERFORM pg_notify('es_events', '');
  END IF;
END
$append$;
`,
};
