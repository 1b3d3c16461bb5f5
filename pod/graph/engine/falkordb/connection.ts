import { connect, type Socket } from 'node:net';
import { type Either, left, right } from 'fp-ts/Either';
import { type CallFailure } from '../engine-failure';
import { encodeCommand, ReplyError, ReplyParser, type Reply, type RowSink } from './resp';

/** One connection to the server; commands take turns on it. A call is `crashed` when it ended before the answer was there. */
export interface Connection {
  /** `onRow` gets the rows of the answer one by one; they are missing in the reply then. */
  readonly send: (parts: readonly (string | Uint8Array)[], onRow?: RowSink) => Promise<Either<CallFailure, Reply>>;
  /** Takes no more of what the server sends until `resume`: the server keeps it. */
  readonly pause: () => void;
  readonly resume: () => void;
  readonly isOpen: () => boolean;
  /** Ends the command in progress, too: the caller gets `crashed`. */
  readonly close: () => void;
}

interface Waiting {
  readonly onRow: RowSink | null;
  readonly settle: (result: Either<CallFailure, Reply>) => void;
}

/** Connects to a server's socket; rejects when nobody listens there. */
export const openConnection = async (socketPath: string): Promise<Connection> => {
  const socket = await listening(socketPath);
  const waiting: Waiting[] = [];
  let endedBecause: string | null = null;

  const end = (reason: string): void => {
    endedBecause ??= reason;
    socket.destroy();
    for (const { settle } of waiting.splice(0)) settle(left({ kind: 'crashed', reason: endedBecause }));
  };
  const parser = new ReplyParser(
    (reply) => {
      const settle = waiting.shift()?.settle;
      settle?.(reply instanceof ReplyError ? left({ kind: 'rejected', reason: reply.message }) : right(reply));
    },
    () => waiting[0]?.onRow ?? null,
  );
  socket.on('data', (bytes: Buffer) => {
    if (endedBecause === null) parser.push(bytes);
  });
  socket.on('error', (error) => end(error.message));
  socket.on('close', () => end('the server closed the connection'));

  return {
    pause: () => void socket.pause(),
    resume: () => void socket.resume(),
    isOpen: () => endedBecause === null,
    close: () => end('the connection was closed'),
    send: (parts, onRow) =>
      new Promise((settle) => {
        if (endedBecause !== null) return settle(left({ kind: 'crashed', reason: endedBecause }));
        waiting.push({ onRow: onRow ?? null, settle });
        socket.cork();
        for (const piece of encodeCommand(parts)) socket.write(piece);
        socket.uncork();
      }),
  };
};

const listening = (socketPath: string): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connect(socketPath);
    socket.once('error', reject);
    socket.once('connect', () => {
      socket.off('error', reject);
      resolve(socket);
    });
  });
