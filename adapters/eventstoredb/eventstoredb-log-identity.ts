import { type Either, isLeft, isRight, left, right } from 'fp-ts/Either';
import * as t from 'io-ts';
import { v7 } from 'uuid';
import { type AppendError, type LogIdentity, type ReadError } from '../../domain/ports/event-store';
import { remainingTimeMs } from '../system/time-limit';
import { type LogPlace, type LogRecord } from './log-client';
import { type ReadOptions, unavailable } from './read-stream';
import { untilAnswered } from './until-answered';

const LOG_STARTED = t.type({ logId: t.string });

/**
 * The log's id is the only event of its own stream. It is written before the first event of the log, and the log is
 * read from there.
 */
export const createLogIdentity = ({
  connection,
  names,
  timeoutMs,
}: ReadOptions): LogIdentity & { beginning(): Promise<Either<ReadError, LogPlace | null>> } => {
  let beginning: LogPlace | null = null;

  const readFirst = async (): Promise<Either<ReadError, LogRecord | null>> => {
    const query = { from: 'start', direction: 'forwards', maxCount: 1 } as const;
    const records = await untilAnswered(
      connection,
      (client, watch) => client.readStream(names.ofIdentity, query, watch),
      { deadline: Date.now() + remainingTimeMs(timeoutMs) },
    );
    if (isRight(records)) return right(records.right[0] ?? null);
    const { rejection } = records.left;
    return rejection.kind === 'no_stream' ? right(null) : left(unavailable("a read of the log's id", rejection));
  };

  const read: LogIdentity['read'] = async () => {
    const first = await readFirst();
    if (isLeft(first)) return first;
    if (first.right === null) return right(null);
    const decoded = LOG_STARTED.decode(first.right.data);
    if (isRight(decoded)) return right(decoded.right.logId);
    const reason = `its first event holds no logId; give rowgraph another prefix, or restore the log`;
    return left({ kind: 'broken_stream', streamId: names.ofIdentity, reason });
  };

  const ensure = async (id: string): Promise<Either<ReadError | AppendError, string>> => {
    const known = await read();
    if (isLeft(known) || known.right !== null) return isLeft(known) ? known : right(known.right ?? id);
    const event = {
      id: v7(),
      type: 'LogStarted',
      data: Buffer.from(JSON.stringify({ logId: id })),
      metadata: Buffer.from('{}'),
    };
    const written = await untilAnswered(connection, (client) => client.append(names.ofIdentity, 'no_stream', [event]), {
      deadline: Date.now() + remainingTimeMs(timeoutMs),
    });
    if (isRight(written)) return right(id);
    // Another control plane wrote the id first.
    if (written.left.rejection.kind === 'wrong_expected_revision') {
      const winner = await read();
      return isLeft(winner) ? winner : right(winner.right ?? id);
    }
    return left(unavailable("the append of the log's id", written.left.rejection));
  };

  return {
    read,
    ensure,
    beginning: async () => {
      if (beginning !== null) return right(beginning);
      const first = await readFirst();
      if (isLeft(first)) return first;
      // The stream of this name may belong to another program.
      if (first.right !== null && LOG_STARTED.is(first.right.data)) beginning = first.right.place;
      return right(beginning);
    },
  };
};
