import * as t from 'io-ts';
import { type Pool } from 'pg';
import { type ReadDatabase } from '../../queries/kit/database';
import { type PoolUse } from './metrics';

export const poolUse = (
  pool: string,
  { totalCount, idleCount, waitingCount }: Pick<Pool, 'totalCount' | 'idleCount' | 'waitingCount'>,
): PoolUse => ({ pool, busy: totalCount - idleCount, idle: idleCount, waiting: waitingCount });

const items = t.array(t.unknown);
const ReadPool = t.type({ pool: t.type({ used: items, free: items, pendingAcquires: items }) });

/** knex declares nothing of its pool, so what is not found there counts as unused. */
export const readPoolUse = ({ client }: ReadDatabase): PoolUse => {
  const { used, free, pendingAcquires } = ReadPool.is(client)
    ? client.pool
    : { used: [], free: [], pendingAcquires: [] };
  return { pool: 'reads', busy: used.length, idle: free.length, waiting: pendingAcquires.length };
};
