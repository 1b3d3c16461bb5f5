import { connect, type Socket } from 'node:net';
import { type Either, left, right } from 'fp-ts/Either';
import { type CallFailure } from '../engine-failure';

/**
 * A connection to the server, with one command at a time. A call fails as `crashed` if the connection ends before the
 * reply.
 */
export type Connection = Awaited<ReturnType<typeof openConnection>>;

interface Waiting {
  readonly onRow: RowSink | null;
  readonly settle: (result: Either<CallFailure, Reply>) => void;
}

/** Connects to a server's socket; rejects if it does not have a listener. */
export const openConnection = async (socketPath: string) => {
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
    /** Stops reading until `resume`: the server buffers what it has to send. */
    pause: () => void socket.pause(),
    resume: () => void socket.resume(),
    isOpen: () => endedBecause === null,
    /** Ends the command in progress, too: its caller receives `crashed`. */
    close: () => end('the connection was closed'),
    /** `onRow` receives the rows one by one; the reply then does not contain them. */
    send: (parts: readonly (string | Uint8Array)[], onRow?: RowSink): Promise<Either<CallFailure, Reply>> =>
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

/** A reply of the server: integers of any size are exact, text remains bytes until it is needed. */
export type Reply = number | bigint | Buffer | string | null | ReplyError | readonly Reply[];

class ReplyError {
  constructor(readonly message: string) {}
}

/** A command in the format of the server. */
const encodeCommand = (parts: readonly (string | Uint8Array)[]): readonly (string | Uint8Array)[] => [
  `*${parts.length}\r\n`,
  ...parts.flatMap((part) => [`$${Buffer.byteLength(part)}\r\n`, part, '\r\n']),
];

/**
 * Receives each row (an element of the second element of the reply) as soon as it is complete, with the first element
 * of the reply, its header.
 */
export type RowSink = (row: Reply, header: Reply) => void;

const CRLF = Buffer.from('\r\n');
/** Integers with fewer characters are exact as JavaScript numbers. */
const SAFE_LENGTH = 16;
const ROWS_AT = 1;
const ROW_DEPTH = 2;

interface Frame {
  readonly items: Reply[];
  missing: number;
}

/** Parses replies (RESP2) from chunks of any size without keeping the parsed text. */
class ReplyParser {
  private rest: Buffer = Buffer.alloc(0);
  private frames: Frame[] = [];
  /** Chunks of an incomplete text. */
  private long: { readonly pieces: Buffer[]; missing: number } | null = null;

  /** `rowSink`: receives the rows of the next reply; null to keep them in the reply. */
  constructor(
    private readonly onReply: (reply: Reply) => void,
    private readonly rowSink: () => RowSink | null,
  ) {}

  /** Parses the next bytes and passes on the replies they complete. */
  push(bytes: Buffer): void {
    let input = this.long === null ? bytes : this.completeLong(this.long, bytes);
    if (this.rest.length > 0) input = Buffer.concat([this.rest, input]);
    let at = 0;
    while (at < input.length) {
      const next = this.read(input, at);
      if (next < 0) break;
      at = next;
    }
    this.rest = input.subarray(at);
  }

  /** Returns the bytes after the long text. */
  private completeLong(long: NonNullable<typeof this.long>, bytes: Buffer): Buffer {
    const part = bytes.subarray(0, long.missing);
    long.pieces.push(part);
    long.missing -= part.length;
    if (long.missing === 0) {
      this.long = null;
      this.take(Buffer.concat(long.pieces).subarray(0, -CRLF.length));
    }
    return bytes.subarray(part.length);
  }

  /** Parses one element; returns the offset after it, or -1 if it is incomplete. */
  private read(bytes: Buffer, at: number): number {
    const end = bytes.indexOf(CRLF, at);
    if (end < 0) return -1;
    const text = bytes.toString('utf8', at + 1, end);
    const next = end + CRLF.length;
    switch (bytes[at]) {
      case 0x2a: // *
        this.open(Number(text));
        return next;
      case 0x3a: // :
        this.take(text.length < SAFE_LENGTH ? Number(text) : BigInt(text));
        return next;
      case 0x2b: // +
        this.take(text);
        return next;
      case 0x2d: // -
        this.frames = [];
        this.take(new ReplyError(text));
        return next;
      case 0x24: // $
        return this.readBytes(bytes, next, Number(text));
      case undefined:
      default:
        throw new Error(`Invalid reply of the server: ${bytes.toString('latin1', at, at + 20)}`);
    }
  }

  private readBytes(bytes: Buffer, start: number, length: number): number {
    if (length < 0) {
      this.take(null);
      return start;
    }
    const after = start + length + CRLF.length;
    if (after > bytes.length) {
      this.long = { pieces: [bytes.subarray(start)], missing: after - bytes.length };
      return bytes.length;
    }
    this.take(bytes.subarray(start, start + length));
    return after;
  }

  private open(count: number): void {
    if (count < 0) this.take(null);
    else if (count === 0) this.take([]);
    else this.frames.push({ items: [], missing: count });
  }

  private take(value: Reply): void {
    const { frames } = this;
    let current = value;
    for (;;) {
      const frame = frames.at(-1);
      if (frame === undefined) return this.onReply(current);
      const sink = frames.length === ROW_DEPTH && frames[0]?.items.length === ROWS_AT ? this.rowSink() : null;
      if (sink !== null) sink(current, frames[0]?.items[0] ?? null);
      else frame.items.push(current);
      if (--frame.missing > 0) return;
      frames.pop();
      current = frame.items;
    }
  }
}

export const items = (value: Reply | undefined): readonly Reply[] => (isList(value) ? value : []);

const isList = (value: Reply | undefined): value is readonly Reply[] => Array.isArray(value);

export const textOf = (value: Reply | undefined): string => {
  if (Buffer.isBuffer(value)) return value.toString();
  return typeof value === 'object' || value === undefined ? '' : String(value);
};
