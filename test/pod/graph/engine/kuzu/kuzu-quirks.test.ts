import { isLeft } from 'fp-ts/Either';
import { KuzuEngine } from '../../../../../pod/graph/engine/kuzu/kuzu-engine';
import { KUZU_QUIRKS } from '../../../../../pod/graph/engine/kuzu/language';
import { type EngineParameters } from '../../../../../pod/graph/engine/kuzu/query/parameters';
import { loadCreate } from '../../support/load-create';
import { scratchDirectory } from '../../support/loaded-engine';
import { askUnchecked } from '../../support/unchecked-kuzu';

describe('the quirks of Kuzu', () => {
  const ends: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const end of ends.splice(0)) await end();
  });

  test('each has its own id', () => {
    expect(new Set(KUZU_QUIRKS.map(({ id }) => id)).size).toBe(KUZU_QUIRKS.length);
  });

  test.each(KUZU_QUIRKS.map((quirk) => [quirk.id, quirk.shown] as const))(
    '%s occurs on the engine alone, and is corrected',
    async (_, { graph, query, parameters = {}, right: expected, wrong }) => {
      const directory = await scratchDirectory();
      const engine = new KuzuEngine({ directory, memoryBytes: 2 ** 30, cpuCores: 2, onCrash: () => undefined });
      const loaded = await loadCreate(engine, graph, directory);
      ends.push(loaded.end);
      expect(await askUnchecked(engine, query, parameters as EngineParameters)).toEqual(wrong);
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
