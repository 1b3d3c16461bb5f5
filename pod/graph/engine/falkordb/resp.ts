/** A reply of the server: integers of any size are exact, text stays bytes until it is needed. */
export type Reply = number | bigint | Buffer | string | null | ReplyError | readonly Reply[];

export class ReplyError {
  constructor(readonly message: string) {}
}

/** A command as the server reads it. */
export const encodeCommand = (parts: readonly string[]): string =>
  [`*${parts.length}`, ...parts.flatMap((part) => [`$${Buffer.byteLength(part)}`, part]), ''].join('\r\n');

/**
 * Gets each row (an element of the second element of the reply) as soon as it is there, with the first element of the
 * reply, its header. Rows are not kept then.
 */
export type RowSink = (row: Reply, header: Reply) => void;

export interface ReplyParser {
  /** Takes the next bytes and hands out the replies they complete. */
  readonly push: (bytes: Buffer) => void;
}

const CRLF = Buffer.from('\r\n');
/** Integers with fewer characters are exact as JavaScript numbers. */
const SAFE_LENGTH = 16;
const ROWS_AT = 1;
const ROW_DEPTH = 2;

interface Frame {
  readonly items: Reply[];
  missing: number;
}

/** Reads replies (RESP2) from pieces of any size without keeping the text of what has been read. */
export const createReplyParser = (onReply: (reply: Reply) => void, onRow: () => RowSink | null): ReplyParser => {
  let rest: Buffer = Buffer.alloc(0);
  let frames: Frame[] = [];
  /** Pieces of a text that is longer than what has come so far. */
  let long: { readonly pieces: Buffer[]; missing: number } | null = null;

  const take = (value: Reply): void => {
    let current = value;
    for (;;) {
      const frame = frames.at(-1);
      if (frame === undefined) return onReply(current);
      const sink = frames.length === ROW_DEPTH && frames[0]?.items.length === ROWS_AT ? onRow() : null;
      if (sink !== null) sink(current, frames[0]?.items[0] ?? null);
      else frame.items.push(current);
      if (--frame.missing > 0) return;
      frames.pop();
      current = frame.items;
    }
  };

  const open = (count: number): void => {
    if (count < 0) take(null);
    else if (count === 0) take([]);
    else frames.push({ items: [], missing: count });
  };

  /** Reads one element; answers the offset behind it, or -1 when it is not complete. */
  const read = (bytes: Buffer, at: number): number => {
    const end = bytes.indexOf(CRLF, at);
    if (end < 0) return -1;
    const text = bytes.toString('utf8', at + 1, end);
    const next = end + 2;
    switch (bytes[at]) {
      case 0x2a: // *
        open(Number(text));
        return next;
      case 0x3a: // :
        take(text.length < SAFE_LENGTH ? Number(text) : BigInt(text));
        return next;
      case 0x2b: // +
        take(text);
        return next;
      case 0x2d: // -
        frames = [];
        take(new ReplyError(text));
        return next;
      case 0x24: {
        // $
        const length = Number(text);
        if (length < 0) {
          take(null);
          return next;
        }
        const after = next + length + 2;
        if (after <= bytes.length) {
          take(bytes.subarray(next, next + length));
          return after;
        }
        long = { pieces: [bytes.subarray(next)], missing: after - bytes.length };
        return bytes.length;
      }
      default:
        throw new Error(`The server sent something that is no reply: ${bytes.toString('latin1', at, at + 20)}`);
    }
  };

  return {
    push: (bytes) => {
      let input = bytes;
      if (long !== null) {
        if (input.length < long.missing) {
          long.pieces.push(input);
          long.missing -= input.length;
          return;
        }
        const whole = Buffer.concat([...long.pieces, input.subarray(0, long.missing)]);
        input = input.subarray(long.missing);
        long = null;
        take(whole.subarray(0, -2));
      }
      if (rest.length > 0) input = Buffer.concat([rest, input]);
      let at = 0;
      while (at < input.length) {
        const next = read(input, at);
        if (next < 0) break;
        at = next;
      }
      rest = input.subarray(at);
    },
  };
};
