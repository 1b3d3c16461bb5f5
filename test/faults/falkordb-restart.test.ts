import { falkordb } from '../pod/graph/support/falkordb';
import { loadedEngine, scratchDirectory } from '../pod/graph/support/loaded-engine';
import { peopleWhoKnow } from '../pod/graph/support/people-who-know';
import { createSnapshot, mappingOf } from '../pod/graph/support/snapshot';
import { waitFor } from '../support/wait-for';

const PEOPLE = 200_000;

test('FalkorDB recovers every node, every edge and the index on the keys when it is killed right after the load', async () => {
  const snapshot = await createSnapshot();
  const directory = await scratchDirectory();
  await snapshot.export('nodes/Person', `SELECT i AS id, 'Zoë ' || i AS name FROM range(${PEOPLE}) AS t(i)`);
  await snapshot.export(
    'edges/KNOWS',
    `SELECT i AS a, (i * 7919) % ${PEOPLE} AS b, i % 100 AS since FROM range(${PEOPLE}) AS t(i)`,
  );
  const loaded = await loadedEngine(falkordb(directory), mappingOf(snapshot, peopleWhoKnow), snapshot, directory);
  try {
    const [server] = loaded.engine.processIds();
    process.kill(server!, 'SIGKILL');
    await waitFor('the engine answers again', async () => {
      const answer = await loaded.engine.query({ text: 'RETURN 1', parameters: {}, timeoutMs: 5_000 });
      return answer._tag === 'Right';
    });
    expect(loaded.engine.processIds()).not.toEqual([server]);
    expect(await loaded.rows('MATCH (p:Person) RETURN count(p), count(DISTINCT p.name)')).toEqual([[PEOPLE, PEOPLE]]);
    expect(await loaded.rows('MATCH (a)-[k:KNOWS]->(b) RETURN count(k), sum(k.since), sum(b.id)')).toEqual([
      [PEOPLE, (PEOPLE * 99) / 2, (PEOPLE * (PEOPLE - 1)) / 2],
    ]);
    await waitFor('a lookup by key uses the index', async () =>
      JSON.stringify(await loaded.rows('EXPLAIN MATCH (p:Person {id: 7}) RETURN p')).includes('Node By Index Scan'),
    );
    expect(await loaded.rows('MATCH (p:Person {id: 7}) RETURN p.name')).toEqual([['Zoë 7']]);
  } finally {
    await loaded.end();
    await snapshot.remove();
  }
});
