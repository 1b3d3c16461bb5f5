import { openEventStream, type OpenStream } from '../../../support/event-stream';
import { type InProcessApi, startInhabitedApi } from '../../../support/in-process-api';
import { createInstance, createMapping } from '../../../support/instances';
import { townMapping } from '../../../support/sample-mappings';
import { waitFor } from '../../../support/wait-for';

let api: InProcessApi;
let path: string;
const open: OpenStream[] = [];
afterEach(async () => {
  open.splice(0).forEach((stream) => stream.cut());
  await api.close();
});

/** A system with an instance that waits, whose progress a stream follows until it is cut. */
const start = async (settings: Readonly<Record<string, string>> = {}): Promise<void> => {
  api = await startInhabitedApi(undefined, settings);
  const ada = api.as('ada');
  const mapping = await createMapping(ada, townMapping);
  path = `/api/instances/${await createInstance(ada, mapping)}/progress`;
};

/** The status of a new stream of a user, which stays open. */
const follow = async (user: string): Promise<number> => {
  const stream = await openEventStream(api.url + path, { 'X-Username': user });
  open.push(stream);
  return stream.status;
};

const statusFor = async (user: string) => (await api.as(user).send('GET', '/api/mappings')).status;

describe('a user', () => {
  it('a user has at most so many requests in progress; others are not limited by them', async () => {
    await start({ ROWGRAPH_REQUESTS_PER_USER: '3' });
    for (let count = 0; count < 3; count++) expect(await follow('ada')).toBe(200);
    const { status, code, details } = await api.as('ada').refused('GET', '/api/mappings');
    expect([status, code, details]).toEqual([429, 'RATE_LIMIT_EXCEEDED', { retry_after_seconds: 1 }]);
    expect(await statusFor('bob')).toBe(200);
    open.shift()?.cut();
    await waitFor('the server has seen the end of the stream', async () => (await statusFor('ada')) === 200);
  });

  it('a user has at most twenty streams of progress', async () => {
    await start();
    for (let count = 0; count < 20; count++) expect(await follow('ada')).toBe(200);
    expect(await follow('ada')).toBe(429);
    expect([await follow('bob'), await statusFor('ada')]).toEqual([200, 200]);
    open.shift()?.cut();
    await waitFor('another stream is accepted', async () => (await follow('ada')) === 200);
  });
});
