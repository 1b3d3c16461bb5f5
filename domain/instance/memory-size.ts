import { type WrapperType } from './events';

/** Bytes per GiB. */
export const GIB = 1024 ** 3;
const MAX_GIB = 32;

/**
 * Memory for a pod that loads a snapshot, in bytes: 1.5 times what the engine needs for data of that size, in whole GiB
 * and at most 32 GiB.
 */
export const memorySize = (wrapperType: WrapperType, snapshotBytes: number): number => {
  const gib = snapshotBytes / GIB;
  const needed = wrapperType === 'graphdb_b' ? Math.max(2, 2.0 * gib + 1) : Math.max(2, 1.2 * gib + 0.5);
  return Math.min(MAX_GIB, Math.ceil(needed * 1.5)) * GIB;
};

/** Twice the memory, at most 32 GiB; null for an instance at the maximum. */
export const doubledMemory = (memoryBytes: number): number | null =>
  memoryBytes >= MAX_GIB * GIB ? null : Math.min(2 * memoryBytes, MAX_GIB * GIB);
