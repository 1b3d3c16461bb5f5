import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Pool } from 'pg';
import { pagesOfFile } from '../../adapters/log-copy/log-file';
import { allProcesses } from '../../commands/processes/process-state';
import { allEvents } from '../../domain/events';
import { instance, instanceEvents } from '../../domain/instance';
import { type LoggedEvent } from '../../domain/kernel/canonical-event';
import { type EventCatalogue } from '../../domain/kernel/event-catalogue';
import { instancesProjection } from '../../projections/instances';
import { createTestPool } from '../support/create-test-pool';
import { expectRight } from '../support/given-when-then';
import { createTestDatabase, type TestDatabase } from '../support/postgres';
import { linesOf, partingOf } from './recorded-replay';
import { replayLog } from './replay-log';

const RECORD = '.replay.ndjson';
const LOGS = readdirSync(__dirname)
  .filter((file) => file.endsWith('.ndjson') && !file.endsWith(RECORD))
  .map((file) => file.slice(0, -'.ndjson'.length));
/** Facts of events that the present code cannot read or apply; they are never recorded. */
const UNREADABLE = /^(undecodable|failure of .*)$/;
/** Set: replays are recorded with this reason, in place of a comparison. */
const reason = process.env['RECORD_REASON'];

const readLog = async (name: string): Promise<readonly LoggedEvent[]> => {
  const events: LoggedEvent[] = [];
  for await (const page of pagesOfFile(join(__dirname, `${name}.ndjson`))) events.push(...expectRight(page));
  return events;
};

const fileOf = (name: string): string => join(__dirname, `${name}${RECORD}`);
/** The lines after the reason; none before a log is recorded for the first time. */
const readRecord = (name: string): readonly string[] =>
  existsSync(fileOf(name)) ? readFileSync(fileOf(name), 'utf8').split('\n').slice(1, -1) : [];

let database: TestDatabase;
let pool: Pool;
beforeAll(async () => {
  database = await createTestDatabase();
  pool = createTestPool({ connectionString: database.connectionString, max: 4 });
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

it.each(LOGS)('%s replays as recorded; `npm run record-logs -- --reason "…"` records it anew', async (name) => {
  const replayed = await replayLog(pool, await readLog(name));
  expect(replayed.events.filter(({ facts }) => Object.keys(facts).some((fact) => UNREADABLE.test(fact)))).toEqual([]);
  const parting = partingOf(replayed, readRecord(name));
  if (reason === undefined) expect(parting).toBeNull();
  else if (parting !== null) {
    writeFileSync(fileOf(name), [JSON.stringify({ reason }), ...linesOf(replayed), ''].join('\n'));
  }
});

it('the recorded logs contain every type of event, and each older version that is upcast', async () => {
  const logs = await Promise.all(LOGS.map(readLog));
  const recorded = new Set(logs.flat().flatMap(({ type, schemaVersion }) => [type, `${type} v${schemaVersion}`]));
  const specs: EventCatalogue = allEvents;
  const expected = Object.entries(specs).flatMap(([type, { upcasts }]) => [
    type,
    ...Object.keys(upcasts).map((version) => `${type} v${version}`),
  ]);
  expect(expected.filter((one) => !recorded.has(one))).toEqual([]);
});

describe('the replay of a log by altered code', () => {
  const demo = 'demo';
  const parting = async (events?: readonly LoggedEvent[], name = demo): Promise<string | null> =>
    partingOf(await replayLog(pool, events ?? (await readLog(name))), readRecord(name));
  afterEach(() => jest.restoreAllMocks());

  it('names the event whose state a decider folds otherwise', async () => {
    const { evolve } = instance;
    jest.spyOn(instance, 'evolve').mockImplementation((state, event) => {
      const next = evolve(state, event);
      return event.type === 'InstanceRunning' && next !== null ? { ...next, status: 'starting' } : next;
    });
    expect(await parting()).toMatch(/^instance-1@2 InstanceRunning \([0-9a-f-]{36}\)\nstate: .*"status":"starting"/);
  });

  it('names the event whose rows a projection writes otherwise', async () => {
    const { InstanceRunning: handler } = instancesProjection.on;
    jest.replaceProperty(instancesProjection, 'on', {
      ...instancesProjection.on,
      InstanceRunning: (event, tables) =>
        handler?.({ ...event, data: { ...event.data, nodeCount: 7 } }, tables) ?? Promise.resolve(),
    });
    expect(await parting()).toMatch(/^instance-1@2 InstanceRunning .*\nrows of instances: (.|\n)*"node_count": 7/);
  });

  it('names the input on which a process decides otherwise', async () => {
    const [startup] = allProcesses;
    if (startup === undefined) throw new Error('There are no processes.');
    const { decide } = startup;
    jest
      .spyOn(startup, 'decide')
      .mockImplementation((state, input, context) =>
        input.type === 'SnapshotReady' ? [] : decide(state, input, context),
      );
    expect(await parting()).toMatch(
      /^process_instance_startup-1@\d+ ProcessInputReceived .*\ndecision: nothing\n {2}recorded: cancel_timer timerId=snapshot; StartInstance /,
    );
  });

  it('names the event that a process no longer receives', async () => {
    const [startup] = allProcesses;
    if (startup === undefined) throw new Error('There are no processes.');
    jest.replaceProperty(startup, 'listensTo', ['SlotReserved']);
    expect(await parting()).toMatch(/^instance-1@0 InstanceRequested .*\nreceivers: none/);
  });

  it('names the event that an upcast no longer makes readable', async () => {
    jest.replaceProperty(instanceEvents.InstanceRestarting, 'upcasts', { 4: () => ({ loadingCrash: null }) });
    expect(await parting(undefined, 'troubled-lives-before-causes')).toMatch(
      /^instance-\d+@\d+ InstanceRestarting (.|\n)*undecodable: InstanceRestarting v4 .* does not match its schema/,
    );
  });

  it('names the event of a log that was altered, and the end of one that was cut off', async () => {
    const events = await readLog(demo);
    const altered = events.map((event) =>
      event.type === 'MappingCreated' ? { ...event, data: { ...(event.data as object), name: 'Other' } } : event,
    );
    expect(await parting(altered)).toMatch(/^mapping-1@0 MappingCreated .*\n(state|rows of mappings): .*Other/);
    expect(await parting(events.slice(0, 5))).toMatch(/^Replayed: \{"stream":"user_bootstrap-cluster"/);
  });
});
