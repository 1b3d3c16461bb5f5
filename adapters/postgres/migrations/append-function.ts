/**
 * `es.append` writes a batch of appends, at most one per stream, as one transaction.
 *
 * It takes a lock first and holds it until its transaction has ended. So events become visible in the order of their
 * positions, which are dense, and a reader at position n has read all earlier events. With a sequence, transactions
 * could commit out of order, and a reader would permanently skip late ones. The cost, one writer at a time, is offset
 * by batches.
 *
 * An append that expects another revision fails without failing the rest. An append whose event ids are already at the
 * expected revision returns the original outcome: a batch can be sent again to learn its outcome after a lost
 * connection.
 *
 * `batch` is `[{stream, expected, events: [{id, type, version, data, metadata}]}]`, `expected` -1 for no stream. In a
 * conflict `last_revision` is the actual one. The planner is forced to index lookups, because it would cache a plan for
 * small tables.
 */
export const appendFunction = `
CREATE OR REPLACE FUNCTION es.append(batch jsonb)
RETURNS TABLE (n integer, outcome text, last_position bigint, last_revision bigint)
LANGUAGE plpgsql
SET enable_seqscan = off
SET enable_hashjoin = off
SET enable_mergejoin = off
SET enable_bitmapscan = off
AS $append$
#variable_conflict use_column
DECLARE
  base bigint;
  head bigint;
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
  planned AS MATERIALIZED (
    SELECT
      request.*,
      repeated.last_position,
      repeated.last_revision,
      fits.accepted,
      base + sum(CASE WHEN fits.accepted THEN request.size ELSE 0 END) OVER (ORDER BY request.n) AS end_position
    FROM request
    LEFT JOIN LATERAL (
      SELECT e.position + request.size - 1 AS last_position, e.revision + request.size - 1 AS last_revision
      -- OFFSET 0 keeps the search by id: the stream may be long.
      FROM (SELECT * FROM es.events WHERE id = (request.events -> 0 ->> 'id')::uuid OFFSET 0) e
      WHERE request.expected < request.actual
        AND e.revision = request.expected + 1
        AND e.stream_id = request.stream_id
        AND NOT EXISTS (
          SELECT FROM jsonb_array_elements(request.events) WITH ORDINALITY AS w (event, i)
          WHERE NOT EXISTS (
            SELECT FROM es.events same
            WHERE same.stream_id = e.stream_id
              AND same.revision = e.revision + w.i - 1
              AND same.id = (w.event ->> 'id')::uuid
          )
        )
      ORDER BY e.position
      LIMIT 1
    ) AS repeated ON true
    CROSS JOIN LATERAL (
      SELECT
        repeated.last_position IS NULL
          AND request.expected = request.actual AS accepted
    ) AS fits
  ),
  written AS (
    INSERT INTO es.events (position, stream_id, revision, id, type, schema_version, data, metadata, recorded_at)
    SELECT
      planned.end_position - planned.size + w.i,
      planned.stream_id,
      planned.actual + w.i,
      (w.event ->> 'id')::uuid,
      w.event ->> 'type',
      (w.event ->> 'version')::integer,
      w.event -> 'data',
      w.event -> 'metadata',
      recorded
    FROM planned, jsonb_array_elements(planned.events) WITH ORDINALITY AS w (event, i)
    WHERE planned.accepted
  ),
  moved AS (
    INSERT INTO es.streams AS s (stream_id, revision)
    SELECT planned.stream_id, planned.actual + planned.size FROM planned WHERE planned.accepted
    ON CONFLICT (stream_id) DO UPDATE SET revision = excluded.revision
  )
  SELECT
    planned.n,
    CASE WHEN planned.accepted OR planned.last_position IS NOT NULL THEN 'appended' ELSE 'conflict' END,
    CASE WHEN planned.accepted THEN planned.end_position ELSE planned.last_position END,
    CASE WHEN planned.accepted THEN planned.actual + planned.size ELSE coalesce(planned.last_revision, planned.actual) END
  FROM planned;

  SELECT coalesce(max(position), 0) INTO head FROM es.events;
  IF head > base THEN
    PERFORM pg_notify('es_events', head::text);
  END IF;
END
$append$;
`;
