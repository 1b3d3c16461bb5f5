import { rm } from 'node:fs/promises';
import { isLeft } from 'fp-ts/Either';
import { FALKORDB_CURES } from '../../../../../pod/graph/engine/falkordb/language';
import { type GraphEngine } from '../../../../../pod/graph/engine/graph-engine';
import { falkordb } from '../../support/falkordb';
import { right, scratchDirectory } from '../../support/loaded-engine';
import { createInFalkordb } from '../../support/quirk-graph';
import { DEMONSTRATIONS } from './quirk-demonstrations';

describe('the quirks of FalkorDB', () => {
  let directory: string;
  let engine: GraphEngine;

  beforeAll(async () => {
    directory = await scratchDirectory();
    engine = falkordb(directory);
  });

  afterAll(async () => {
    await engine.close();
    await rm(directory, { recursive: true, force: true });
  });

  test('each cure is demonstrated, in the order of the cures', () => {
    expect([...new Set(Object.values(DEMONSTRATIONS).map(({ cure }) => cure))]).toEqual(FALKORDB_CURES);
  });

  test.each(Object.entries(DEMONSTRATIONS))(
    '%s The instance corrects it',
    async (_, { graph, query, parameters = {}, right: expected, wrong }) => {
      right(await engine.start());
      const bare = await createInFalkordb(engine, graph);
      const found = await bare.read(query, parameters);
      bare.close();
      expect(typeof found === 'string' ? 'error' : found).toEqual(wrong);
      expect(wrong).not.toEqual(expected);

      const answer = await engine.query({ text: query, parameters, timeoutMs: 20_000 });
      if (isLeft(answer)) {
        expect(answer.left).toMatchObject({ kind: 'rejected', position: { line: 1 } });
      } else if (answer.right.warnings === undefined) {
        expect(JSON.parse(answer.right.rowsJson)).toEqual(expected);
      }
    },
  );
});
