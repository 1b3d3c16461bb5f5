import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import * as t from 'io-ts';
import { packageRoot } from '../../../adapters/system/package-root';
import { processIdentity } from '../../../adapters/system/process-table';
import { expectRight } from '../../support/given-when-then';
import { bySize } from '../../support/proof-size';

const TAKER = join(packageRoot, 'test', 'support', 'programs', 'folder-taker.cjs');
const ROUNDS = bySize({ sample: 12, full: 60 });
const CONTENDERS = 6;
/** The time until all contenders have received the start of a round. */
const BARRIER_MS = 20;

/** What `message` events carry: the message, and a handle that is not sent. */
const Answer = t.tuple([t.strict({ refusal: t.union([t.string, t.null]) }), t.unknown]);

interface Round {
  readonly winners: readonly ChildProcess[];
  readonly refusals: readonly string[];
}

let folder: string;
let contenders: ChildProcess[];

const startContender = async (): Promise<ChildProcess> => {
  const child = fork(TAKER, { env: { ...process.env, DIST: join(packageRoot, 'dist') }, stdio: 'inherit' });
  await once(child, 'message');
  return child;
};
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rowgraph-data-folder-'));
  contenders = await Promise.all(Array.from({ length: CONTENDERS }, startContender));
});
afterAll(async () => {
  await Promise.all(contenders.map((child) => (child.disconnect(), once(child, 'exit'))));
  await rm(folder, { recursive: true, force: true });
});

/** All contenders try to acquire a folder at the same moment. */
const contend = async (directory: string): Promise<Round> => {
  const at = Date.now() + BARRIER_MS;
  const answers = contenders.map(async (child) => {
    const answer = once(child, 'message');
    child.send({ take: directory, at });
    const [{ refusal }] = expectRight(Answer.decode(await answer));
    return { child, refusal };
  });
  const all = await Promise.all(answers);
  return {
    winners: all.filter(({ refusal }) => refusal === null).map(({ child }) => child),
    refusals: all.flatMap(({ refusal }) => refusal ?? []),
  };
};

/** Checks that exactly one has acquired the folder, and that the refusals of all others name its process. */
const theWinnerOf = ({ winners, refusals }: Round, directory: string): ChildProcess => {
  const [winner] = winners;
  expect(winners.map(({ pid }) => pid)).toEqual([winner?.pid]);
  const words = `${directory} is in use by a running rowgraph (process ${winner?.pid} on ${hostname()}). `;
  expect(refusals.map((refusal) => refusal.slice(0, words.length))).toEqual(Array(CONTENDERS - 1).fill(words));
  if (winner === undefined) throw new Error('Nobody has won.');
  return winner;
};

const release = async (winner: ChildProcess): Promise<void> => {
  const released = once(winner, 'message');
  winner.send('release');
  await released;
};

it('is acquired by one of several simultaneous starts, and removed at the release when it is empty', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const directory = join(folder, 'around', 'new');
    await release(theWinnerOf(await contend(directory), directory));
  }
});

it('is acquired by one of them after its last owner was killed', async () => {
  const directory = join(folder, 'kept');
  await mkdir(directory);
  for (let round = 0; round < ROUNDS; round++) {
    const winner = theWinnerOf(await contend(directory), directory);
    const gone = once(winner, 'exit');
    winner.kill('SIGKILL');
    await gone;
    contenders = [...contenders.filter((child) => child !== winner), await startContender()];
  }
});

describe('with the lock file of an ended process', () => {
  const start = processIdentity(process.pid)?.startTime ?? '';
  it.each([
    ['that is not there', `2147483647 ${hostname()} ${start}`],
    ['whose number another process has now', `${process.pid} ${hostname()} ${start.replace(/\S+ /, 'another-boot ')}`],
    ['of another container', `${process.pid} another-container ${start}`],
    ['of version 0.1.0', `${process.pid} ${start}`],
    ['that was killed before it named itself', ''],
    ['whose disk has lost what it wrote', '\0'.repeat(4096)],
  ])('%s, it is acquired by exactly one', async (_which, left) => {
    const directory = join(folder, 'left');
    for (let round = 0; round < ROUNDS / 6; round++) {
      await mkdir(directory, { recursive: true });
      await writeFile(join(directory, 'rowgraph.lock'), left);
      await writeFile(join(directory, 'something'), '');
      await release(theWinnerOf(await contend(directory), directory));
      expect((await readdir(directory)).sort()).toEqual(['rowgraph.lock', 'something']);
      expect(await readFile(join(directory, 'rowgraph.lock'), 'utf8')).toBe('');
    }
  });
});
