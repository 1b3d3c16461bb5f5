import { type Either, isLeft, left } from 'fp-ts/Either';
import { type Pool } from 'pg';
import { type Position } from '../../domain/kernel/event';
import { type PodRuntime } from '../../domain/ports/pod-runtime';
import { type EngineInspector } from '../../domain/ports/query-engine';
import { type ComponentPings } from '../http/public/cluster/component-health';
import { type EventStore } from '../../domain/ports/event-store';
import { type CatchUp } from '../../projections/catch-up';
import { troubleOf } from '../postgres/trouble-of';
import { withPatience } from '../system/patience';

/** So long the read models may take to show an event before the system counts as not ready. */
const PATIENCE_MS = 2_000;

/** The log, and what people call it. */
export interface NamedLog {
  readonly store: Pick<EventStore, 'head'>;
  readonly name: string;
}

/** Whether the stores answer and the read models keep up; what does not, by name with the reason. */
export const readiness = async (pool: Pool, log: NamedLog, catchUp: CatchUp): Promise<Record<string, string>> => {
  try {
    await pool.query('SELECT 1');
  } catch (error) {
    return { database: troubleOf(error) };
  }
  const head = await headOf(log);
  if (isLeft(head)) return { event_store: head.left };
  if (await catchUp.waitFor(head.right, PATIENCE_MS)) return {};
  return { projections: `at ${catchUp.position()}, the log is at ${head.right}; see the log for what holds them up` };
};

const headOf = async ({ store, name }: NamedLog): Promise<Either<string, Position>> => {
  const head = await withPatience(PATIENCE_MS, () => store.head());
  return isLeft(head) ? left(`${name}: ${head.left.reason}`) : head;
};

/** A round trip to each component; `pods` null where somebody else runs them. */
export const componentPings = (
  pool: Pool,
  log: NamedLog,
  pods: PodRuntime | null,
  engine: EngineInspector,
): ComponentPings => ({
  database: () => pool.query('SELECT 1').then(() => null, troubleOf),
  eventStore: async () => {
    const head = await headOf(log);
    return isLeft(head) ? head.left : null;
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
