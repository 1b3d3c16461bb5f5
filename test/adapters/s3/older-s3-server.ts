import { createHash } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { type AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { type S3Settings } from '../../../adapters/contracts/object-store-settings';

interface Answer {
  readonly status: number;
  readonly body?: string | Buffer;
}

const refuse = (status: number, code: string, message: string): Answer => ({
  status,
  body: `<Error><Code>${code}</Code><Message>${message}</Message></Error>`,
});
const NEWER = /^x-amz-(checksum-|sdk-checksum-|trailer$)/;

/**
 * A server that speaks S3 as before 2025: it rejects the new checksums, and deletes objects only with the MD5 of the
 * request. It has one bucket and ignores signatures.
 */
export const startOlderS3Server = async () => {
  const objects = new Map<string, Buffer>();
  const answer = (method: string, key: string, headers: IncomingHttpHeaders, body: Buffer): Answer => {
    const newer = Object.keys(headers).find((name) => NEWER.test(name));
    if (newer !== undefined) {
      return refuse(
        501,
        'NotImplemented',
        `A header you provided implies functionality that is not implemented: ${newer}`,
      );
    }
    if (method === 'PUT') {
      objects.set(key, body);
      return { status: 200 };
    }
    if (method === 'POST') {
      if (headers['content-md5'] !== createHash('md5').update(body).digest('base64')) {
        return refuse(400, 'InvalidRequest', 'Missing required header for this request: Content-MD5');
      }
      for (const [, deleted = ''] of body.toString().matchAll(/<Key>([^<]*)<\/Key>/g)) objects.delete(deleted);
      return { status: 200, body: '<DeleteResult/>' };
    }
    const listed = [...objects].map(
      ([name, { length }]) => `<Contents><Key>${name}</Key><Size>${length}</Size></Contents>`,
    );
    if (key === '') return { status: 200, body: `<ListBucketResult>${listed.join('')}</ListBucketResult>` };
    const content = objects.get(key);
    return content === undefined ? refuse(404, 'NoSuchKey', 'none') : { status: 200, body: content };
  };
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '', 'http://localhost');
    void buffer(request).then((body) => {
      const answered = answer(request.method ?? '', pathname.split('/').slice(2).join('/'), request.headers, body);
      response.writeHead(answered.status).end(answered.body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    objects,
    settings: (checksums: S3Settings['checksums']): S3Settings => ({
      ...{ bucket: 'rowgraph', prefix: '', region: 'us-east-1', pathStyle: true, encryption: null, checksums },
      endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    }),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
};
