import { isLeft, right } from 'fp-ts/Either';
import { retryParkedEvents } from '../../../../commands/parked-events/retry-parked-events';
import { listParkedEvents } from '../../../../queries/parked-events';
import { replyPage } from '../codecs';
import { type parkedEventEndpoints, type RetryOrder } from './endpoints';
import { type ApiCaller, type PublicDependencies, type PublicHandlers } from '../public-dependencies';

export const parkedEventHandlers = ({
  db,
  ports,
  parkedEvents,
}: PublicDependencies): PublicHandlers<typeof parkedEventEndpoints> => {
  const carryOut = async <T extends 'RetryParkedEvents' | 'SkipParkedEvent'>(
    type: T,
    { reader, stream_id, reason }: RetryOrder,
    expected: string | null,
    { context }: ApiCaller,
  ) => {
    const order = { type, reader, streamId: stream_id, expected, reason };
    const done = await retryParkedEvents({ ...ports, parkedEvents }, order, context);
    if (isLeft(done)) return done;
    const { applied, error, position } = done.right;
    const left = await listParkedEvents(db, { reader, stream_id }, { offset: 0, limit: 1 });
    return right({ body: { reader, stream_id, applied, remaining: left.total, error }, position });
  };

  return {
    listParkedEvents: ({ query }) => replyPage(query, (page) => listParkedEvents(db, query, page)),

    retryParkedEvents: ({ body, identity }) => carryOut('RetryParkedEvents', body, null, identity),

    skipParkedEvent: async ({ body, identity }) => {
      const done = await carryOut('SkipParkedEvent', body, body.position, identity);
      if (isLeft(done)) return done;
      return right({ ...done.right, body: { ...done.right.body, skipped_position: body.position } });
    },
  };
};
