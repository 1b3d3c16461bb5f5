import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isRight } from 'fp-ts/Either';
import { S3ObjectStore } from '../../adapters/s3/s3-object-store';
import { expectLeft } from '../support/given-when-then';
import { waitFor } from '../support/wait-for';
import { s3OfTest } from './support/s3';

jest.setTimeout(150_000);

const server = s3OfTest();

(server === null ? describe.skip : describe)('the credentials of S3', () => {
  if (server === null) return;
  const own = { ...process.env };
  const { AWS_ACCESS_KEY_ID: key, AWS_SECRET_ACCESS_KEY: secret } = server.credentials;
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'rowgraph-s3-'));
  });
  afterEach(async () => {
    process.env = { ...own };
    await rm(folder, { recursive: true, force: true });
  });
  const open = () => new S3ObjectStore(server.settings(`credentials/${randomUUID()}`));

  it.each([
    ['InvalidAccessKeyId', { AWS_ACCESS_KEY_ID: 'unknown-key' }],
    ['SignatureDoesNotMatch', { AWS_SECRET_ACCESS_KEY: 'wrong' }],
  ])('are denied with %s', async (code, wrong) => {
    Object.assign(process.env, wrong);
    const reason = expect.stringContaining(code) as string;
    expect(expectLeft(await open().putText('a', 'b'))).toMatchObject({ kind: 'access_denied', reason });
  });

  it('may be replaced in their file', async () => {
    const file = join(folder, 'credentials');
    const write = (accessKey: string): Promise<void> =>
      writeFile(file, `[default]\naws_access_key_id=${accessKey}\naws_secret_access_key=${secret}\n`);
    await write('outdated');
    process.env['AWS_SHARED_CREDENTIALS_FILE'] = file;
    delete process.env['AWS_ACCESS_KEY_ID'];
    delete process.env['AWS_SECRET_ACCESS_KEY'];
    const store = open();
    expect(expectLeft(await store.putText('a', 'b'))).toMatchObject({ kind: 'access_denied' });
    await write(key);
    await waitFor('the new credentials are used', async () => isRight(await store.putText('a', 'b')), 120_000);
  });
});
