import { createServer, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';
import { createApiClient } from '../../../adapters/client';

let server: Server;
let url: string;
let answers: ((response: ServerResponse) => void)[];
let lastIds: (string | undefined)[];

beforeEach(async () => {
  [answers, lastIds] = [[], []];
  server = createServer(({ headers }, response) => {
    lastIds.push(headers['last-event-id']?.toString());
    const answer = answers.shift();
    if (answer === undefined) response.destroy();
    else answer(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(() => {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(resolve));
});

const event = (id: number, phase: string, name = 'progress'): string =>
  `id: ${id}\nevent: ${name}\ndata: ${JSON.stringify({ id: 7, status: 'starting', phase, started_at: null })}\n\n`;
const stream = (response: ServerResponse, text: string): ServerResponse => {
  response.writeHead(200, { 'Content-Type': 'text/event-stream' }).write(`retry: 1\n\n: heartbeat\n\n${text}`);
  return response;
};
const phases = async (
  signal = new AbortController().signal,
  look: () => void = () => undefined,
): Promise<readonly string[]> => {
  const seen: string[] = [];
  const client = createApiClient(url, { kind: 'anonymous' });
  for await (const { phase } of client.followInstanceProgress(7, signal)) {
    seen.push(phase);
    look();
  }
  return seen;
};

test('a broken stream is taken up again behind the last event, up to the end', async () => {
  answers = [
    (response) => {
      const [half] = event(3, 'three').split('data');
      stream(response, event(1, 'one') + event(2, 'two') + (half ?? '')).once('drain', () => undefined);
      setImmediate(() => response.destroy());
    },
    (response) => response.writeHead(503).end(),
    (response) => stream(response, event(3, 'three') + event(4, 'ready', 'done')),
  ];
  expect(await phases()).toEqual(['one', 'two', 'three', 'ready']);
  expect(lastIds).toEqual([undefined, '2', '2']);
});

test.each([
  ['JSON', (response: ServerResponse) => response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}')],
  ['a refusal', (response: ServerResponse) => response.writeHead(404).end()],
  ['no more events', (response: ServerResponse) => response.writeHead(204).end()],
])('%s in place of events ends it at once', async (_, answer) => {
  answers = [answer];
  expect(await phases()).toEqual([]);
  expect(lastIds).toHaveLength(1);
});

test('it ends by its signal while nothing comes', async () => {
  const controller = new AbortController();
  answers = [(response) => stream(response, event(1, 'one'))];
  expect(await phases(controller.signal, () => setImmediate(() => controller.abort()))).toEqual(['one']);
});
