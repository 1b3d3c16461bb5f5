import { rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { startControlPlane } from '../pod/graph/support/control-plane-server';
import { scratchDirectory } from '../pod/graph/support/loaded-engine';
import { peopleWhoKnow } from '../pod/graph/support/people-who-know';
import { type PodProcess, startPod } from '../pod/graph/support/pod-process';
import { createSnapshot, mappingOf } from '../pod/graph/support/snapshot';
import { waitFor } from '../support/wait-for';

const NODES = 100_000;
const MILLION_CHARACTERS = 'x'.repeat(1_000_000);

const PEOPLE = Array.from({ length: 1_000 }, (_, key) => `Person:${key}`);
/** A value in twenty lists. */
const nested = (value: string): string => `${'['.repeat(20)}${value}${']'.repeat(20)}`;

/** Requests the health until `work` is done; returns the longest response time as a share of the whole time. */
const slowestShare = async (pod: PodProcess, work: Promise<unknown>): Promise<number> => {
  const done = work.then(() => true);
  const startedAt = performance.now();
  let slowestMs = 0;
  while (!(await Promise.race([done, sleep(10, false)]))) {
    const askedAt = performance.now();
    await fetch(`http://127.0.0.1:${pod.port()}/health`);
    slowestMs = Math.max(slowestMs, performance.now() - askedAt);
  }
  return slowestMs / (performance.now() - startedAt);
};

test.each(['graphdb_a', 'graphdb_b'] as const)(
  'a pod of %s answers its health check while it is busy',
  async (kind) => {
    const snapshot = await createSnapshot();
    const directory = await scratchDirectory();
    await snapshot.export('nodes/Person', `SELECT i AS id, 'Zoë ' || i AS name FROM range(${NODES}) AS t(i)`);
    await snapshot.export(
      'edges/KNOWS',
      `SELECT i % ${NODES} AS a, (i * 7919 + i // ${2 * NODES}) % ${NODES} AS b, i % 100 AS since FROM range(${4 * NODES}) AS t(i)`,
    );
    const controlPlane = await startControlPlane(mappingOf(snapshot, peopleWhoKnow), snapshot);
    const pod = await startPod(controlPlane, directory, kind);
    const running = (): boolean => controlPlane.statuses().some(({ status }) => status === 'running');
    const ask = (query: string, parameters = {}) =>
      pod.call('POST', '/query', { query, parameters, timeout_ms: 60_000 });
    try {
      const slowest = {
        loading: await slowestShare(pod, waitFor('the pod reports running', running)),
        answering: await slowestShare(
          pod,
          Promise.all([
            ask('MATCH (a)-[r:KNOWS]->(b) RETURN a, r, b'),
            ask('MATCH (a)-[:KNOWS]->()-[:KNOWS]->()-[:KNOWS]->(b) RETURN count(b)'),
            ask('RETURN size($text) AS size', { text: MILLION_CHARACTERS }),
            pod.call('POST', '/subgraph', { cypher: 'MATCH (a)-[r:KNOWS]->(b) RETURN a, r, b LIMIT 20000' }),
            pod.call('POST', '/subgraph', {
              cypher: `MATCH (a)-[r:KNOWS]->(b) RETURN ${nested('[a, r, b]')} LIMIT 20000`,
            }),
            pod.call('POST', '/neighbours', { nodes: PEOPLE, limit: 5_000 }),
          ]),
        ),
      };
      expect(Math.max(...Object.values(slowest))).toBeLessThan(0.5);
    } finally {
      pod.child.kill('SIGKILL');
      await pod.ended;
      await controlPlane.close();
      await snapshot.remove();
      await rm(directory, { recursive: true, force: true, maxRetries: 5 });
    }
  },
);
