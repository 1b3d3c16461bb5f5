import { setTimeout as sleep } from 'node:timers/promises';

const MAX_PAUSE_MS = 20;

/** A random part of a time that doubles with every race lost in a row: 2 ms after the first, 20 ms at most. */
export const afterLostRace = (lost: number): Promise<void> => sleep(Math.random() * Math.min(MAX_PAUSE_MS, 2 ** lost));
