import { type Clock } from '../../domain/ports/clock';

/** The clock of this machine. */
export const systemClock: Clock = { now: () => new Date() };
