import { randomUUID } from 'node:crypto';
import { S3ObjectStore } from '../../adapters/s3/s3-object-store';
import { describeObjectStore } from '../contracts/object-store/object-store-contract';
import { expectLeft, expectRight } from '../support/given-when-then';
import { s3OfTest } from './support/s3';

const server = s3OfTest();

(server === null ? describe.skip : describe)('on an S3 server', () => {
  if (server === null) return;
  const open = (prefix: string) => new S3ObjectStore(server.settings(prefix));

  describeObjectStore('S3', () => Promise.resolve(open(`contract/${randomUUID()}`)));

  it('returns addresses that need no credentials and give access to one object', async () => {
    const store = open(`addresses/${randomUUID()}`);
    expectRight(await store.putText('a/b c%', 'text'));
    const address = expectRight(await store.readableAddress('a/b c%'));
    const whole = await fetch(address);
    expect([whole.status, await whole.text()]).toEqual([200, 'text']);
    const rest = await fetch(address, { headers: { range: 'bytes=2-' } });
    expect([rest.status, await rest.text()]).toEqual([206, 'xt']);
    const other = await fetch(address.replace('a/b', 'a/d'));
    expect([other.status, (await other.text()).includes('SignatureDoesNotMatch')]).toEqual([403, true]);
  });

  it('reports a missing bucket as unavailable, not as a missing object', async () => {
    const missing = new S3ObjectStore({ ...server.settings('x'), bucket: 'no-such-bucket' });
    expect(expectLeft(await missing.getText('a'))).toMatchObject({
      kind: 'unavailable',
      reason: expect.stringContaining('NoSuchBucket') as string,
    });
    expect(expectLeft(await missing.list(''))).toMatchObject({ kind: 'unavailable' });
  });

  it('removes abandoned multipart uploads, and only those', async () => {
    const store = open(`uploads/${randomUUID()}`);
    await server.beginUpload(`${store.root.slice(`s3://${server.bucket}/`.length)}/a/b`);
    expect(expectRight(await store.removeUnfinished(new Date(0)))).toBe(0);
    expect(expectRight(await store.removeUnfinished(new Date(Date.now() + 60_000)))).toBe(1);
    expect(expectRight(await store.removeUnfinished(new Date(Date.now() + 60_000)))).toBe(0);
  });
});
