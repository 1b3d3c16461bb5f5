import { doubledMemory } from '../instance';

/** The memory use of a running instance, and its past memory upgrades. */
export interface MemoryUse {
  readonly limitBytes: number;
  readonly usedBytes: number;
  /** Whether the previous measurement was high, too. */
  readonly wasHigh: boolean;
  /** All its memory upgrades, oldest first. */
  readonly upgrades: readonly { readonly at: Date; readonly reason: string }[];
}

/** Reason of a memory upgrade by the system. */
export const MEMORY_PRESSURE = 'memory_pressure';

/** Shares of the limit: a high use leads to an upgrade when measured twice in a row, a critical one at once. */
const HIGH = 0.8;
const CRITICAL = 0.9;
const PAUSE_MS = 5 * 60_000;
/** Maximum number of upgrades by the system per instance. */
const MAX_UPGRADES = 3;

export const isHighMemory = ({ usedBytes, limitBytes }: Pick<MemoryUse, 'usedBytes' | 'limitBytes'>): boolean =>
  usedBytes > HIGH * limitBytes;

/**
 * The new memory of an instance in bytes: twice the current one, at most 32 GiB. Null when the use is not high, the
 * last upgrade is recent, or the maximum number of upgrades is reached.
 */
export const memoryForUse = (use: MemoryUse, now: Date): number | null => {
  const { limitBytes, usedBytes, wasHigh, upgrades } = use;
  const isPressed = usedBytes > CRITICAL * limitBytes || (isHighMemory(use) && wasHigh);
  if (!isPressed) return null;
  const last = upgrades.at(-1);
  if (last !== undefined && now.getTime() - last.at.getTime() < PAUSE_MS) return null;
  if (upgrades.filter(({ reason }) => reason === MEMORY_PRESSURE).length >= MAX_UPGRADES) return null;
  return doubledMemory(limitBytes);
};
