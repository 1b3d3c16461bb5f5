import { isLeft } from 'fp-ts/Either';
import { type Pool } from 'pg';
import { type PodRuntime } from '../../domain/ports/pod-runtime';
import { type EngineInspector } from '../../domain/ports/query-engine';
import { type ComponentPings } from '../http/public/cluster/component-health';

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
