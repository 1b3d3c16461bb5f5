import { randomInstance } from './list-world';
import { plainConnection } from './plain-connection';
import { randomList } from './random-list';

/** The duration of one request, as its client measures it. */
export interface Sample {
  readonly kind: string;
  readonly ms: number;
}

/** The output of the load process. */
export interface LoadReport {
  readonly samples: readonly Sample[];
  /** Processor time of the clients themselves. */
  readonly processorMs: number;
}

/**
 * Generates the load in a separate process: `node list-clients.js <url> <clients> <seconds> <lists|one instance>`.
 * Every client requests random lists, or instances, one after the other, and reads each answer to its end. Prints a
 * `LoadReport` as JSON.
 */
const main = async (): Promise<void> => {
  const [url = '', clients = '32', seconds = '10', what = 'lists'] = process.argv.slice(2);
  const samples: Sample[] = [];
  const end = performance.now() + Number(seconds) * 1000;
  const client = async (): Promise<void> => {
    const { hostname, port, host } = new URL(url);
    const { ask, close } = plainConnection(hostname, Number(port));
    while (performance.now() < end) {
      const { kind, path } = what === 'lists' ? randomList() : { kind: what, path: `/${randomInstance()}` };
      const sent = performance.now();
      await ask(`GET /api/instances${path} HTTP/1.1\r\nHost: ${host}\r\nX-Username: olivia\r\n\r\n`);
      samples.push({ kind, ms: performance.now() - sent });
    }
    close();
  };
  await Promise.all(Array.from({ length: Number(clients) }, client));
  const { user, system } = process.cpuUsage();
  const report: LoadReport = { samples, processorMs: (user + system) / 1000 };
  process.stdout.write(JSON.stringify(report));
};

void main();
