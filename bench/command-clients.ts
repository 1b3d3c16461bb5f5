import { type LoadReport, type Sample } from './list-clients';
import { createMappings, newVersion } from './mapping-requests';
import { openLoop } from './open-loop';
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
  const run = load === 'open loop' ? inOpenLoop : closedLoop(load === 'one mapping');
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
    const mappings = await createMappings(url, namesOf(isOneMapping ? 1 : clients));
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

/** Requests start on schedule, regardless of how long earlier requests take. */
const inOpenLoop: Run = async (url, connect, perSecond, ms) => {
  const mappings = await createMappings(url, namesOf(OPEN_LOOP_MAPPINGS));
  const { samples, failures } = await openLoop(
    connect,
    perSecond,
    (number) => number >= (perSecond * ms) / 1000,
    async ({ ask }, number) => {
      await ask(newVersion(url, mappings[number % mappings.length] ?? 0, String(number)));
      return 'write';
    },
  );
  if (failures[0] !== undefined) throw new Error(failures[0]);
  return samples;
};

const namesOf = (count: number): readonly string[] => Array.from({ length: count }, (_, number) => `Bench ${number}`);

void main();
