import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isLeft } from 'fp-ts/Either';
import { type GraphProperty } from '../../../../../pod/graph/engine/graph-schema';
import { startKuzuProcess, type KuzuProcess } from '../../../../../pod/graph/engine/kuzu/process/kuzu-process';
import { left, right, scratchDirectory } from '../../support/loaded-engine';

const property = (name: string, type: string): GraphProperty => ({
  name,
  declaredType: type,
  type: { kind: 'scalar', name: type },
  wholeMilliseconds: false,
});
const SCHEMA = {
  nodeTables: [{ label: 'City', primaryKey: property('id', 'INT64'), properties: [property('title', 'STRING')] }],
  edgeTables: [],
};

/** The gate lets no writing text reach the process, which rejects such texts all the same. */
describe('the process of the engine, with texts sent unchanged', () => {
  let directory: string;
  let process: KuzuProcess;

  beforeAll(async () => {
    directory = await scratchDirectory();
    process = right(startKuzuProcess());
    const path = join(directory, 'graph.kuzu');
    right(await process.call('open', { path, bufferPoolBytes: 2 ** 26, threads: 2, schema: SCHEMA }));
    right(await process.call('createSchema', SCHEMA));
  });

  afterAll(async () => {
    process.kill();
    await process.ended;
    await rm(directory, { recursive: true, force: true });
  });

  const send = async (text: string) =>
    right(
      await process.call('query', {
        text,
        titles: [],
        plan: new Map(),
        parameters: {},
        skipsBlocks: true,
        timeoutMs: 20_000,
      }),
    );
  const refusesWrites = async () => {
    for (const text of ['CREATE (:City {id: 9})', 'MATCH (n:City) SET n.title = "" RETURN n']) {
      expect(left(await send(text))).toMatchObject({
        message: expect.stringContaining('read-only transaction') as string,
      });
    }
    expect(right(await send('MATCH (n:City) RETURN count(*)')).rowsJson).toBe('[[0]]');
  };

  test.each(['RETURN 1; ROLLBACK; CREATE (:City {id: 9})', 'RETURN 1; COMMIT; CREATE (:City {id: 9}); RETURN 1'])(
    'rejects several statements before the first of them runs: %s',
    async (text) => {
      expect(left(await send(text))).toMatchObject({ message: expect.stringContaining('multiple') as string });
      await refusesWrites();
    },
  );

  test.each([
    'MATCH (n:Nobody) RETURN n',
    'RETURN CAST("x" AS INT64)',
    'RETURN',
    'UNWIND range(1, 9) AS x RETURN 1 / (x - 5)',
  ])('starts another read-only transaction after a failure: %s', async (wrong) => {
    expect(isLeft(await send(wrong))).toBe(true);
    await refusesWrites();
  });
});
