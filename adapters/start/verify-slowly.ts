import { type Verification, verify } from '../../projections/verify';
import { CONNECTIONS, createPool, MAINTENANCE } from '../postgres/pool';
import { pause } from '../system/retry';
import { sha256 } from '../system/sha256';
import { type Parts } from './parts';

/** A pause is this many times as long as the work before it: a verification takes a fifth of a processor. */
const REST = 4;
/** Wait for a read model that has not reached the position of the replay. */
const PAUSE_MS = 250;

/** Verifies the whole system with pauses, on connections of its own. Rejects when the signal aborts. */
export const verifySlowly = async (
  { connectionString, store, ports }: Pick<Parts, 'connectionString' | 'store' | 'ports'>,
  signal: AbortSignal,
): Promise<Verification & { readonly events: number }> => {
  const pool = createPool({ connectionString, ...MAINTENANCE, ...CONNECTIONS.verification });
  let events = 0;
  let workedSince = performance.now();
  const rest = async (): Promise<void> => {
    await pause(REST * (performance.now() - workedSince), signal);
    signal.throwIfAborted();
    workedSince = performance.now();
  };
  try {
    const verification = await verify({
      ...{ pool, store, sha256, rest, expectedSeal: null, sample: null },
      now: () => ports.clock.now(),
      onPage: (read) => (events = read),
      pause: () => pause(PAUSE_MS, signal),
    });
    return { ...verification, events };
  } finally {
    await pool.end();
  }
};
