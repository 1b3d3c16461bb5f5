import { Agent } from 'node:http';
import { type Answer, type ApiClient, apiClient } from '../../support/api-client';
import { startInProcessApi } from '../../support/in-process-api';
import { createInstance, createMapping, untilRunning } from '../../support/instances';
import { type RunningSystem } from '../../support/running-system';
import { townMapping } from '../../support/sample-mappings';

/** The number of refused calls before the answer is 429. */
const LIMIT = 20;

const bearer = (key: string) => ({ Authorization: `Bearer ${key}` });
/** An invalid key of the right form. */
const madeUp = (digit: string) => `rgk_${digit.repeat(24)}_${'A'.repeat(43)}`;
const wrongOnesOf = (key: string) => `${key.slice(0, -1)}${key.endsWith('A') ? 'B' : 'A'}`;

const repeat = async (times: number, call: (index: number) => Promise<Answer>): Promise<readonly number[]> => {
  const statuses: number[] = [];
  for (let index = 0; index < times; index += 1) statuses.push((await call(index)).status);
  return statuses;
};
const all = (status: number, times = LIMIT): readonly number[] => Array.from({ length: times }, () => status);

/** The parts of an answer that do not depend on the request and its time. */
const sameFor = ({ status, headers, body }: Answer) => {
  const text = JSON.stringify(body).replace(/"request_id":"[^"]*"|"retry_after_seconds":\d+/g, '');
  return { status, text, type: headers['content-type'], challenge: headers['www-authenticate'] };
};

/** A part of system-with-api-keys.test.ts. */
export const refusedCalls = (shared: () => RunningSystem, keyOfOlivia: () => string): void => {
  describe('with API keys', () => {
    let system: RunningSystem;
    let key: string;
    let agents: Agent[] = [];
    beforeAll(() => {
      system = shared();
      key = keyOfOlivia();
    });
    afterEach(() => {
      agents.forEach((agent) => agent.destroy());
      agents = [];
    });

    /** A client at an address of this machine. */
    const at = (address: string): ApiClient => {
      const agent = new Agent({ localAddress: address });
      agents.push(agent);
      return apiClient(system.url, null, agent);
    };
    const metrics = async (): Promise<string> => {
      const answer = await fetch(`http://127.0.0.1:${system.environment['ROWGRAPH_INTERNAL_PORT']}/metrics`);
      return answer.text();
    };
    const counted = async (api: string, status: number): Promise<number> => {
      const [, value = '0'] =
        new RegExp(`^rowgraph_refused_calls_total\\{api="${api}",status="${status}"\\} (\\d+)`, 'm').exec(
          await metrics(),
        ) ?? [];
      return Number(value);
    };

    it('an address is answered 429 after twenty failed logins in a minute, but never with a valid key', async () => {
      const client = at('127.0.0.2');
      for (const path of ['/health', '/ready', '/api/openapi.json', '/api/docs', '/api/export-jobs/pending-count']) {
        expect(await repeat(LIMIT, () => client.send('GET', path))).toEqual(all(200));
      }
      const before = [await counted('public', 401), await counted('public', 429)];
      const wrong = (index: number) =>
        client.send('GET', '/api/mappings', { headers: index % 2 === 0 ? {} : bearer(madeUp(String(index % 10))) });
      expect(await repeat(LIMIT, wrong)).toEqual(all(401));
      const { status, headers, body } = await wrong(0);
      const seconds = Number(headers['retry-after']);
      expect({ status, body }).toMatchObject({
        status: 429,
        body: { error: { code: 'RATE_LIMIT_EXCEEDED', details: { retry_after_seconds: seconds } } },
      });
      expect(seconds).toBeGreaterThanOrEqual(1);
      expect(seconds).toBeLessThanOrEqual(60);
      expect(await repeat(LIMIT, () => client.send('GET', '/api/mappings', { headers: bearer(key) }))).toEqual(
        all(200),
      );
      expect((await client.send('GET', '/health')).status).toBe(200);
      expect((await wrong(0)).status).toBe(429);
      expect((await at('127.0.0.3').send('GET', '/api/mappings')).status).toBe(401);

      const after = [await counted('public', 401), await counted('public', 429)];
      expect(after.map((count, index) => count - (before[index] ?? 0))).toEqual([LIMIT + 1, 2]);
      const lines = (await metrics()).split('\n').filter((line) => line.includes('refused_calls'));
      expect(lines.join('\n')).not.toMatch(/127\.0\.0|rgk|address/);
    });

    it('a key is answered 429 when it is tried from many addresses, with any secret', async () => {
      const wrong = wrongOnesOf(key);
      const from = (index: number) =>
        at(`127.0.1.${index + 1}`).send('GET', '/api/mappings', { headers: bearer(wrong) });
      expect(await repeat(LIMIT, from)).toEqual(all(401));
      expect((await from(LIMIT)).status).toBe(429);
      const right = await at('127.0.1.1').send('GET', '/api/mappings', { headers: bearer(key) });
      expect(right.status).toBe(200);
    });

    it('existing and unknown paths are answered alike, including at instances', async () => {
      const olivia: ApiClient = {
        send: (method, path, options) => at('127.0.0.1').send(method, path, { ...options, headers: bearer(key) }),
        call: (name, input) => at('127.0.0.1').call(name, { ...input, headers: bearer(key) }),
        refused: (method, path, options) => at('127.0.0.1').refused(method, path, { ...options, headers: bearer(key) }),
      };
      const id = await createInstance(olivia, await createMapping(olivia, townMapping));
      const { instance_url: url } = await untilRunning(olivia, id);
      await olivia.call('updateInstanceAccess', { id, body: { mode: 'owner' } });
      const { data: token } = await olivia.call('issueAccessToken', { id, body: { expires_in: 'PT1H' } });
      const missing = `${system.url}/graphs/00000000-0000-4000-8000-000000000000`;
      const query = { body: { query: 'RETURN 1 AS one' } };
      const client = at('127.0.0.4');
      const wrong = { ...query, headers: bearer(wrongOnesOf(token.token)) };

      for (const sent of [query, wrong]) {
        const [there, nowhere] = [
          await client.send('POST', `${url}/query`, sent),
          await client.send('POST', `${missing}/query`, sent),
        ];
        expect(there.status).toBe(401);
        expect(sameFor(there)).toEqual(sameFor(nowhere));
      }
      expect(await repeat(LIMIT - 4, () => client.send('POST', `${url}/query`, query))).toEqual(all(401, LIMIT - 4));
      const answers = [
        await client.send('POST', `${url}/query`, query),
        await client.send('POST', `${missing}/query`, query),
        await client.send('GET', '/api/instances/1'),
        await client.send('GET', '/api/instances/999'),
        await client.send('GET', '/api/nothing'),
        await client.send('PATCH', '/api/mappings'),
      ];
      expect(answers.map(({ status }) => status)).toEqual(all(429, 6));
      expect(new Set(answers.map((answer) => JSON.stringify(sameFor(answer)))).size).toBe(1);

      const entered = await client.send('POST', `${url}/query`, { ...query, headers: bearer(token.token) });
      expect(entered.status).toBe(200);
      const elsewhere = (index: number) => at(`127.0.2.${index + 1}`).send('POST', `${url}/query`, wrong);
      // Two calls with it were refused above.
      expect(await repeat(LIMIT - 2, elsewhere)).toEqual(all(401, LIMIT - 2));
      expect((await elsewhere(LIMIT)).status).toBe(429);
    });

    it('the internal API is as strict, and its components continue', async () => {
      const origin = `http://127.0.0.1:${system.environment['ROWGRAPH_INTERNAL_PORT']}`;
      const client = apiClient(origin, null, agents[agents.push(new Agent({ localAddress: '127.0.0.5' })) - 1]);
      const wrong = (index: number) =>
        client.send('GET', '/api/internal/export-jobs/pollable', { headers: bearer(`token-${index}`) });
      expect(await repeat(LIMIT, wrong)).toEqual(all(401));
      const { status, headers } = await wrong(0);
      expect(status).toBe(429);
      expect(Number(headers['retry-after'])).toBeGreaterThanOrEqual(1);
      expect((await client.send('GET', '/metrics')).status).toBe(200);
      expect(await counted('internal', 429)).toBe(1);
    });
  });

  describe('behind an edge', () => {
    it('the address is the one from the edge, with its token', async () => {
      const ROWGRAPH_EDGE_TOKEN = 'the edge in front of this';
      const api = await startInProcessApi(undefined, { ROWGRAPH_EDGE_TOKEN, ROWGRAPH_REFUSED_CALLS_PER_MINUTE: '3' });
      try {
        const client = api.as(null);
        const through = { 'X-Edge-Token': ROWGRAPH_EDGE_TOKEN };
        await client.call('bootstrap', { body: { username: 'olivia' }, headers: through });
        const from = (address: string, more: Readonly<Record<string, string>> = through) =>
          client.send('GET', '/api/mappings', { headers: { 'X-Forwarded-For': address, ...more } });
        expect(await repeat(4, () => from('forged, 192.0.2.1'))).toEqual([401, 401, 401, 429]);
        expect((await from('192.0.2.1')).status).toBe(429);
        expect((await from('192.0.2.1', { ...through, 'X-Username': 'olivia' })).status).toBe(200);
        expect((await from('192.0.2.1, 192.0.2.2')).status).toBe(401);
        // A caller without the token of the edge cannot choose an address.
        expect(await repeat(4, (index) => from(`198.51.100.${index}`, {}))).toEqual([401, 401, 401, 429]);
      } finally {
        await api.close();
      }
    });
  });
};
