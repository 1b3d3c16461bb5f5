import { type OperationExamples } from '../../kit';

const FAVORITES = 'favorites-carl';
const ERROR = 'duplicate key value violates unique constraint "favorites_pkey"';
const order = { reader: 'favorites', stream_id: FAVORITES };
const outcome = { ...order, applied: 0, remaining: 1, error: ERROR };

export const parkedEventExamples: OperationExamples = {
  listParkedEvents: [
    {
      summary: 'An event the favorites could not take in',
      as: 'olivia',
      query: { reader: 'favorites' },
      status: 200,
      answer: [
        {
          ...order,
          position: '61',
          event_stream_id: FAVORITES,
          event_type: 'FavoriteAdded',
          error: ERROR,
          attempts: 4,
          parked_at: '2026-11-21T19:13:51.342Z',
          last_failed_at: '2026-11-21T19:13:51.342Z',
        },
      ],
      page: { total: 1, offset: 0, limit: 50 },
    },
  ],
  retryParkedEvents: [
    {
      summary: 'It cannot be taken in yet',
      as: 'olivia',
      body: { ...order, reason: 'the handler is repaired' },
      status: 200,
      answer: outcome,
    },
    {
      summary: 'Nothing of the stream is parked',
      as: 'olivia',
      body: { ...order, stream_id: 'favorites-ada', reason: 'to be sure' },
      status: 404,
      answer: {
        code: 'RESOURCE_NOT_FOUND',
        message: 'Nothing of stream favorites-ada is parked for favorites. See what is at GET /api/ops/parked-events.',
        details: { reader: 'favorites', stream_id: 'favorites-ada' },
      },
    },
  ],
  skipParkedEvent: [
    {
      summary: 'Only the first parked event of a stream can be skipped',
      as: 'olivia',
      body: { ...order, position: '1', reason: 'applied already' },
      status: 409,
      answer: {
        code: 'INVALID_STATE',
        message: `The first parked event of ${FAVORITES} is at position 61, not 1. Only the first one can be skipped.`,
        details: { position: '1', first_position: '61' },
      },
    },
    {
      summary: 'Give it up',
      as: 'olivia',
      body: { ...order, position: '61', reason: 'applied already' },
      status: 200,
      answer: { ...outcome, remaining: 0, error: null, skipped_position: '61' },
    },
  ],
};
