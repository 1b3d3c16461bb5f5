import { type ExampleRequests } from '../../kit';

const FAVORITES = 'favorites-carl';
const order = { reader: 'favorites', stream_id: FAVORITES };

export const parkedEventExamples: ExampleRequests = {
  listParkedEvents: [
    { summary: 'An event the favorites could not apply', as: 'olivia', query: { reader: 'favorites' }, status: 200 },
  ],
  retryParkedEvents: [
    {
      summary: 'It cannot be applied yet',
      as: 'olivia',
      body: { ...order, reason: 'the handler is repaired' },
      status: 200,
    },
    {
      summary: 'Nothing of the stream is parked',
      as: 'olivia',
      body: { ...order, stream_id: 'favorites-ada', reason: 'to be sure' },
      status: 404,
    },
  ],
  skipParkedEvent: [
    {
      summary: 'Only the first parked event of a stream can be skipped',
      as: 'olivia',
      body: { ...order, position: '1', reason: 'applied already' },
      status: 409,
    },
    { summary: 'Give it up', as: 'olivia', body: { ...order, position: '61', reason: 'applied already' }, status: 200 },
  ],
};
