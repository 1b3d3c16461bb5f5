import { type Pool } from 'pg';
import { CONFIG_STREAM } from '../domain/config';
import { allEvents } from '../domain/events';
import { jobStream } from '../domain/job';
import { mappingStream } from '../domain/mapping';
import { userStream } from '../domain/user';
import { recordLife } from './audit-life';
import { type LifeEvent, LifeRecorder } from './life-recorder';

const OWNERS = 400;
/** Lives of one mapping. */
const LIVES_OF_MAPPING = 20;
const SECONDS_BETWEEN_LIVES = 900;
const BATCH = 5_000;

/** The restarts of every tenth instance. */
export const MANY_RESTARTS = 5;
export const hasManyRestarts = (instance: number): boolean => instance % 10 === 0;

/**
 * Writes a log of this many events, or a few more, as months of use would leave it: instances of all kinds, whose lives
 * overlap, owners with many and with few of them, rare actors and requests, and requests that delete many.
 */
export const fillLog = async (pool: Pool, size: number): Promise<void> => {
  const random = randomNumbers(7);
  const newId = idsOf(random);
  const revisions = new Map<string, number>();
  let position = 0;
  let recorded: LifeEvent[] = [];

  const write = async (events: readonly LifeEvent[]): Promise<void> => {
    for (let from = 0; from < events.length; from += BATCH) {
      const rows = events.slice(from, from + BATCH).map(({ id, at, stream, event, ...metadata }) => {
        const revision = (revisions.get(stream) ?? -1) + 1;
        revisions.set(stream, revision);
        const { actor, role, request: correlationId, cause: causationId } = metadata;
        const occurredAt = new Date(at).toISOString();
        return {
          ...{ position: (position += 1), stream_id: stream, revision, id, type: event.type, data: event.data },
          ...{ schema_version: allEvents[event.type].schemaVersion, recorded_at: occurredAt },
          metadata: { actor, role, occurredAt, commandId: id, correlationId, causationId },
        };
      });
      const insert = 'INSERT INTO es.events SELECT * FROM json_populate_recordset(NULL::es.events, $1)';
      await pool.query(insert, [JSON.stringify(rows)]);
    }
  };

  // About 67 events each.
  const start = Date.now() - Math.ceil(size / 67 + 200) * SECONDS_BETWEEN_LIVES * 1000;
  const users = new LifeRecorder(start, newId);
  recordUsers(users);
  await write(users.events);
  for (let life = 1; position < size; life += 1) {
    const at = start + life * SECONDS_BETWEEN_LIVES * 1000;
    // What was recorded before this life begins is complete.
    recorded.sort((a, b) => a.at - b.at);
    const complete = recorded.findIndex((event) => event.at >= at);
    if (complete >= BATCH) {
      await write(recorded.slice(0, complete));
      recorded = recorded.slice(complete);
    }
    const owner = `user-${Math.floor(OWNERS * random() ** 2)}`;
    const recorder = new LifeRecorder(at, newId);
    recordSurroundings(recorder, life, owner);
    const restarts = hasManyRestarts(life) ? MANY_RESTARTS : life % 3 === 0 ? 1 : 0;
    const mapping = Math.ceil(life / LIVES_OF_MAPPING);
    const end = life % 50 === 10 ? null : endOf(life, owner);
    recordLife(recorder, { instance: life, mapping, owner, restarts, end });
    recorded.push(...recorder.events);
  }
  await write(recorded);
  await pool.query('INSERT INTO es.streams SELECT stream_id, max(revision) FROM es.events GROUP BY stream_id');
  await pool.query('VACUUM ANALYZE es.events');
};

const recordUsers = (recorder: LifeRecorder): void => {
  for (let user = 0; user < OWNERS; user += 1) {
    const username = `user-${user}`;
    const data = { username, displayName: null, email: null, role: 'analyst' as const };
    recorder.add(userStream(username), { type: 'UserCreated', data }, recorder.request('olivia', 'ops'));
  }
};

/** A mapping for every so many lives, and now and then what admins, ops and jobs do. */
const recordSurroundings = (recorder: LifeRecorder, life: number, owner: string): void => {
  const mappingId = Math.ceil(life / LIVES_OF_MAPPING);
  const node = { label: 'Person', sql: 'SELECT id FROM people', primary_key: { name: 'id', type: 'INT64' as const } };
  const definitions = { nodeDefinitions: [{ ...node, properties: [] }], edgeDefinitions: [] };
  if (life % LIVES_OF_MAPPING === 1) {
    const header = { mappingId, ownerUsername: owner, ownerName: owner, name: `Mapping ${mappingId}`, description: '' };
    const data = { ...header, ttl: null, inactivityTimeout: 'P30D', ...definitions };
    recorder.add(mappingStream(mappingId), { type: 'MappingCreated', data }, recorder.request(owner, 'analyst'));
  }
  if (life % 1000 === 500) {
    const data = { mappingId, name: `Mapping ${mappingId}`, description: 'reviewed' };
    recorder.add(mappingStream(mappingId), { type: 'MappingHeaderChanged', data }, recorder.request('anna', 'admin'));
    const configured = { type: 'ExportConfigured', data: { maxDurationSeconds: 600 + life } } as const;
    recorder.add(CONFIG_STREAM, configured, recorder.request('olivia', 'ops'));
  }
  if (life % 40 === 9) {
    const run = {
      jobName: 'lifecycle' as const,
      trigger: null,
      triggeredBy: null,
      startedAt: new Date(0).toISOString(),
    };
    const data = { ...run, errorCode: 'SERVICE_UNAVAILABLE', errorMessage: 'The object store does not answer.' };
    const caller = recorder.request('system:lifecycle', 'system');
    recorder.add(jobStream('lifecycle'), { type: 'JobRunFailed', data }, caller);
  }
};

/** Owners delete most; every tenth is deleted by one of few runs of a job, each of which deletes many. */
const endOf = (life: number, owner: string) => (recorder: LifeRecorder) => {
  if (life % 10 !== 3)
    return recorder.request(life % 500 === 1 ? 'anna' : owner, life % 500 === 1 ? 'admin' : 'analyst');
  const request = `00000000-0000-7000-8000-${String(Math.floor(life / 1000)).padStart(12, '0')}`;
  return { actor: 'system:lifecycle', role: 'system', request };
};

/** Reproducible numbers from 0 to 1 (mulberry32). */
const randomNumbers = (seed: number) => (): number => {
  seed = (seed + 0x6d2b79f5) | 0;
  let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed);
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
};

/** UUIDs of version 7: in the order of time, random after it. */
const idsOf =
  (random: () => number) =>
  (at: number): string => {
    const time = at.toString(16).padStart(12, '0');
    const digits = (count: number): string =>
      Math.floor(random() * 16 ** count)
        .toString(16)
        .padStart(count, '0');
    return `${time.slice(0, 8)}-${time.slice(8)}-7${digits(3)}-8${digits(3)}-${digits(6)}${digits(6)}`;
  };
