import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { logOptions, MASKED } from '../../../adapters/system/log-options';
import { makeSecret } from '../../../adapters/system/secret';
import { uuids } from '../../../adapters/system/uuids';

const write = (...given: readonly [object, string]): string => {
  let line = '';
  pino({ ...logOptions, base: null }, { write: (text: string) => (line = text) }).info(...given);
  return line;
};

describe('a log line', () => {
  it.each([
    ['a slug', randomUUID()],
    ['an API key', makeSecret('rgk').secret],
    ['an access token', makeSecret('rgt').secret],
    ['a service token', 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ3b3JrZXIifQ.c2lnbmF0dXJl-_'],
  ])('hides %s', (_, secret) => {
    const error = new Error(`nothing at /graphs/${secret}/schema`, { cause: new Error(secret) });
    const line = write({ err: error, path: `/graphs/${secret}`, deep: [{ secret }] }, `the pod graph-${secret} ended`);
    expect(line).not.toContain(secret);
    expect(line).toContain(`the pod graph-${MASKED} ended`);
    expect(JSON.parse(line)).toMatchObject({ path: `/graphs/${MASKED}`, deep: [{ secret: MASKED }] });
  });

  it('hides a token in a query string and a password in an address', () => {
    const line = write({}, 'GET /graphs/7?access_token=a%20b&limit=5 with postgres://rowgraph:p%40ss-word@db:5432/x');
    expect(line).toContain(`/graphs/7?access_token=${MASKED}&limit=5 with postgres://rowgraph:${MASKED}@db:5432/x`);
  });

  it('keeps the id of its request', () => {
    const requestId = randomUUID();
    expect(write({ requestId }, 'request')).toContain(requestId);
    const answer = JSON.stringify({ meta: { request_id: requestId } });
    expect(write({ reason: `It was answered 503: ${answer}` }, 'again')).toContain(requestId);
  });

  it('keeps the id of an event log', () => {
    const logId = uuids.uuid();
    expect(write({}, `the read models follow the log ${logId}`)).toContain(logId);
  });

  it('shows the message and place of an error, and not the data it concerns', () => {
    const error = Object.assign(new Error('duplicate key value violates unique constraint "instances_url_slug_key"'), {
      code: '23505',
      constraint: 'instances_url_slug_key',
      detail: 'Key (name)=(my secret) already exists.',
      body: '{"name": "my secret"}',
    });
    const line = write({ err: error }, 'bug');
    expect(line).not.toContain('my secret');
    const { code, constraint, message, stack } = error;
    expect(JSON.parse(line)).toMatchObject({ err: { type: 'Error', code, constraint, message, stack } });
  });

  it('shows a failure that is not an Error unchanged', () => {
    const failure = { code: 'SERVICE_UNAVAILABLE', message: 'The pod of instance 7 could not be deleted: stuck.' };
    expect(JSON.parse(write({ err: failure }, 'trouble'))).toMatchObject({ err: failure });
  });
});
