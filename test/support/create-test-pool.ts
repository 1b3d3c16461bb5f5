import { type Pool } from 'pg';
import { createPool, type PoolOptions } from '../../adapters/postgres/pool';

/** A pool that waits longer for a connection than in production, so that a busy machine does not fail a test. */
export const createTestPool = (options: PoolOptions): Pool => createPool({ connectTimeoutMs: 60_000, ...options });
