import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { KuzuEngine } from '../../../../../pod/graph/engine/kuzu/kuzu-engine';
import { waitFor } from '../../../../support/wait-for';
import { loadedEngine, right, scratchDirectory, type LoadedEngine } from '../../support/loaded-engine';
import { createSnapshot, mappingOf, type Snapshot, writeParquet } from '../../support/snapshot';

const PEOPLE = 20_000;
/** A write adds more than this to the engine's log. */
const CHARACTERS = 100;
const WRITTEN_BYTES = PEOPLE * CHARACTERS;

const property = {
  name: 'note',
  declaredType: 'STRING',
  type: { kind: 'scalar', name: 'STRING' },
  wholeMilliseconds: false,
} as const;

const EVERYBODY = { text: 'MATCH (a:Person) RETURN a.id', parameters: {}, timeoutMs: 60_000 };

describe('values written to the nodes of Kuzu', () => {
  let snapshot: Snapshot;
  let directory: string;
  let loaded: LoadedEngine;

  beforeAll(async () => {
    snapshot = await createSnapshot();
    directory = await scratchDirectory();
    await snapshot.export('nodes/Person', `SELECT i AS id FROM range(${PEOPLE}) AS t(i)`);
    const mapping = mappingOf(snapshot, {
      node_definitions: [{ label: 'Person', primary_key: { name: 'id', type: 'INT64' }, properties: [] }],
      edge_definitions: [],
    });
    const engine = new KuzuEngine({ directory, memoryBytes: 2 ** 30, cpuCores: 2, onCrash: () => undefined });
    loaded = await loadedEngine(engine, mapping, snapshot, directory);
  });
  afterAll(async () => {
    await loaded.end();
    await snapshot.remove();
  });

  /** Writes a long text that starts with the number to all nodes. */
  const write = async (number: number): Promise<void> => {
    const parquetFile = join(directory, 'values.parquet');
    const text = `'${number} ' || i || repeat('x', ${CHARACTERS})`;
    await writeParquet(`SELECT i AS key, ${text} AS value FROM range(${PEOPLE}) AS t(i)`, parquetFile);
    expect(right(await loaded.engine.writeNodes({ label: 'Person', property, parquetFile }))).toBe(PEOPLE);
  };
  const logBytes = async (): Promise<number> =>
    (await stat(join(directory, 'graph.kuzu.wal')).catch(() => ({ size: 0 }))).size;
  const written = (number: number) =>
    loaded.rows('MATCH (p:Person) WHERE p.note STARTS WITH $begin RETURN count(p)', { begin: `${number} ` });

  test('leave nothing in its log, even with concurrent lookups', async () => {
    let isOver = false;
    const lookUp = async (): Promise<void> => {
      for (let id = 0; !isOver; id = (id + 7919) % PEOPLE) {
        expect(await loaded.rows('MATCH (p:Person {id: $id}) RETURN p.id', { id })).toEqual([[id]]);
      }
    };
    const looking = Promise.all([lookUp(), lookUp()]);
    for (let number = 1; number <= 5; number += 1) {
      await write(number);
      expect(await logBytes()).toBeLessThan(WRITTEN_BYTES);
    }
    isOver = true;
    await looking;
    expect(await written(5)).toEqual([[PEOPLE]]);
  });

  test('do not wait for an export that is read slowly, and leave the log with the next write after it', async () => {
    const rows = right(await loaded.engine.exportRows(EVERYBODY, 'csv'));
    for (const number of [10, 11]) await write(number);
    expect(await logBytes()).toBeGreaterThan(2 * WRITTEN_BYTES);
    await rows.return();
    await write(12);
    expect(await logBytes()).toBeLessThan(WRITTEN_BYTES);
    expect(await written(12)).toEqual([[PEOPLE]]);
  });

  test('are restored after the engine was killed, and can be replaced', async () => {
    const rows = right(await loaded.engine.exportRows(EVERYBODY, 'csv'));
    for (const number of [17, 18, 19, 20]) await write(number);
    expect(await logBytes()).toBeGreaterThan(4 * WRITTEN_BYTES);
    const [engine] = loaded.engine.processIds();
    process.kill(engine!, 'SIGKILL');
    await waitFor('the engine answers again', async () => {
      const answer = await loaded.engine.query({ text: 'RETURN 1', parameters: {}, timeoutMs: 5_000 });
      return answer._tag === 'Right' && loaded.engine.processIds()[0] !== engine;
    });
    expect(await written(20)).toEqual([[PEOPLE]]);
    expect(await logBytes()).toBeLessThan(WRITTEN_BYTES);
    await rows.return().catch(() => undefined);
    await write(21);
    expect(await written(21)).toEqual([[PEOPLE]]);
  });
});
