import { quantile } from '../figure';
import { plainConnection } from '../plain-connection';
import { type BenchPod } from './bench-pod';

const ASKED = 100;
const SLOW_MS = 15_000;
/** The time until the queries that get a slot are running. */
const SETTLE_MS = 1_000;
const ENDLESS = 'MATCH (a:Person), (b:Person) RETURN sum(a.age * b.age)';

/** The p95 in milliseconds of one caller's `RETURN 1` while another caller has this many endless queries. */
export const measureFairness = async ({ port }: BenchPod, slow: number): Promise<number> => {
  const ended = Array.from({ length: slow }, async () => {
    const { ask, close } = plainConnection('127.0.0.1', port);
    await ask(requestOf('ada', ENDLESS)).catch(() => undefined);
    close();
  });
  await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
  const { ask, close } = plainConnection('127.0.0.1', port);
  const latencies: number[] = [];
  const startMs = performance.now();
  while (latencies.length < ASKED && performance.now() - startMs < SLOW_MS - 2 * SETTLE_MS) {
    const sentMs = performance.now();
    await ask(requestOf('bob', 'RETURN 1'));
    latencies.push(performance.now() - sentMs);
  }
  close();
  await Promise.all(ended);
  return quantile(latencies, 0.95);
};

const requestOf = (username: string, query: string): string => {
  const body = JSON.stringify({ query, timeout_ms: SLOW_MS });
  const headers = `Host: localhost\r\nX-Username: ${username}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}`;
  return `POST /query HTTP/1.1\r\n${headers}\r\n\r\n${body}`;
};
