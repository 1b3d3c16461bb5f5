import { type CatchUp } from '../../projections/catch-up';
import { type Metrics } from './metrics';

/** The same, and how long each request waits for the read models is timed. */
export const measuredCatchUp = (catchUp: CatchUp, metrics: Metrics): CatchUp => ({
  ...catchUp,
  waitFor: async (position, timeoutMs) => {
    const stopTimer = metrics.catchUpSeconds.startTimer();
    const isThere = await catchUp.waitFor(position, timeoutMs);
    stopTimer();
    return isThere;
  },
});
