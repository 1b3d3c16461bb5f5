import { doubledMemory } from '../instance';

/** What a running instance uses of its memory, and how often it was given more. */
export interface MemoryUse {
  readonly limitBytes: number;
  readonly usedBytes: number;
  /** The measurement before this one was high, too. */
  readonly wasHigh: boolean;
  /** Upgrades of its memory so far, for whatever reason, oldest first. */
  readonly upgrades: readonly { readonly at: Date; readonly reason: string }[];
}

/** Why the system itself gives an instance more memory. */
export const MEMORY_PRESSURE = 'memory_pressure';

/** Shares of the limit: high when seen twice in a row, critical at once. */
const HIGH = 0.8;
const CRITICAL = 0.9;
const PAUSE_MS = 5 * 60_000;
/** How often the system enlarges one instance. */
const MAX_UPGRADES = 3;

export const isHighMemory = ({ usedBytes, limitBytes }: Pick<MemoryUse, 'usedBytes' | 'limitBytes'>): boolean =>
  usedBytes > HIGH * limitBytes;

/**
 * The memory an instance should get instead, in bytes: twice as much, at most 32 GiB. Null when it can stay as it is,
 * had more only just now, or has been given more often enough.
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
