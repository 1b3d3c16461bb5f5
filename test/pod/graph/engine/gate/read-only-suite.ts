import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isLeft, isRight } from 'fp-ts/Either';
import { type QueryVocabulary } from '../../../../../pod/graph/engine/cypher/gate';
import { type GraphEngine } from '../../../../../pod/graph/engine/graph-engine';
import { bySize } from '../../../../support/proof-size';
import { SEED } from '../../../../support/seed';
import { admitQuery } from '../../support/admit-query';
import { left, right } from '../../support/loaded-engine';
import { type EngineKind, type Outside, readCorpus, spellings, withOutside } from './corpus';
import { createStatementMaker } from './cypher-grammar';
import { canWatchSystemCalls, watchSystemCalls } from './system-calls';
import { SECRET, shown, type WatchedEngine, watchedEngine } from './watched-engine';

/** 100,000 with GATE_FUZZ_RUNS=100000. */
const FUZZ_RUNS = Number(process.env['GATE_FUZZ_RUNS'] ?? bySize({ sample: 2_000, full: 4_000 }));
/** The number of admitted statements that the engine runs. */
const FUZZ_SAMPLE = Math.max(bySize({ sample: 75, full: 150 }), FUZZ_RUNS / 100);

interface ReadOnlySubject {
  readonly create: (directory: string) => GraphEngine;
  readonly vocabulary: QueryVocabulary;
  /** Statements that show what the database contains besides nodes and edges. */
  readonly catalogue: readonly string[];
  /** For an engine that runs Cypher itself. */
  readonly unchecked: UncheckedRuns | null;
}

interface UncheckedRuns {
  /** Files that the engine itself may open while it answers. */
  readonly ownFiles: RegExp;
  /** Runs a statement without the gate; returns whether the engine rejected it. */
  readonly run: (engine: GraphEngine, text: string) => Promise<boolean>;
  /** A statement that passes the engine's own protection and has a visible effect. */
  readonly reachesOut: string;
}

const NOWHERE: Outside = { file: '/c/secret.csv', out: '/c/written', dir: '/c', url: 'https://127.0.0.1:1/x.csv' };

/** Checks for one kind of engine that its queries only read the graph, and that no reading query is rejected. */
export const readOnlySuite = (kind: EngineKind, subject: ReadOnlySubject): void => {
  const { vocabulary, unchecked } = subject;
  const attacks = readCorpus(kind, 'attacks', NOWHERE);
  const harmless = readCorpus(kind, 'harmless', NOWHERE);

  describe(`read-only queries of ${kind}`, () => {
    let watched: WatchedEngine;
    let before: string;

    beforeAll(async () => {
      watched = await watchedEngine(subject.create, subject.catalogue);
      before = await watched.fingerprint();
    });

    afterEach(async () => {
      expect(await watched.fingerprint()).toBe(before);
    });

    afterAll(() => watched.end());

    /** Runs a text that the gate admits, and checks the answer. */
    const runAdmitted = async (text: string) => {
      right(admitQuery(text, vocabulary));
      const answer = await watched.run(text);
      if (shown(answer).includes(SECRET)) throw new Error(`${JSON.stringify(text)} reads a file.`);
      return answer;
    };

    test('the corpus is large and has no duplicates', () => {
      expect(attacks.length).toBeGreaterThanOrEqual(300);
      expect(harmless.length).toBeGreaterThanOrEqual(300);
      expect(new Set([...attacks, ...harmless]).size).toBe(attacks.length + harmless.length);
    });

    test('every attack is rejected with its place, in any spelling', () => {
      const admitted: string[] = [];
      for (const text of attacks.flatMap(spellings)) {
        const verdict = admitQuery(text, vocabulary);
        if (isRight(verdict)) admitted.push(JSON.stringify(text));
        else
          expect([text, verdict.left]).toEqual([
            text,
            {
              message: expect.stringMatching(/./) as string,
              position: { line: expect.any(Number) as number, column: expect.any(Number) as number },
            },
          ]);
      }
      expect(admitted).toEqual([]);
    });

    test('a rejection names the writing word and its position', () => {
      const refusal = left(admitQuery('MATCH (n)\nWHERE n.é = "😀" SET n.age = 1', vocabulary));
      expect(refusal).toEqual({
        message: expect.stringContaining('SET writes, and the graph is read-only') as string,
        position: { line: 2, column: 17 },
      });
    });

    test('what only looks like an attack is accepted, in any spelling, and runs', async () => {
      const refused = harmless
        .flatMap(spellings)
        .filter((text) => isLeft(admitQuery(text, vocabulary)))
        .map((text) => JSON.stringify(text));
      expect(refused).toEqual([]);
      const failed: string[] = [];
      for (const text of harmless) {
        const answer = await runAdmitted(text);
        if (isLeft(answer)) failed.push(`${JSON.stringify(text)}: ${shown(answer)}`);
      }
      expect(failed).toEqual([]);
      expect(watched.connections()).toBe(0);
    });

    test('exactly those statements of a grammar are rejected that contain something forbidden', async () => {
      const make = createStatementMaker(kind, SEED);
      const sample: string[] = [];
      const wrong: string[] = [];
      let forbiddenOnes = 0;
      for (let run = 0; run < FUZZ_RUNS; run++) {
        const { text, forbidden } = make();
        if (forbidden) forbiddenOnes++;
        const verdict = admitQuery(text, vocabulary);
        if (isLeft(verdict) !== forbidden && wrong.length < 10) {
          wrong.push(`${isLeft(verdict) ? verdict.left.message : 'let through'}: ${JSON.stringify(text)}`);
        }
        if (!forbidden && sample.length < FUZZ_SAMPLE) sample.push(text);
      }
      expect(wrong).toEqual([]);
      expect(forbiddenOnes).toBeGreaterThan(FUZZ_RUNS / 4);
      for (const text of sample) await runAdmitted(text);
      expect(watched.connections()).toBe(0);
    });

    if (unchecked === null) return;

    test('the engine itself rejects writes without the gate', async () => {
      const writes = attacks.filter((text) => /writes, and/.test(left(admitQuery(text, vocabulary)).message));
      expect(writes.length).toBeGreaterThan(80);
      // Lines of FalkorDB's protocol inside a query are part of its text.
      const lines = ['RETURN 1\r\nFLUSHALL', 'RETURN 1\r\n*1\r\n$8\r\nFLUSHALL\r\n'];
      for (const text of [...writes.filter((write) => !/^EXPLAIN/i.test(write)), ...lines]) {
        const isRejected = await unchecked.run(watched.engine, text);
        if (!isRejected) throw new Error(`the engine ran ${JSON.stringify(text)}`);
      }
    });

    // Needs strace with permission to trace; the other tests check the graph, the files and the connections.
    (canWatchSystemCalls() ? test : test.skip)(
      'while it answers, the engine does not open, create or remove a file, or open a connection',
      async () => {
        const [pid = 0] = watched.engine.processIds();
        const trace = (name: string) =>
          watchSystemCalls(pid, join(tmpdir(), `rowgraph-${kind}-${name}-${process.pid}.strace`));
        const stop = await trace('quiet');
        for (const text of harmless.filter((_, index) => index % 3 === 0)) await runAdmitted(text);
        const calls = await stop();
        expect(calls.filter((line) => !unchecked.ownFiles.test(line))).toEqual([]);

        // What the trace shows without the gate.
        const stopAgain = await trace('loud');
        await unchecked.run(watched.engine, withOutside(unchecked.reachesOut, watched.outside));
        const seen = (await stopAgain()).filter((line) => !unchecked.ownFiles.test(line));
        expect(seen.join('\n')).toMatch(/secret\.csv|sin_port/);
      },
    );
  });
};
