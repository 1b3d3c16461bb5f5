import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { capacity, CAPACITY_STREAM, type CapacityEvent } from '../../domain/capacity';
import { fold } from '../../domain/kernel/decider';
import { type StoredEvent } from '../../domain/kernel/event';
import { READ_PATH } from '../../projections/registry';
import { streamOf } from './log-of';
import { type RunningSystem, TIMEOUT_MS } from './running-system';
import { waitFor } from './wait-for';

/** The address of the system's own database. */
export const databaseUrlOf = (system: RunningSystem): Promise<string> =>
  readFile(join(system.folder, 'database-url'), 'utf8');

/** Runs a query on the system's own database. */
export const queryDatabase = async <R extends object>(system: RunningSystem, sql: string): Promise<readonly R[]> => {
  const client = new Client({ connectionString: await databaseUrlOf(system) });
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query(`SET search_path TO ${READ_PATH.join(', ')}`);
    return (await client.query<R>(sql)).rows;
  } finally {
    await client.end();
  }
};

/**
 * Waits until no work is in progress, and the records match what runs: the running instances are the pods, the folders
 * and the slots in use; no timer, command or process is left.
 */
export const untilAtRest = async (system: RunningSystem): Promise<void> => {
  let differences = ['nothing was looked at'];
  const look = async (): Promise<boolean> => {
    differences = await whatIsWrong(system).catch((error: unknown) => [String(error)]);
    return differences.length === 0;
  };
  await waitFor('no work is in progress', look, TIMEOUT_MS).catch(() => {
    throw new Error(`The system does not come to rest: ${differences.join('; ')}`);
  });
};

const whatIsWrong = async (system: RunningSystem): Promise<string[]> => {
  const { data: instances } = await system.as('olivia').call('listInstances', { query: { limit: 100 } });
  const details = await Promise.all(instances.map(({ id }) => system.as('olivia').call('getInstance', { id })));
  const live = details.map(({ data }) => data).filter(({ status }) => status !== 'failed');
  const folders = await readdir(join(system.folder, 'pods')).catch(() => []);
  const parts = system.processes();
  const count = (part: string): number => parts.filter((process) => process.part === part).length;
  const capacityEvents = (await streamOf(system, CAPACITY_STREAM)) as readonly StoredEvent<CapacityEvent>[];
  // The files of a deleted snapshot are removed again after a while, in case a late worker wrote some.
  const timers = await queryDatabase(system, "SELECT * FROM es.timers WHERE timer_id <> 'sweep'");
  const effects = await queryDatabase(system, 'SELECT * FROM es.effects');
  const expected: readonly (readonly [string, unknown, unknown])[] = [
    ['unfinished instances', [], live.filter(({ status }) => status !== 'running').map(({ id }) => id)],
    ['pod folders', live.map(({ id }) => `instance-${id}`).sort(), folders.sort()],
    ['slots', live.map(({ id }) => id).sort(), [...fold(capacity, capacityEvents).keys()].sort()],
    ['pods', live.length, count('pod')],
    ['engines', live.filter(({ wrapper_type }) => wrapper_type === 'graphdb_b').length, count('engine')],
    ['export workers', 1, count('export worker')],
    ['databases', 1, count('postgres')],
    ['timers', [], timers],
    ['effects', [], effects],
  ];
  return expected
    .filter(([, wanted, found]) => JSON.stringify(wanted) !== JSON.stringify(found))
    .map(([what, wanted, found]) => `${what}: ${JSON.stringify(found)} instead of ${JSON.stringify(wanted)}`);
};
