import { type PlainConnection } from './plain-connection';

/** The requests of an open loop: milliseconds of the answered ones, and why the others failed. */
export interface LoopReport {
  readonly latencies: readonly number[];
  readonly failures: readonly string[];
}

/**
 * Starts requests on schedule until `isOver`, regardless of how long earlier ones take; a late start counts as waiting
 * time.
 */
export const openLoop = async (
  connect: () => PlainConnection,
  perSecond: number,
  isOver: (number: number) => boolean,
  send: (connection: PlainConnection, number: number) => Promise<unknown>,
): Promise<LoopReport> => {
  const latencies: number[] = [];
  const failures: string[] = [];
  const idle: PlainConnection[] = [];
  const underWay = new Set<Promise<void>>();
  const begunAt = performance.now();
  const request = async (number: number, dueAt: number): Promise<void> => {
    // The longest idle one, because the server closes connections that are idle for seconds.
    const connection = idle.shift() ?? connect();
    try {
      await send(connection, number);
      latencies.push(performance.now() - dueAt);
      idle.push(connection);
    } catch (error) {
      // The rest of its answer may still arrive.
      connection.close();
      failures.push(error instanceof Error ? error.message : String(error));
    }
  };
  for (let number = 0; !isOver(number); number += 1) {
    const dueAt = begunAt + (number * 1000) / perSecond;
    const early = dueAt - performance.now();
    if (early > 0) await new Promise((resolve) => setTimeout(resolve, early));
    const sent: Promise<void> = request(number, dueAt).finally(() => underWay.delete(sent));
    underWay.add(sent);
  }
  await Promise.all(underWay);
  idle.forEach(({ close }) => close());
  return { latencies, failures };
};
