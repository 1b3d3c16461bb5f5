import { expectInternalAnswer, expectPodAnswer, undocumentedIn } from '../../../support/documented-answers';

const META = { request_id: 'r-1' };
const HEADERS = { 'x-request-id': 'r-1', 'x-event-position': '7', 'content-type': 'application/json; charset=utf-8' };
const answer = (status: number, body: unknown, headers: Record<string, string | undefined> = HEADERS) => ({
  status,
  headers,
  text: body === undefined ? '' : JSON.stringify(body),
});
const deleted = { data: { deleted: true }, meta: META };
const refusal = (code: string) => ({ error: { code, message: 'No.', details: {} }, meta: META });

describe('an answer of the public API, checked against its description', () => {
  test.each([
    ['a success', 'DELETE', '/api/mappings/1', answer(200, deleted)],
    ['a refusal', 'DELETE', '/api/mappings/1', answer(409, refusal('RESOURCE_HAS_DEPENDENCIES'))],
    ['a success without body', 'DELETE', '/api/instances/1', answer(204, undefined)],
    ['an unknown path', 'GET', '/api/nothing', answer(404, refusal('RESOURCE_NOT_FOUND'))],
    ['an unknown method', 'PATCH', '/api/mappings/1', answer(405, refusal('METHOD_NOT_ALLOWED'))],
    ['a path outside the API', 'GET', '/ready', answer(418, 'tea')],
  ])('accepts %s', (_, method, path, given) => {
    expect(undocumentedIn(method, path, given)).toBeNull();
  });

  test.each([
    ['an unknown status', answer(418, deleted), /status 418 is not documented.*200, 400/],
    ['an undocumented field', answer(200, { data: { deleted: true, secret: 1 }, meta: META }), /additional/],
    ['a field that is missing', answer(200, { data: {}, meta: META }), /deleted/],
    ['a code that is not possible there', answer(409, refusal('ALREADY_EXISTS')), /allowed values/],
    ['another content type', answer(200, deleted, { ...HEADERS, 'content-type': 'text/html' }), /text\/html/],
    [
      'a header that is missing',
      answer(200, deleted, { ...HEADERS, 'x-event-position': undefined }),
      /X-Event-Position/,
    ],
  ])('rejects %s', (_, given, complaint) => {
    expect(undocumentedIn('DELETE', '/api/mappings/1', given)).toMatch(complaint);
  });

  test('matches a literal path before one with parameters', () => {
    const body = { data: [], meta: META };
    expect(undocumentedIn('GET', '/api/instances/user/status', answer(200, body))).toMatch(/data must be object/);
  });
});

describe('an answer of an instance, checked against the description of its kind', () => {
  const started = {
    execution_id: 'e1',
    algorithm: 'pagerank',
    status: 'running',
    lock_acquired: true,
    started_at: '2026-01-31T12:00:00.000Z',
  };
  const check =
    (kind: 'graphdb_a' | 'graphdb_b', method: string, path: string, given: ReturnType<typeof answer>) => () =>
      expectPodAnswer(kind, method, path, given);

  test('has an envelope where the kind declares it, and is flat elsewhere', () => {
    expect(check('graphdb_a', 'POST', '/algo/pagerank', answer(202, { data: started, meta: META }))).not.toThrow();
    expect(check('graphdb_a', 'POST', '/algo/pagerank', answer(202, started))).toThrow(/another shape/);
    expect(check('graphdb_a', 'POST', '/graphlib/degree', answer(202, started))).not.toThrow();
    expect(check('graphdb_a', 'POST', '/graphlib/degree', answer(202, { data: started, meta: META }))).toThrow(/shape/);
  });

  test('is a plain message for resources that are not ready, and for missing ones on FalkorDB', () => {
    const detail = { detail: 'No.' };
    const missing = refusal('EXECUTION_NOT_FOUND');
    expect(check('graphdb_a', 'GET', '/algo/status/e1', answer(503, detail))).not.toThrow();
    expect(check('graphdb_a', 'GET', '/algo/status/e1', answer(404, detail))).toThrow(/error/);
    expect(check('graphdb_a', 'GET', '/algo/status/e1', answer(404, missing))).not.toThrow();
    expect(check('graphdb_b', 'GET', '/algo/status/e1', answer(404, detail))).not.toThrow();
    expect(check('graphdb_b', 'GET', '/algo/status/e1', answer(404, missing))).toThrow(/detail/);
  });

  test('has the error code of its kind', () => {
    const refused = answer(400, refusal('GRAPHDB_B_ERROR'));
    expect(check('graphdb_b', 'POST', '/query', refused)).not.toThrow();
    expect(check('graphdb_a', 'POST', '/query', refused)).toThrow(/allowed values/);
  });
});

test('checks an answer of the internal API against its description', () => {
  const updated = { data: { updated: true }, meta: META };
  expect(() => expectInternalAnswer('PUT', '/instances/1/status', answer(200, updated))).not.toThrow();
  expect(() => expectInternalAnswer('PUT', '/instances/1/status', answer(200, updated.data))).toThrow(/shape/);
});
