import * as t from 'io-ts';

/** What a parent process may send over IPC: there are new jobs, ask now. */
export const JobsAvailable = t.strict({ type: t.literal('jobs_available') });
export type JobsAvailable = t.TypeOf<typeof JobsAvailable>;
