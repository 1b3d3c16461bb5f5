import { type ApiClient } from './api-client';
import { findProgress, type Progress } from './instances';
import { TIMEOUT_MS } from './running-system';
import { waitFor } from './wait-for';

/** Points on an instance's way to running, in order. */
export const MOMENTS = ['was just requested', 'is being exported', 'is being loaded', 'has just come up'] as const;
export type Moment = (typeof MOMENTS)[number];

/** Waits until an instance has reached this point, or a slightly later one. */
export const untilMoment = (client: ApiClient, id: number, moment: Moment): Promise<void> =>
  waitFor(
    `instance ${id} ${moment}`,
    async () => MOMENTS.indexOf(momentOf(await findProgress(client, id))) >= MOMENTS.indexOf(moment),
    TIMEOUT_MS,
  );

const LOADING = ['downloading', 'checking', 'creating_schema', 'loading_nodes', 'loading_edges', 'ready'];

const momentOf = ({ status, phase, steps, error_message }: Progress): Moment => {
  if (status === 'failed') throw new Error(`The instance failed too early: ${error_message}`);
  if (status === 'running') return 'has just come up';
  if (LOADING.includes(phase)) return 'is being loaded';
  const exports = steps?.[0]?.tables ?? [];
  return exports.some((table) => table.status !== 'pending') ? 'is being exported' : 'was just requested';
};
