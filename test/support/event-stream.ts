import { type IncomingMessage, request as httpRequest } from 'node:http';

export interface ReceivedEvent {
  readonly id: string;
  readonly event: string;
  readonly data: unknown;
}

export interface OpenStream extends AsyncIterable<ReceivedEvent> {
  readonly status: number;
  readonly response: IncomingMessage;
  /** Everything received so far, as text. */
  text(): string;
  /** Breaks the connection. */
  cut(): void;
}

/** Opens a stream of server-sent events. Iterating ends with the stream, or when the connection breaks. */
export const openEventStream = (url: string, headers: Readonly<Record<string, string>>): Promise<OpenStream> =>
  new Promise((resolve, reject) => {
    const request = httpRequest(url, { agent: false, headers: { Accept: 'text/event-stream', ...headers } });
    request.on('error', reject);
    request.on('response', (response) => {
      let text = '';
      const read = async function* (): AsyncGenerator<ReceivedEvent> {
        let rest = '';
        response.setEncoding('utf8');
        for await (const chunk of response) {
          text += String(chunk);
          rest += String(chunk);
          const blocks = rest.split('\n\n');
          rest = blocks.pop() ?? '';
          for (const block of blocks) {
            const lines = new Map(block.split('\n').map((line) => [line.split(': ')[0], line.replace(/^\w*: /, '')]));
            const [id, event, data] = [lines.get('id'), lines.get('event'), lines.get('data')];
            if (id === undefined || event === undefined || data === undefined) continue;
            yield { id, event, data: JSON.parse(data) as unknown };
          }
        }
      };
      resolve({
        status: response.statusCode ?? 0,
        response,
        text: () => text,
        cut: () => request.destroy(),
        [Symbol.asyncIterator]: read,
      });
    });
    request.end();
  });
