import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readFileAt } from '../../../../pod/graph/loading/read-file';
import { fullFile } from '../../../support/full-disk';
import { left, right } from '../support/loaded-engine';

const CONTENT = randomBytes(300_000);
const CHECKSUM = createHash('sha256').update(CONTENT).digest('hex');

describe('a file at an http address', () => {
  let folder: string;
  let server: Server;
  let asked: string[];
  let answer: (request: IncomingMessage, response: ServerResponse, from: number) => void;
  const whole: typeof answer = (_request, response, from) =>
    response.writeHead(from === 0 ? 200 : 206).end(CONTENT.subarray(from));
  const address = (name: string): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}/${name}`;
  const read = (newAddress: () => Promise<string | null> = () => Promise.resolve(null)) =>
    readFileAt(address('first'), join(folder, 'file'), newAddress);

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'rowgraph-read-'));
    asked = [];
    answer = whole;
    server = createServer((request, response) => {
      const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0);
      asked.push(`${request.url ?? ''} ${from}`);
      answer(request, response, from);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterEach(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await rm(folder, { recursive: true });
  });

  const expectWhole = async (result: Awaited<ReturnType<typeof read>>): Promise<void> => {
    expect(right(result)).toEqual({ bytes: CONTENT.length, checksum: CHECKSUM, localPath: null });
    expect((await readFile(join(folder, 'file'))).equals(CONTENT)).toBe(true);
  };

  test('is written and hashed', async () => {
    await expectWhole(await read());
    expect(asked).toEqual(['/first 0']);
  });

  test('is not requested again when it cannot be written because the disk is full', async () => {
    const file = await fullFile(join(folder, 'file'));
    await expect(readFileAt(address('first'), file, () => Promise.resolve(null))).rejects.toMatchObject({
      code: 'ENOSPC',
    });
    expect(asked).toEqual(['/first 0']);
  });

  test('is resumed where the connection broke off', async () => {
    answer = (request, response, from) => {
      if (asked.length > 2) return whole(request, response, from);
      response.writeHead(from === 0 ? 200 : 206, { 'content-length': CONTENT.length - from });
      response.write(CONTENT.subarray(from, from + 100_000), () => setImmediate(() => response.destroy()));
    };
    await expectWhole(await read());
    expect(asked[0]).toBe('/first 0');
    expect(asked.length).toBeGreaterThan(2);
  });

  test('gets a new address when its own has expired', async () => {
    answer = (request, response, from) =>
      request.url === '/second'
        ? whole(request, response, from)
        : void response
            .writeHead(403)
            .end('<Error><Code>AccessDenied</Code><Message>Request has expired</Message></Error>');
    await expectWhole(await read(() => Promise.resolve(address('second'))));
    expect(asked).toEqual(['/first 0', '/second 0']);
  });

  test('is requested again while the store is busy', async () => {
    answer = (request, response, from) =>
      asked.length < 3
        ? void response.writeHead(503).end('<Error><Code>SlowDown</Code></Error>')
        : whole(request, response, from);
    await expectWhole(await read());
    expect(asked).toHaveLength(3);
  });

  test('a missing file is a failure at once, without its address', async () => {
    answer = (_request, response) => void response.writeHead(404).end('<Error><Code>NoSuchKey</Code></Error>');
    expect(left(await read())).toBe('the store returned 404 NoSuchKey');
    expect(asked).toHaveLength(1);
  });
});
