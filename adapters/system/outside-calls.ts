import { Histogram } from 'prom-client';

/** The outcome of a call: success, rejection, or no usable response. */
export type CallOutcome = 'answered' | 'refused' | 'unavailable';

/** The calls of this process to external servers; each attempt counts. Part of every registry of metrics. */
export const outsideCalls = new Histogram({
  name: 'rowgraph_outside_call_duration_seconds',
  help: 'Calls to Kubernetes, S3 and Trino',
  labelNames: ['server', 'outcome'],
  buckets: [0.005, 0.02, 0.1, 0.5, 1, 2, 5, 10, 30],
  registers: [],
});

/** The outcome for a response status. */
export const outcomeOfStatus = (status: number): CallOutcome =>
  status < 400 ? 'answered' : status === 429 || status >= 500 ? 'unavailable' : 'refused';

/** Measures a call and counts it by `outcomeOf` its result; a rejected promise is `unavailable`. */
export const timeCall = async <A>(
  server: 'kubernetes' | 's3' | 'trino',
  call: () => Promise<A>,
  outcomeOf: (result: A) => CallOutcome,
): Promise<A> => {
  const stopTimer = outsideCalls.startTimer({ server });
  let outcome: CallOutcome = 'unavailable';
  try {
    const result = await call();
    outcome = outcomeOf(result);
    return result;
  } finally {
    stopTimer({ outcome });
  }
};
