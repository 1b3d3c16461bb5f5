import { type Lifetime } from '../config';
import { type InstanceStatus } from '../instance';
import { durationMs } from '../kernel/codecs';
import { type SnapshotStatus } from '../snapshot';

const HOUR_MS = 3_600_000;

/** How long a failed instance is kept for inspection. */
const FAILED_HOURS = 24;
/**
 * A resource used in the last five seconds never counts as unused, however short its timeout: pods report activity up
 * to five seconds late.
 */
const FRESH_MS = 5_000;

/** The inputs of the lifetime rules; times in milliseconds since 1970. */
export interface ResourceLife extends Lifetime {
  readonly createdAt: number;
  readonly lastUsedAt: number;
}

export interface InstanceLife extends Lifetime {
  readonly status: InstanceStatus;
  readonly createdAt: number;
  /** Time of the change to this status. */
  readonly since: number;
}

/** Why a resource expires. Only expiry by inactivity can still be prevented, by a use. */
export interface Expiry {
  readonly cause: 'ttl' | 'unused' | 'failed' | 'unusable';
  /** A whole clause, for the event. */
  readonly reason: string;
}

/**
 * Why an instance expires now; null otherwise. `lastActivityAt`: when it last ran a query, an export or an algorithm; the inactivity of an
 * instance without queries is counted from its change to running. The ttl applies regardless of use.
 */
export const instanceExpiry = (life: InstanceLife, lastActivityAt: number | null, now: number): Expiry | null => {
  const { status, since } = life;
  if (status === 'stopping' || status === 'deleted') return null;
  if (isOver(life, now)) return ttlOver(life);
  if (status === 'failed') {
    const reason = `it failed more than ${FAILED_HOURS} hours ago`;
    return now - since >= FAILED_HOURS * HOUR_MS ? { cause: 'failed', reason } : null;
  }
  return status === 'running' ? inactivityExpiry(life, Math.max(since, lastActivityAt ?? since), now) : null;
};

/** Why a snapshot that no instance uses, or a mapping without snapshots, expires now; null otherwise. */
export const resourceExpiry = (life: ResourceLife, now: number): Expiry | null =>
  isOver(life, now) ? ttlOver(life) : inactivityExpiry(life, life.lastUsedAt, now);

/** Why a snapshot that no instance uses expires now; null otherwise. A failed snapshot expires with its instance. */
export const snapshotExpiry = (
  snapshot: ResourceLife & { readonly status: SnapshotStatus; readonly instance: InstanceStatus },
  now: number,
): Expiry | null =>
  snapshot.status === 'failed' && snapshot.instance === 'deleted'
    ? { cause: 'unusable', reason: UNUSABLE }
    : resourceExpiry(snapshot, now);

/** Why a snapshot is deleted together with its instance. */
export const UNUSABLE = 'its instance was deleted before it was ready';

const isOver = ({ ttl, createdAt }: Lifetime & { readonly createdAt: number }, now: number): boolean =>
  ttl !== null && now - createdAt >= (durationMs(ttl) ?? Infinity);

const ttlOver = ({ ttl }: Lifetime): Expiry => ({ cause: 'ttl', reason: `its ttl of ${ttl ?? ''} is over` });

const inactivityExpiry = ({ inactivityTimeout }: Lifetime, lastUsedAt: number, now: number): Expiry | null =>
  now - lastUsedAt >= Math.max(FRESH_MS, durationMs(inactivityTimeout) ?? Infinity)
    ? { cause: 'unused', reason: `it was not used for ${inactivityTimeout}` }
    : null;
