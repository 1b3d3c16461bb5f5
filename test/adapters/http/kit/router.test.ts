import { type SampleApi, serveSampleApi, TIMEOUT_MS } from './served-api';

describe('an API from a table of endpoints', () => {
  let api: SampleApi;
  beforeAll(async () => {
    api = await serveSampleApi();
  });
  afterAll(() => api.close());

  const refusal = (code: string, details: unknown = expect.anything()) => ({
    error: { code, message: expect.any(String) as string, details },
    meta: { request_id: expect.any(String) as string },
  });

  describe('returns', () => {
    it('data in an envelope with the request id', async () => {
      const { status, headers, body } = await api.call('POST', '/api/things', { body: { name: 'x' } });
      expect(status).toBe(201);
      expect(body).toEqual({
        data: { id: 1, received: { name: 'x' } },
        meta: { request_id: headers['x-request-id'] },
      });
    });

    it('lists with total, offset and limit', async () => {
      const { body } = await api.call('GET', '/api/things?offset=2&limit=3');
      expect(body).toMatchObject({ meta: { total: 7, offset: 2, limit: 3, request_id: expect.any(String) as string } });
    });

    it('flat bodies, strings that are JSON already, and empty bodies', async () => {
      const changed = await api.call('PUT', '/api/things/5', { body: { name: 'x' } });
      expect(changed.body).toEqual({ id: 5, received: { name: 'x' } });
      expect((await api.call('POST', '/api/pod', { body: { name: 'x' } })).text).toBe('{"big": 9007199254740993}');
      expect(await api.call('DELETE', '/api/things/5')).toMatchObject({ status: 204, text: '' });
    });

    it('large bodies in chunks, and never a truncated body as a complete one', async () => {
      const { body, headers } = await api.call('GET', '/api/large/3');
      expect(body).toEqual({ data: [0, 1, 2, 3], meta: { request_id: headers['x-request-id'] } });
      await expect(api.call('GET', '/api/large/13')).rejects.toThrow('socket hang up');
    });
  });

  it('sets the time limit of an operation for all its work', async () => {
    const { body } = await api.call('GET', '/api/time-limit');
    const { data } = body as { readonly data: number };
    expect(data).toBeGreaterThan(0);
    expect(data).toBeLessThanOrEqual(TIMEOUT_MS);
    expect((await api.call('GET', '/api/no-time-limit')).body).toMatchObject({ data: -1 });
  });

  it('sends Retry-After with a 503', async () => {
    const { status, headers } = await api.call('POST', '/api/things', { body: { name: 'away' } });
    expect([status, headers['retry-after']]).toEqual([503, '1']);
  });

  it('answers in another media type of the operation when the client prefers it', async () => {
    const accepting = (accepted: string) => api.call('GET', '/api/large/3', { headers: { Accept: accepted } });
    for (const accepted of ['text/csv', 'application/json;q=0.5, text/*']) {
      const { headers, text } = await accepting(accepted);
      expect([headers['content-type'], text]).toEqual(['text/csv; charset=utf-8', '0\n1\n']);
    }
    for (const accepted of ['*/*', 'application/json', 'image/png', 'text/csv;q=0.1, */*']) {
      expect((await accepting(accepted)).body).toMatchObject({ data: [0, 1, 2, 3] });
    }
  });

  it('warns of unknown fields of a body, which it ignores', async () => {
    const body = { nam: 'y', name: 'x', siz: 3, extra: 1, parts: [{ label: 'a', labels: 'b' }] };
    const { status, headers } = await api.call('PUT', '/api/things/5', { body });
    expect([status, JSON.parse(String(headers['x-warnings']))]).toEqual([
      200,
      [
        'nam is not a field of this request and was ignored; valid fields: name, size, parts',
        'siz is not a field of this request and was ignored; did you mean size?',
        'extra is not a field of this request and was ignored; valid fields: name, size, parts',
        'parts.0.labels is not a field of this request and was ignored; valid fields: label',
      ],
    ]);
    expect((await api.call('PUT', '/api/things/5', { body: { name: 'x' } })).headers['x-warnings']).toBeUndefined();
  });

  it('names misspelt fields of a body with the error that they cause', async () => {
    const misspelt = await api.call('PUT', '/api/things/5', { body: { nam: 'x', other: 1, parts: [{ labl: 'a' }] } });
    expect(misspelt.body).toMatchObject({
      error: {
        message:
          'name is required; parts.0.label is required. nam is not a field of this request; did you mean name? ' +
          'parts.0.labl is not a field of this request; did you mean label?',
        details: { errors: [{ field: 'name' }, { field: 'parts.0.label' }] },
      },
    });
    const refused = await api.call('POST', '/api/things', { body: { name: 'refused', sizee: 9 } });
    expect(refused.body).toMatchObject({ error: { message: expect.stringMatching(/did you mean size\?$/) as string } });
  });

  describe('checks in this order:', () => {
    it('identity before role, role before body', async () => {
      const broken = { raw: '{' };
      expect((await api.call('POST', '/api/things', { ...broken, role: null })).body).toEqual(
        refusal('UNAUTHORIZED', {}),
      );
      expect((await api.call('POST', '/api/things', { ...broken, role: 'user' })).status).toBe(403);
      expect((await api.call('POST', '/api/things', broken)).status).toBe(400);
    });

    it('body before the path, so an invalid body is reported before a missing resource', async () => {
      expect((await api.call('PUT', '/api/things/x', { body: {} })).status).toBe(400);
      expect((await api.call('PUT', '/api/things/x', { body: { name: 'x' } })).status).toBe(404);
    });
  });

  it.each(['x', '01', '-1', '+1', '1.0', '0', '1e3', '9007199254740993', '%20'])(
    'rejects the id %s as a missing resource',
    async (id) => {
      const { status, body } = await api.call('DELETE', `/api/things/${id}`);
      expect(status).toBe(404);
      expect(body).toEqual(refusal('RESOURCE_NOT_FOUND', { thing_id: decodeURIComponent(id) }));
    },
  );

  describe('rejects bodies', () => {
    it.each([
      ['broken JSON', { raw: '{"name": ' }],
      ['a bare value', { raw: '"text"' }],
      ['another content type', { raw: 'name=x', headers: { 'Content-Type': 'application/x-www-form-urlencoded' } }],
      ['an unknown charset', { raw: '{}', headers: { 'Content-Type': 'application/json; charset=klingon' } }],
      ['text in another encoding', { raw: Buffer.from('{"name": "M\u00fcller"}', 'latin1') }],
      ['an unknown encoding', { raw: '{}', headers: { 'Content-Encoding': 'klingon' } }],
      ['no body at all', {}],
      ['a list', { body: [] }],
    ])('%s is answered 400', async (_words, options) => {
      const { status, body, headers } = await api.call('POST', '/api/things', options);
      expect(status).toBe(400);
      expect(body).toEqual(refusal('VALIDATION_FAILED'));
      expect(headers['x-event-position']).toBe('42');
    });

    it('above the size limit of the operation with 413', async () => {
      const long = { body: { name: 'x', filler: 'y'.repeat(2000) } };
      const { status, body, headers } = await api.call('PUT', '/api/things/5', long);
      expect(status).toBe(413);
      expect(body).toEqual(refusal('VALIDATION_FAILED', { max_bytes: 2000 }));
      expect(headers['connection']).toBe('close');
      expect(headers['x-event-position']).toBe('42');
      expect((await api.call('POST', '/api/things', long)).status).toBe(201);
    });

    it('errors have the path of every invalid field', async () => {
      const wrong = { name: 7, size: '1', parts: [{ label: 'a' }, {}] };
      const { body } = await api.call('PUT', '/api/things/5', { body: wrong });
      expect(body).toEqual(
        refusal('VALIDATION_FAILED', {
          errors: [
            { field: 'name', message: 'must be a string, not 7' },
            { field: 'size', message: expect.any(String) as string },
            { field: 'parts.1.label', message: 'is required' },
          ],
        }),
      );
    });

    it('one invalid field is the field of the error', async () => {
      const { body } = await api.call('PUT', '/api/things/5', { body: {} });
      expect(body).toEqual(
        refusal('VALIDATION_FAILED', { field: 'name', errors: [{ field: 'name', message: 'is required' }] }),
      );
    });

    it('errors are a map of fields to messages where the endpoint declares it', async () => {
      const { body } = await api.call('POST', '/api/things', { body: { size: 9 } });
      expect(body).toMatchObject({
        error: { details: { name: 'is required', size: expect.any(String) as string, errors: [{}, {}] } },
      });
    });

    it('errors have the code that the operation declares for them', async () => {
      for (const request of [{ raw: '{' }, { body: {} }, { body: { name: 'refused' } }]) {
        const { status, body } = await api.call('POST', '/api/ops/things', request);
        expect({ status, body }).toEqual({ status: 400, body: refusal('VALIDATION_ERROR') });
      }
    });

    it('errors of the domain are in the same map', async () => {
      const { body } = await api.call('POST', '/api/things', { body: { name: 'refused' } });
      expect(body).toEqual(
        refusal('VALIDATION_FAILED', {
          size: 'is too small',
          field: 'size',
          errors: [{ field: 'size', message: 'is too small' }],
          max_allowed: 3,
        }),
      );
    });

    it('errors are {detail} where the endpoint declares it, including malformed bodies', async () => {
      expect((await api.call('POST', '/api/pod', { body: {} })).body).toEqual({ detail: 'name is required.' });
      expect((await api.call('POST', '/api/pod', { raw: '{' })).body).toEqual({ detail: expect.any(String) as string });
    });
  });

  it('drops unknown fields', async () => {
    const raw = '{"name": "x", "owner_username": "eve", "status": "running", "__proto__": {"size": 1}}';
    expect((await api.call('PUT', '/api/things/5', { raw })).body).toEqual({ id: 5, received: { name: 'x' } });
  });

  describe('parses queries strictly:', () => {
    it.each([
      ...['limit=0', 'limit=101', 'limit=1.5', 'limit=-1', 'limit=', 'limit=x', 'limit=010', 'limit=%2B5', 'limit=1e1'],
      ...['limit=5&limit=6', 'offset=-1', 'search=toolong', 'search=a&search=b', 'search=%00'],
      ...['after=yesterday', 'after=2026-01-31', 'after=2026-01-31T12:00:00', 'after=2026-02-30T12:00:00Z'],
      ...['unknown=1', 'limit[]=5', 'Limit=5', '__proto__=1'],
      ...['after=0000-01-01T00:00:00Z', 'after=2026-01-01T00:00:00%2B15:00', 'after=2026-13-01T00:00:00Z'],
    ])('%s is 400', async (query) => {
      const name = query.split('=')[0];
      const { status, body } = await api.call('GET', `/api/things?${query}`);
      expect(status).toBe(400);
      expect(body).toEqual(refusal('VALIDATION_FAILED', expect.objectContaining({ field: name })));
    });

    it.each([
      ['limit=100&offset=0', { limit: 100, offset: 0 }],
      ['search=', { search: '' }],
      ['after=2026-01-31T12:00:00Z', { after: '2026-01-31T12:00:00.000Z' }],
      ['after=2024-02-29T12:00:00.123456%2B01:00', { after: '2024-02-29T11:00:00.123Z' }],
    ])('%s is accepted', async (query, expected) => {
      const { status, body } = await api.call('GET', `/api/things?${query}`);
      expect(status).toBe(200);
      expect(body).toMatchObject({ data: [expected] });
    });
  });

  it('answers 405 for a known path and another method, after the identity check', async () => {
    const { status, headers, body } = await api.call('PATCH', '/api/things/5');
    expect(status).toBe(405);
    expect(headers['allow']).toBe('PUT, DELETE');
    expect(body).toEqual(refusal('METHOD_NOT_ALLOWED', { allowed_methods: ['PUT', 'DELETE'] }));
    expect((await api.call('PATCH', '/api/things/5', { role: null })).status).toBe(401);
    expect((await api.call('OPTIONS', '/api/things')).status).toBe(405);
  });

  it('answers 404 for an unknown path', async () => {
    expect((await api.call('GET', '/api/nothing')).body).toEqual(refusal('RESOURCE_NOT_FOUND'));
  });

  it('answers 500 for a bug, without its message', async () => {
    const { status, body, text } = await api.call('DELETE', '/api/things/13');
    expect(status).toBe(500);
    expect(body).toEqual(refusal('INTERNAL_ERROR', {}));
    expect(text).not.toContain('a bug');
  });

  describe('the request id', () => {
    it.each(['abc', 'A-1_2.3', 'x'.repeat(128)])('%s of the client is returned', async (id) => {
      const { headers, body } = await api.call('GET', '/api/things', { headers: { 'X-Request-ID': id } });
      expect(headers['x-request-id']).toBe(id);
      expect(body).toMatchObject({ meta: { request_id: id } });
    });

    it.each(['', 'a b', 'x'.repeat(129), 'a/b', '<script>'])('%j is replaced', async (id) => {
      const { headers } = await api.call('GET', '/api/nothing', { headers: { 'X-Request-ID': id } });
      expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    });
  });
});
