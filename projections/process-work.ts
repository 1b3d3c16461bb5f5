import { type Projection } from './projection';

/**
 * The work tables of the processes: queued commands until they are completed, timers until they are cleared. The tables
 * belong to the event store's schema, because a rebuild would execute work again.
 */
export const processWorkProjection: Projection = {
  name: 'process_work',
  version: 1,
  tables: '',
  exposes: [],
  on: {
    ProcessCommandQueued: ({ id: eventId, streamId, revision, data, metadata }, tables) =>
      tables.sql('INSERT INTO es.effects (stream_id, revision, idx, kind, payload) VALUES ($1, $2, 0, $3, $4)', [
        streamId,
        revision,
        data.command.type,
        JSON.stringify({
          command: data.command,
          eventId,
          correlationId: metadata.correlationId,
          traceparent: metadata.traceparent,
        }),
      ]),
    ProcessCommandDone: ({ streamId, data }, tables) =>
      tables.sql('DELETE FROM es.effects WHERE stream_id = $1 AND revision = $2', [streamId, data.queuedRevision]),
    ProcessTimerSet: ({ streamId, revision, data }, tables) =>
      tables.sql(
        `INSERT INTO es.timers (stream_id, timer_id, due_at, payload) VALUES ($1, $2, $3, $4)
         ON CONFLICT (stream_id, timer_id) DO UPDATE SET due_at = excluded.due_at, payload = excluded.payload,
           attempt = 0, retry_at = NULL`,
        [streamId, data.timerId, data.dueAt, JSON.stringify({ setRevision: revision })],
      ),
    ProcessTimerCleared: ({ streamId, data }, tables) =>
      tables.sql('DELETE FROM es.timers WHERE stream_id = $1 AND timer_id = $2', [streamId, data.timerId]),
  },
};
