import { randomInstance } from './list-world';
import { createMappings, newVersion } from './mapping-requests';
import { openLoop } from './open-loop';
import { type PlainConnection, plainConnection } from './plain-connection';
import { randomList } from './random-list';

/**
 * What clients send: new versions of mappings, each to its own mapping, all to one, or at a fixed request rate; random
 * lists of instances, or random instances.
 */
export type Load = 'own mappings' | 'one mapping' | 'open loop' | 'lists' | 'one instance';

/** The output of the load process. */
export interface LoadReport {
  /** Milliseconds of each request, as its client measures it. */
  readonly latencies: readonly number[];
  /** Processor time of the clients themselves. */
  readonly processorMs: number;
}

/** The next request of a client. */
type NextRequest = (client: number, turn: number) => string;

const OPEN_LOOP_MAPPINGS = 64;

/**
 * Generates load in a separate process: `node load-clients.js <url> <clients, or requests per second> <seconds>
 * <load>`. Prints a `LoadReport` as JSON.
 */
const main = async (): Promise<void> => {
  const [url = '', count = '', seconds = '', load = ''] = process.argv.slice(2);
  // `runClients` passes one of the loads.
  const next = await REQUESTS[load as Load](new URL(url), Number(count));
  const before = process.cpuUsage();
  const send = load === 'open loop' ? inOpenLoop : oneAfterTheOther;
  const latencies = await send(new URL(url), next, Number(count), Number(seconds) * 1000);
  const { user, system } = process.cpuUsage(before);
  const report: LoadReport = { latencies, processorMs: (user + system) / 1000 };
  process.stdout.write(JSON.stringify(report));
};

const connect = ({ hostname, port }: URL): PlainConnection => plainConnection(hostname, Number(port));

/** Each client sends its next request after the answer to the previous one. */
const oneAfterTheOther = async (
  url: URL,
  next: NextRequest,
  clients: number,
  ms: number,
): Promise<readonly number[]> => {
  const latencies: number[] = [];
  const until = performance.now() + ms;
  const client = async (number: number): Promise<void> => {
    const { ask, close } = connect(url);
    for (let turn = 0; performance.now() < until; turn += 1) {
      const request = next(number, turn);
      const sent = performance.now();
      await ask(request);
      latencies.push(performance.now() - sent);
    }
    close();
  };
  await Promise.all(Array.from({ length: clients }, (_, number) => client(number)));
  return latencies;
};

/** Requests start on schedule, regardless of how long earlier requests take. */
const inOpenLoop = async (url: URL, next: NextRequest, perSecond: number, ms: number): Promise<readonly number[]> => {
  const isOver = (number: number): boolean => number >= (perSecond * ms) / 1000;
  const send = ({ ask }: PlainConnection, number: number) => ask(next(number, number));
  const { latencies, failures } = await openLoop(() => connect(url), perSecond, isOver, send);
  if (failures[0] !== undefined) throw new Error(failures[0]);
  return latencies;
};

/** Each request is a new version of one of so many mappings. */
const newVersions = async ({ origin }: URL, count: number): Promise<NextRequest> => {
  const names = Array.from({ length: count }, (_, number) => `Bench ${number}`);
  const mappings = await createMappings(origin, names);
  return (client, turn) => newVersion(origin, mappings[client % count] ?? 0, `${client} ${turn}`);
};

const reading =
  ({ host }: URL, path: () => string): NextRequest =>
  () =>
    `GET /api/instances${path()} HTTP/1.1\r\nHost: ${host}\r\nX-Username: olivia\r\n\r\n`;

const REQUESTS: Readonly<Record<Load, (url: URL, count: number) => Promise<NextRequest> | NextRequest>> = {
  'own mappings': newVersions,
  'one mapping': (url) => newVersions(url, 1),
  'open loop': (url) => newVersions(url, OPEN_LOOP_MAPPINGS),
  lists: (url) => reading(url, randomList),
  'one instance': (url) => reading(url, () => `/${randomInstance()}`),
};

void main();
