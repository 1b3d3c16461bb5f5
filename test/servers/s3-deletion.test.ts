import { randomUUID } from 'node:crypto';
import { S3ObjectStore } from '../../adapters/s3/s3-object-store';
import { expectRight } from '../support/given-when-then';
import { s3OfTest } from './support/s3';

jest.setTimeout(300_000);

const server = s3OfTest();
const { S3_USER_KEY: userKey, S3_USER_SECRET: userSecret } = process.env;
const OBJECTS = 2_000;

(server === null || userKey === undefined ? describe.skip : describe)(
  'a deletion of 2,000 objects, one of which the user may not delete',
  () => {
    if (server === null) return;
    const prefix = `deletion/${randomUUID()}`;
    const all = `arn:aws:s3:::${server.bucket}`;
    const denied = 'a/0007';
    const keys = Array.from({ length: OBJECTS }, (_, n) => `a/${String(n).padStart(4, '0')}`);
    const allow = { Effect: 'Allow', Principal: { AWS: [userKey] }, Action: 's3:*', Resource: [all, `${all}/*`] };
    const own = { ...server.credentials };
    afterAll(async () => {
      await server.setPolicy([allow]);
      Object.assign(process.env, own);
    });

    it('reports the denied object and deletes the others', async () => {
      await server.setPolicy([
        allow,
        {
          Effect: 'Deny',
          Principal: { AWS: [userKey] },
          Action: 's3:DeleteObject',
          Resource: [`${all}/${prefix}/${denied}`],
        },
        {
          Effect: 'Deny',
          Principal: { AWS: [userKey] },
          Action: 's3:GetObject',
          Resource: [`${all}/${prefix}/secret`],
        },
      ]);
      Object.assign(process.env, { AWS_ACCESS_KEY_ID: userKey, AWS_SECRET_ACCESS_KEY: userSecret });
      const store = new S3ObjectStore(server.settings(prefix));
      for (let from = 0; from < keys.length; from += 50) {
        (await Promise.all(keys.slice(from, from + 50).map((key) => store.putText(key, 'four')))).forEach(expectRight);
      }

      const { files, bytes, failures } = expectRight(await store.deleteAll('a/'));
      expect({ files, bytes }).toEqual({ files: OBJECTS - 1, bytes: 4 * (OBJECTS - 1) });
      expect(failures).toMatchObject([{ kind: 'access_denied', key: denied }]);
      expect(expectRight(await store.list('')).map(({ key }) => key)).toEqual([denied]);
      expect(await store.getText('secret')).toMatchObject({ left: { kind: 'access_denied' } });
    });
  },
);
