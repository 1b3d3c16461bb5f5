import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { left } from 'fp-ts/Either';
import { copyLog } from '../../../adapters/log-copy/copy-log';
import { pagesOfFile, verifyLogFile, writeLogFile } from '../../../adapters/log-copy/log-file';
import { pagesOf } from '../../../adapters/log-copy/log-pages';
import { sha256 } from '../../../adapters/system/sha256';
import { createRandom } from '../../../pod/graph/algorithms/graph/random';
import { verifySeals } from '../../../projections/verify';
import { newEvents, succeeded } from '../../contracts/event-store/event-samples';
import { createProjectionFixture } from '../../projections/projection-fixture';
import { sealLog } from '../../support/seal-log';
import { contentOf, emptyLog, fillLog } from './sample-log';

const source = emptyLog();
let folder: string;
let file: string;
beforeAll(() => fillLog(source, 400, createRandom(11)));
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rowgraph-log-file-'));
  file = join(folder, 'log.ndjson');
});
afterEach(() => rm(folder, { recursive: true }));

const write = () => writeLogFile(file, 'log-1', pagesOf('the source', source));
const read = async () => {
  const target = emptyLog();
  const copied = await copyLog({ source: pagesOfFile(file), target, names: { source: file, target: 'the target' } });
  return { copied, target };
};
const failure = (words: string) => ({ left: { message: expect.stringContaining(words) as string } });

it('the seals of a log are valid after an export and an import into PostgreSQL', async () => {
  const sealed = emptyLog();
  await fillLog(sealed, 100, createRandom(12));
  const hash = (await sealLog(sealed)) ?? '';
  succeeded(await sealed.append('user-1', 'no_stream', newEvents(2)));
  succeeded(await writeLogFile(file, 'log-1', pagesOf('the source', sealed)));
  const fixture = await createProjectionFixture();
  const names = { source: file, target: 'the target' };
  succeeded(await copyLog({ source: pagesOfFile(file), target: fixture.store, names }));
  await Promise.all([sealLog(fixture.store), sealLog(fixture.store), sealLog(fixture.store)]);
  const verified = await verifySeals({ store: fixture.store, sha256, expectedSeal: hash });
  await fixture.close();
  expect(verified).toMatchObject({ ok: true, seals: { count: 2, unsealed_from: null } });
});

it('a failed export leaves no file', async () => {
  async function* failing(): ReturnType<typeof pagesOf> {
    yield* pagesOf('the source', source);
    throw new Error('ENOSPC: no space left on device, write');
  }
  expect(await writeLogFile(file, 'log-1', failing())).toMatchObject(failure('cannot be written: ENOSPC'));
  expect(await readdir(folder)).toEqual([]);
});

it('a log is read back from its file unchanged', async () => {
  const written = succeeded(await write());

  const { copied, target } = await read();

  expect(await contentOf(target)).toEqual(await contentOf(source));
  expect(succeeded(copied)).toMatchObject(written);
  expect(succeeded(await verifyLogFile(file))).toEqual({ logId: 'log-1', events: written.events });
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(await readdir(folder)).toEqual(['log.ndjson']);
});

it('a truncated file is rejected, wherever it was cut', async () => {
  await write();
  const whole = await readFile(file);
  const random = createRandom(5);
  const cuts = [0, 1, 40, whole.length - 2, ...Array.from({ length: 40 }, () => Math.floor(random() * whole.length))];
  for (const cut of cuts) {
    await writeFile(file, whole.subarray(0, cut));
    expect(await verifyLogFile(file)).toHaveProperty('left.message');
  }
  await writeFile(file, whole.subarray(0, whole.lastIndexOf('{"end"')));
  expect(await verifyLogFile(file)).toMatchObject(failure('its last line is missing'));
});

it.each([
  ['a changed value', (text: string) => text.replace('"plain"', '"plane"'), 'is damaged: it has'],
  ['a missing event', (text: string) => text.replace(/\n\{"stream_id.*\n/, '\n'), 'is damaged: it has'],
  [
    'a line that is no event',
    (text: string) => text.replace('"revision":0', '"revision":-1'),
    'line 2: revision must be',
  ],
  ['lines after the end', (text: string) => `${text}{}\n`, 'continues after its last line'],
  [
    'another format',
    (text: string) => text.replace('"rowgraph_log":1', '"rowgraph_log":2'),
    'is not a log that rowgraph exported',
  ],
])('%s is detected', async (_, change, words) => {
  await write();
  await writeFile(file, change(await readFile(file, 'utf8')));

  expect(await verifyLogFile(file)).toMatchObject(failure(words));
});

it('an earlier export of the same log is replaced, another file is not', async () => {
  await write();
  expect(succeeded(await write()).events).toBeGreaterThan(400);

  expect(await writeLogFile(file, 'log-2', pagesOf('the source', source))).toMatchObject(
    failure('exists and is not an export of this log'),
  );
  await writeFile(file, 'a letter');
  expect(await write()).toMatchObject(failure('exists and is not an export of this log'));
  expect(await readFile(file, 'utf8')).toBe('a letter');
});

it('a log that breaks off leaves no file', async () => {
  const broken = async function* () {
    await Promise.resolve();
    yield left({ message: 'The log could not be read.' });
  };
  expect(await writeLogFile(file, 'log-1', broken())).toEqual(left({ message: 'The log could not be read.' }));
  expect(await readdir(folder)).toEqual([]);
});

it('a missing folder is reported', async () => {
  expect(await writeLogFile(join(folder, 'no', 'log.ndjson'), 'log-1', pagesOf('the source', source))).toMatchObject(
    failure('ENOENT: no such file or directory'),
  );
});
