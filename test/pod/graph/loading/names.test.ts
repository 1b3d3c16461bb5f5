import { join } from 'node:path';
import { waitFor } from '../../../support/wait-for';
import { engineOfKind, KINDS } from '../support/engine-of-kind';
import { type LoadedEngine, loadedEngine, right, scratchDirectory } from '../support/loaded-engine';
import { createSnapshot, mappingOf, type Snapshot, writeParquet } from '../support/snapshot';

/** Property names with a meaning for an engine. */
const WORDS = `from to id label labels src dst offset key value length nodes rels type index table rel group all any
  exists case end as on in is not null true false and or xor contains starts distinct optional unwind merge detach drop
  alter copy load export import install attach use begin commit primary unique column default row_offset date uuid map
  struct list profile explain property properties count sum`.split(/\s+/);

const number = (name: string) => ({ name, type: 'INT64' }) as const;
const node = (label: string, words: readonly string[]) => ({
  label,
  primary_key: number('Id'),
  properties: words.map(number),
});
const edge = (type: string, from_node: string, to_node: string, words: readonly string[]) => ({
  type,
  from_node,
  to_node,
  from_key: 'a',
  to_key: 'b',
  properties: words.map(number),
});
const nodeWords = WORDS.filter((word) => word !== 'id');
const definitions = {
  node_definitions: [node('Person', []), node('person', ['age']), node('KNOWS', ['Age']), node('Word', nodeWords)],
  edge_definitions: [edge('KNOWS', 'Person', 'person', ['from', 'TO']), edge('PERSON', 'KNOWS', 'Person', []), edge('WORD', 'Word', 'Word', WORDS)], // prettier-ignore
};
const row = (keys: readonly string[], words: readonly string[]): string =>
  `SELECT ${[...keys.map((key) => `1::BIGINT AS ${key}`), ...words.map((word, at) => `${at}::BIGINT AS "${word}"`)].join(', ')}`;
const values = (words: readonly string[]) => Object.fromEntries(words.map((word, at) => [word, at]));

describe.each(KINDS)('names in %s', (kind) => {
  let snapshot: Snapshot;
  let loaded: LoadedEngine;
  let directory: string;

  beforeAll(async () => {
    snapshot = await createSnapshot();
    await snapshot.export('nodes/Person', 'SELECT i::BIGINT AS "Id" FROM (VALUES (1), (2)) AS t(i)');
    await snapshot.export('nodes/person', 'SELECT 1::BIGINT AS "Id", 36::BIGINT AS age');
    await snapshot.export('nodes/KNOWS', 'SELECT i::BIGINT AS "Id", i::BIGINT AS "Age" FROM range(3) AS t(i)');
    await snapshot.export('nodes/Word', row(['"Id"'], nodeWords));
    await snapshot.export('edges/KNOWS', row(['a', 'b'], ['from', 'TO']));
    await snapshot.export('edges/PERSON', 'SELECT i::BIGINT AS a, 2::BIGINT AS b FROM range(2) AS t(i)');
    await snapshot.export('edges/WORD', row(['a', 'b'], WORDS));
    directory = await scratchDirectory();
    loaded = await loadedEngine(engineOfKind(kind, directory), mappingOf(snapshot, definitions), snapshot, directory);
  });

  afterAll(async () => {
    await loaded.end();
    await snapshot.remove();
  });

  const whatIsThere = async () => {
    const { rows } = loaded;
    expect(await rows(`MATCH (n) RETURN labels(n)[0] AS l, count(*) ORDER BY l`)).toEqual([
      ['KNOWS', 3],
      ['Person', 2],
      ['Word', 1],
      ['person', 1],
    ]);
    expect(await rows(`MATCH ()-[n]->() RETURN type(n) AS l, count(*) ORDER BY l`)).toEqual([
      ['KNOWS', 1],
      ['PERSON', 2],
      ['WORD', 1],
    ]);
    expect(await rows('MATCH (n:Person) RETURN n ORDER BY n.Id')).toEqual([
      [{ _id: 'Person:1', _label: 'Person', Id: 1 }],
      [{ _id: 'Person:2', _label: 'Person', Id: 2 }],
    ]);
    const person = { _id: 'person:1', _label: 'person', Id: 1, age: 36 };
    expect(await rows('MATCH (n:`person`) RETURN n')).toEqual([[person]]);
    const ends = { _start: 'Person:1', _end: 'person:1', _src: 'Person:1', _dst: 'person:1' };
    const knows = { _id: expect.any(String) as string, _type: 'KNOWS', ...ends, from: 0, TO: 1 };
    expect(await rows('MATCH (:Person)-[k:KNOWS {`from`: 0}]->(p:person) RETURN k, k.`TO`, p')).toEqual([[knows, 1, person]]); // prettier-ignore
    expect(await rows('MATCH (n:KNOWS)-[:PERSON|KNOWS]->(:Person) RETURN n.Id, n.Age ORDER BY n.Id')).toEqual([
      [0, 0],
      [1, 1],
    ]);
    expect(await rows(`WITH 2 AS KNOWS RETURN [5, 6][0..KNOWS], {PERSON: KNOWS}`)).toEqual([[[5, 6], { PERSON: 2 }]]);
    expect(await rows('MATCH (a:Person)-[:PERSON|KNOWS*1..2]-(b:KNOWS) RETURN a.Id, count(b)')).toEqual([[2, 2]]);
  };

  test('labels that differ only in case, and types named like labels, are returned under their own names', async () => {
    await whatIsThere();
    for (const processId of loaded.engine.processIds()) process.kill(processId, 'SIGKILL');
    await waitFor('the engine answers after the crash', async () => {
      const answer = await loaded.engine.query({ text: 'RETURN 1', parameters: {}, timeoutMs: 5_000 });
      return answer._tag === 'Right';
    });
    await whatIsThere();
  });

  test('a property has its name of the mapping, even when the engine reserves it', async () => {
    const { rows } = loaded;
    for (const [at, word] of nodeWords.entries()) {
      expect([word, await rows(`MATCH (n:Word) WHERE n.\`${word}\` = ${at} RETURN n.\`${word}\` AS x`)]).toEqual([word, [[at]]]); // prettier-ignore
    }
    expect(await rows('MATCH (n:Word) RETURN n')).toEqual([
      [{ _id: 'Word:1', _label: 'Word', Id: 1, ...values(nodeWords) }],
    ]);
    for (const [at, word] of WORDS.entries()) {
      expect([word, await rows(`MATCH ()-[r:WORD]->() WHERE r.\`${word}\` = ${at} RETURN r.\`${word}\` AS x`)]).toEqual([word, [[at]]]); // prettier-ignore
    }
    expect(await rows('MATCH ()-[r:WORD]->() RETURN r')).toEqual([[expect.objectContaining(values(WORDS))]]);
  });

  test('a result is stored at its label', async () => {
    const parquetFile = join(directory, 'rank.parquet');
    await writeParquet('SELECT 1::BIGINT AS key, 0.5::DOUBLE AS value', parquetFile);
    const property = { name: 'rank', declaredType: 'DOUBLE', type: { kind: 'scalar', name: 'DOUBLE' }, wholeMilliseconds: false } as const; // prettier-ignore
    expect(right(await loaded.engine.writeNodes({ label: 'person', property, parquetFile }))).toBe(1);
    expect(await loaded.rows('MATCH (n:person) RETURN n.rank, n.age')).toEqual([[0.5, 36]]);
    expect(await loaded.rows('MATCH (n:Person {Id: 1}) RETURN n')).toEqual([
      [{ _id: 'Person:1', _label: 'Person', Id: 1 }],
    ]);
  });
});
