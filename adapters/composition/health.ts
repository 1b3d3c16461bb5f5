import { isLeft } from 'fp-ts/Either';
import { type Pool } from 'pg';
import { type PodRuntime } from '../../domain/ports/pod-runtime';
import { type EngineInspector } from '../../domain/ports/query-engine';
import { type ComponentPings } from '../http/public/cluster/component-health';
import { type EventStore } from '../../domain/ports/event-store';
import { type CatchUp } from '../../projections/catch-up';

/** So long the read models may take to show an event before the system counts as not ready. */
const PATIENCE_MS = 2_000;

/** Whether the stores answer and the read models keep up; what does not, by name with the reason. */
export const readiness = async (pool: Pool, store: EventStore, catchUp: CatchUp): Promise<Record<string, string>> => {
  try {
    await pool.query('SELECT 1');
  } catch (error) {
    return { database: error instanceof Error ? error.message : String(error) };
  }
  const head = await store.head();
  if (isLeft(head)) return { event_store: head.left.kind };
  if (await catchUp.waitFor(head.right, PATIENCE_MS)) return {};
  return { projections: `at ${catchUp.position()}, the log is at ${head.right}; see the log for what holds them up` };
};

/** A round trip to each component; `pods` null where somebody else runs them. */
export const componentPings = (pool: Pool, pods: PodRuntime | null, engine: EngineInspector): ComponentPings => ({
  database: async () => {
    await pool.query('SELECT 1');
    return null;
  },
  podRuntime:
    pods === null
      ? null
      : async () => {
          const listed = await pods.listPods();
          return isLeft(listed) ? listed.left.reason : null;
        },
  queryEngine: async () => {
    const pong = await engine.ping();
    return isLeft(pong) ? pong.left.message : null;
  },
});
