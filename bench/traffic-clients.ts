import { once } from 'node:events';
import { createMappings, newVersion } from './mapping-requests';
import { type LoopReport, openLoop } from './open-loop';
import { type PlainConnection, plainConnection } from './plain-connection';
import { randomList } from './random-list';

const COMMANDS_PER_SECOND = 300;
const LISTS_PER_SECOND = 200;
const MAPPINGS = 64;

/** What the clients of a live system see until their standard input ends. */
export interface TrafficReport {
  readonly commands: LoopReport;
  readonly reads: LoopReport;
  /** Reads that miss what a command had written before they were sent. */
  readonly stale: readonly string[];
  /** Commands whose answer did not wait for the read models any longer. */
  readonly pending: number;
}

/** An acknowledged command: the newest version of a mapping, and the position of its event. */
interface Written {
  readonly version: number;
  readonly position: bigint;
}

/**
 * Generates mixed load in a separate process, until its standard input ends: `node traffic-clients.js <url>`. Each
 * command is a new version of a mapping. Half of the reads are random lists of instances, the others show what the last
 * command has written: a list of mappings, or a page of the audit trail. Prints a `TrafficReport` as JSON.
 */
const main = async (): Promise<void> => {
  const url = process.argv[2] ?? '';
  const { hostname, port, host } = new URL(url);
  const connect = (): PlainConnection => plainConnection(hostname, Number(port));
  const names = Array.from({ length: MAPPINGS }, (_, number) => `Traffic ${process.pid} ${100 + number}`);
  const mappings = await createMappings(url, names);
  const written = new Map<number, Written>();
  const [stale, isOver]: [string[], { now: boolean }] = [[], { now: false }];
  let pending = 0;

  const write = async ({ ask }: PlainConnection, number: number): Promise<void> => {
    const index = number % MAPPINGS;
    const answer = (await ask(newVersion(url, mappings[index] ?? 0, String(number)))).toString();
    const acknowledged = { version: numberIn(answer, VERSION), position: positionIn(answer) };
    // Reads include it only with `X-Min-Position`.
    if (/^x-consistency: pending/im.test(answer)) pending += 1;
    else if (acknowledged.version > (written.get(index)?.version ?? 0)) written.set(index, acknowledged);
  };

  const read = async ({ ask }: PlainConnection, number: number): Promise<void> => {
    const index = Math.floor(Math.random() * MAPPINGS);
    const expected = written.get(index) ?? { version: 1, position: 0n };
    const request = async (path: string): Promise<string> => {
      const head = `GET /api${path} HTTP/1.1\r\nHost: ${host}\r\nX-Username: olivia`;
      return (await ask(`${head}\r\n\r\n`)).toString();
    };
    const check = (path: string, answer: string, shown: bigint, least: bigint): void => {
      if (positionIn(answer) >= expected.position && shown >= least) return;
      stale.push(`${path} at ${positionIn(answer)} shows ${shown} instead of ${least} at ${expected.position}`);
    };
    switch (number % 4) {
      case 0: {
        const path = `/mappings?search=${encodeURIComponent(names[index] ?? '')}`;
        const answer = await request(path);
        check(path, answer, BigInt(numberIn(answer, VERSION)), BigInt(expected.version));
        return;
      }
      case 1: {
        const path = `/audit/events?limit=1&resource_type=mapping&resource_id=${mappings[index]}`;
        const answer = await request(path);
        check(path, answer, BigInt(/"position":"(\d+)"/.exec(answer)?.[1] ?? 0), expected.position);
        return;
      }
      default: {
        const path = `/instances${randomList()}`;
        check(path, await request(path), 0n, 0n);
      }
    }
  };

  process.stdin.resume();
  void once(process.stdin, 'end').then(() => (isOver.now = true));
  const [commands, reads] = await Promise.all([
    openLoop(connect, COMMANDS_PER_SECOND, () => isOver.now, write),
    openLoop(connect, LISTS_PER_SECOND, () => isOver.now, read),
  ]);
  const report: TrafficReport = { commands, reads, stale, pending };
  process.stdout.write(JSON.stringify(report));
};

const VERSION = /"current_version":(\d+)/;

const numberIn = (answer: string, pattern: RegExp): number => Number(pattern.exec(answer)?.[1] ?? 0);

const positionIn = (answer: string): bigint => BigInt(/^x-event-position: (\d+)/im.exec(answer)?.[1] ?? 0);

void main();
