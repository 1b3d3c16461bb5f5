import { S3ObjectStore } from '../../../adapters/s3/s3-object-store';
import { objectStoreReason } from '../../../domain/ports/object-store';
import { expectLeft, expectRight } from '../../support/given-when-then';
import { startOlderS3Server } from './older-s3-server';

type OlderS3Server = Awaited<ReturnType<typeof startOlderS3Server>>;
let server: OlderS3Server;
const environment = { ...process.env };
beforeEach(async () => {
  Object.assign(process.env, { AWS_ACCESS_KEY_ID: 'key', AWS_SECRET_ACCESS_KEY: 'secret' });
  server = await startOlderS3Server();
});
afterEach(() => {
  process.env = { ...environment };
  server.close();
});

describe('an S3 server without the new checksums', () => {
  it('stores, reads and deletes objects with ROWGRAPH_S3_CHECKSUMS=required', async () => {
    const store = new S3ObjectStore(server.settings('required'));
    expectRight(await store.putText('a/b', 'text'));
    expect(expectRight(await store.getText('a/b'))).toBe('text');
    expect(expectRight(await store.deleteAll('a/'))).toEqual({ files: 1, bytes: 4, failures: [] });
    expect([...server.objects]).toEqual([]);
  });

  it('has the setting in the error of each request that it rejects', async () => {
    const store = new S3ObjectStore(server.settings('supported'));
    server.objects.set('a/b', Buffer.from('text'));
    const [put, deleted] = [await store.putText('a/c', 'text'), await store.deleteAll('a/')];
    for (const error of [expectLeft(put), expectLeft(deleted)]) {
      expect(objectStoreReason(error)).toMatch(
        /^S3: NotImplemented: .*; if the server does not support the checksums of current clients, set ROWGRAPH_S3_CHECKSUMS=required$/,
      );
    }
  });
});
