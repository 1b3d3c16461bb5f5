import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { openConnection } from '../../../../../pod/graph/engine/falkordb/connection';
import { waitFor } from '../../../../support/wait-for';
import { falkordb } from '../../support/falkordb';
import { left, type LoadedEngine, loadedEngine, right, scratchDirectory } from '../../support/loaded-engine';
import { createSnapshot, mappingOf, type Snapshot, writeParquet } from '../../support/snapshot';

const PEOPLE = 20_000;
const ROUNDS = 8;

const property = {
  name: 'rank',
  declaredType: 'DOUBLE',
  type: { kind: 'scalar', name: 'DOUBLE' },
  wholeMilliseconds: false,
} as const;

describe('values written to the nodes of FalkorDB', () => {
  let snapshot: Snapshot;
  let directory: string;
  let loaded: LoadedEngine;
  let server: number;

  beforeAll(async () => {
    snapshot = await createSnapshot();
    directory = await scratchDirectory();
    await snapshot.export('nodes/Person', `SELECT i AS id FROM range(${PEOPLE}) AS t(i)`);
    await snapshot.export('edges/KNOWS', `SELECT i AS a, (i * 7919) % ${PEOPLE} AS b FROM range(${PEOPLE}) AS t(i)`);
    const mapping = mappingOf(snapshot, {
      node_definitions: [{ label: 'Person', primary_key: { name: 'id', type: 'INT64' }, properties: [] }],
      edge_definitions: [
        { type: 'KNOWS', from_node: 'Person', to_node: 'Person', from_key: 'a', to_key: 'b', properties: [] },
      ],
    });
    loaded = await loadedEngine(falkordb(directory), mapping, snapshot, directory);
    [server] = loaded.engine.processIds() as [number];
  });

  afterAll(async () => {
    await loaded.end();
    await snapshot.remove();
  });

  /** Writes the same number to all nodes. */
  const write = async (value: number) => {
    const parquetFile = join(directory, 'values.parquet');
    await writeParquet(`SELECT i AS key, ${value}::DOUBLE AS value FROM range(${PEOPLE}) AS t(i)`, parquetFile);
    return loaded.engine.writeNodes({ label: 'Person', property, parquetFile });
  };
  const lowestAndHighest = () => loaded.rows('MATCH (p:Person) RETURN min(p.rank), max(p.rank), count(p.rank)');

  test('names that the server learned meanwhile are read before the answer', async () => {
    const other = await openConnection(`/proc/${server}/cwd/engine.sock`);
    right(await other.send(['GRAPH.QUERY', 'graph', 'MATCH (p:Person {id: 7}) SET p.later = 1']));
    other.close();
    const text = 'MATCH (p:Person) WHERE p.id < 9 RETURN properties(p).later ORDER BY p.id';
    expect((await loaded.rows(text)).flat()).toEqual([null, null, null, null, null, null, null, 1, null]);
    const whole = 'MATCH (p:Person) WHERE p.id < 9 RETURN p ORDER BY p.id';
    expect((await loaded.rows(whole)).map(([person]) => (person as { id: number }).id)).toEqual([...Array(9).keys()]);
  });

  test('are saved while the server has another save running, repeatedly, next to queries', async () => {
    const other = await openConnection(`/proc/${server}/cwd/engine.sock`);
    const lookups = { answered: 0, stop: false };
    const lookUp = async (): Promise<void> => {
      for (let id = 0; !lookups.stop; id = (id + 7919) % PEOPLE) {
        expect(await loaded.rows('MATCH (p:Person {id: $id}) RETURN p.id', { id })).toEqual([[id]]);
        lookups.answered += 1;
      }
    };
    const looking = Promise.all([lookUp(), lookUp()]);
    for (let round = 1; round <= ROUNDS; round++) {
      right(await other.send(['BGREWRITEAOF']));
      const before = lookups.answered;
      expect(right(await write(round))).toBe(PEOPLE);
      expect(lookups.answered).toBeGreaterThan(before + 1);
    }
    lookups.stop = true;
    await looking;
    other.close();
    expect(loaded.engine.processIds()).toEqual([server]);
    expect(await lowestAndHighest()).toEqual([[ROUNDS, ROUNDS, PEOPLE]]);
  });

  test('are saved as soon as possible, a failure is reported, and the server keeps running', async () => {
    const file = join(directory, 'engine', 'graph.rdb');
    await rename(file, `${file}.kept`);
    await mkdir(join(file, 'in the way'), { recursive: true });
    expect(left(await write(100))).toMatchObject({ reason: expect.stringContaining('could not be saved') as string });
    const again = write(101);
    await waitFor('the nodes have the values', async () => JSON.stringify(await lowestAndHighest()).includes('[101,'));
    await rm(file, { recursive: true });
    expect(right(await again)).toBe(PEOPLE);
    expect(loaded.engine.processIds()).toEqual([server]);
  });

  test('are restored after the server was killed', async () => {
    process.kill(server, 'SIGKILL');
    await waitFor('the engine answers again', async () => {
      const answer = await loaded.engine.query({ text: 'RETURN 1', parameters: {}, timeoutMs: 5_000 });
      return answer._tag === 'Right' && loaded.engine.processIds()[0] !== server;
    });
    expect(await lowestAndHighest()).toEqual([[101, 101, PEOPLE]]);
  });
});
