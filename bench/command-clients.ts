import { type LoadReport, type Sample } from './list-clients';
import { type PlainConnection, plainConnection } from './plain-connection';

/** How the clients write: each to its own mapping, all to one mapping, or at a fixed request rate. */
export type CommandLoad = 'own mappings' | 'one mapping' | 'open loop';

/**
 * Generates the load in a separate process: `node command-clients.js <url> <clients, or requests per second> <seconds>
 * <load>`. Every request is a new version of a mapping (`PUT /api/mappings/{id}`). Prints a `LoadReport` as JSON.
 */
const main = async (): Promise<void> => {
  const [url = '', count = '', seconds = '', load = ''] = process.argv.slice(2);
  const { hostname, port } = new URL(url);
  const connect = (): PlainConnection => plainConnection(hostname, Number(port));
  const run = load === 'open loop' ? openLoop : closedLoop(load === 'one mapping');
  const before = process.cpuUsage();
  const samples = await run(url, connect, Number(count), Number(seconds) * 1000);
  const { user, system } = process.cpuUsage(before);
  const report: LoadReport = { samples, processorMs: (user + system) / 1000 };
  process.stdout.write(JSON.stringify(report));
};

type Run = (url: string, connect: () => PlainConnection, count: number, ms: number) => Promise<readonly Sample[]>;

/** Each client sends its next request after the answer to the previous one. */
const closedLoop =
  (isOneMapping: boolean): Run =>
  async (url, connect, clients, ms) => {
    const mappings = await createMappings(url, isOneMapping ? 1 : clients);
    const samples: Sample[] = [];
    const until = performance.now() + ms;
    const client = async (number: number): Promise<void> => {
      const { ask, close } = connect();
      for (let version = 0; performance.now() < until; version += 1) {
        const sent = performance.now();
        await ask(newVersion(url, mappings[number % mappings.length] ?? 0, `${number} ${version}`));
        samples.push({ kind: 'write', ms: performance.now() - sent });
      }
      close();
    };
    await Promise.all(Array.from({ length: clients }, (_, number) => client(number)));
    return samples;
  };

const OPEN_LOOP_MAPPINGS = 64;

/** Requests start on schedule, regardless of how long earlier requests take; a late start counts as waiting time. */
const openLoop: Run = async (url, connect, perSecond, ms) => {
  const mappings = await createMappings(url, OPEN_LOOP_MAPPINGS);
  const samples: Sample[] = [];
  const idle: PlainConnection[] = [];
  const underWay: Promise<void>[] = [];
  const begunAt = performance.now();
  const send = async (number: number, dueAt: number): Promise<void> => {
    const connection = idle.pop() ?? connect();
    await connection.ask(newVersion(url, mappings[number % mappings.length] ?? 0, String(number)));
    samples.push({ kind: 'write', ms: performance.now() - dueAt });
    idle.push(connection);
  };
  for (let number = 0; number < (perSecond * ms) / 1000; number += 1) {
    const dueAt = begunAt + (number * 1000) / perSecond;
    const early = dueAt - performance.now();
    if (early > 0) await new Promise((resolve) => setTimeout(resolve, early));
    underWay.push(send(number, dueAt));
  }
  await Promise.all(underWay);
  idle.forEach(({ close }) => close());
  return samples;
};

const definition = (comment: string) => ({
  label: 'Person',
  sql: `SELECT id, name, age FROM people -- ${comment}`,
  primary_key: { name: 'id', type: 'INT64' },
  properties: [
    { name: 'name', type: 'STRING' },
    { name: 'age', type: 'INT64' },
  ],
});

const createMappings = (url: string, count: number): Promise<readonly number[]> =>
  Promise.all(
    Array.from({ length: count }, async (_, number) => {
      const headers = { 'Content-Type': 'application/json', 'X-Username': 'olivia' };
      const body = { name: `Bench ${number}`, node_definitions: [definition('first')], edge_definitions: [] };
      const answer = await fetch(`${url}/api/mappings`, { method: 'POST', headers, body: JSON.stringify(body) });
      if (answer.status !== 201)
        throw new Error(`POST /api/mappings answered ${answer.status}: ${await answer.text()}`);
      return ((await answer.json()) as { readonly data: { readonly id: number } }).data.id;
    }),
  );

const newVersion = (url: string, mapping: number, comment: string): string => {
  const body = JSON.stringify({ change_description: comment, node_definitions: [definition(comment)] });
  return [
    `PUT /api/mappings/${mapping} HTTP/1.1`,
    `Host: ${new URL(url).host}`,
    'X-Username: olivia',
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    '',
    body,
  ].join('\r\n');
};

void main();
