import { connect } from 'node:net';

/** A keep-alive connection that sends one request at a time. */
export interface PlainConnection {
  /**
   * Sends a complete HTTP request and waits for the last byte of the answer; rejects for any status but 200. Resolves
   * with the first chunk, which is the whole of a small answer.
   */
  readonly ask: (request: string) => Promise<Buffer>;
  readonly close: () => void;
}

/** A client shares the processors with what it measures, so it parses only the status and the length of an answer. */
export const plainConnection = (host: string, port: number): PlainConnection => {
  const socket = connect({ host, port, noDelay: true });
  let resolve: (first: Buffer) => void = () => undefined;
  let reject: (error: Error) => void = () => undefined;
  let first: Buffer = Buffer.alloc(0);
  let missing = -1;
  socket.on('data', (chunk: Buffer) => {
    if (missing >= 0) missing -= chunk.length;
    else {
      const head = chunk.subarray(0, chunk.indexOf('\r\n\r\n')).toString('latin1');
      const length = /^content-length: (\d+)/im.exec(head)?.[1];
      if (!head.startsWith('HTTP/1.1 200') || length === undefined) {
        return reject(new Error(`answered ${chunk.toString()}`));
      }
      first = chunk;
      missing = Number(length) - (chunk.length - head.length - 4);
    }
    if (missing > 0) return;
    missing = -1;
    resolve(first);
  });
  socket.on('error', (error) => reject(error));
  socket.on('close', () => reject(new Error('The connection was closed before the answer.')));
  return {
    ask: (request) =>
      new Promise((onAnswer, onError) => {
        resolve = onAnswer;
        reject = onError;
        socket.write(request);
      }),
    close: () => socket.destroy(),
  };
};
