import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type AnyEndpoint, type OperationExample, type RecordedAnswer } from '../../adapters/http/kit';
import { publicEndpoints } from '../../adapters/http/public/public-endpoints';
import { publicExamples } from '../../adapters/http/public/public-examples';
import { packageRoot } from '../../adapters/system/package-root';
import { type InProcessApi } from '../support/in-process-api';
import { furnishExampleWorld, type StandIns, startExampleApi } from './example-world';
import { pathOf } from './path-of';
import { difference, isObject, settled } from './recorded-answer';

const endpoints: Readonly<Record<string, AnyEndpoint>> = publicEndpoints;
/** Reads come first, and operations that remove something come last. */
const ORDER = ['GET', 'PUT', 'POST', 'DELETE', 'PATCH'];
const cases = Object.entries(publicExamples)
  .flatMap(([name, examples]) => examples.map((example) => ({ name, endpoint: endpoints[name], example })))
  .flatMap(({ endpoint, ...rest }) => (endpoint === undefined ? [] : [{ ...rest, endpoint }]))
  .sort((a, b) => ORDER.indexOf(a.endpoint.method) - ORDER.indexOf(b.endpoint.method));
const founding = cases.filter(({ name }) => name === 'bootstrap');

let api: InProcessApi;
let standIns: StandIns = {};
beforeAll(async () => {
  api = await startExampleApi();
});
afterAll(async () => {
  await api.close();
  if (isRecording) writeFileSync(RECORDED, JSON.stringify(recorded()));
});

/** `RECORD=1` records the answers instead of comparing them with the recorded ones. */
const isRecording = process.env['RECORD'] === '1';
const RECORDED = join(packageRoot, 'adapters/http/public/examples.json');
const given = new Map<OperationExample, RecordedAnswer>();

const recorded = () =>
  Object.fromEntries(
    Object.entries(publicExamples).map(([name, examples]) => [
      name,
      examples.map((example) => ({ ...example, ...given.get(example) })),
    ]),
  );

const replay = async (endpoint: AnyEndpoint, example: OperationExample): Promise<void> => {
  const { as, body, status, answer } = example;
  const params = Object.entries(example.params ?? {}).map(([name, value]) => [name, standIns[name] ?? value] as const);
  const path = `/api${pathOf(endpoint, { ...example, params: Object.fromEntries(params) })}`;
  const position = standIns['position'];
  const sent = isObject(body) && 'position' in body && status === 200 ? { ...body, position } : body;
  const response = await api.as(as).send(endpoint.method, path, { body: sent });
  expect({ status: response.status, body: response.body }).toMatchObject({ status });
  if (status === 204) return;
  const envelope = response.body as { readonly data?: unknown; readonly error?: unknown; readonly meta?: object };
  const shown = status >= 400 ? envelope.error : endpoint.success.shape === 'flat' ? response.body : envelope.data;
  const { request_id: _id, ...shownPage } = { request_id: '', ...envelope.meta };
  const isList = status < 400 && ['list', 'pages'].includes(endpoint.success.shape);
  if (isRecording) {
    given.set(example, {
      answer: settled(shown, answer),
      ...(isList ? { page: shownPage } : {}),
    } as RecordedAnswer);
  } else {
    expect(difference(shown, answer)).toBeNull();
    if (Array.isArray(answer) && answer.length > 0) expect(shown).not.toEqual([]);
  }
};

describe('an example of the API description matches the real answer; `npm run record-examples` records answers', () => {
  it.each(founding)('$name: $example.summary', ({ endpoint, example }) => replay(endpoint, example));

  describe('in its required state', () => {
    beforeAll(async () => {
      standIns = await furnishExampleWorld(api);
    });

    it.each(cases.filter(({ name }) => name !== 'bootstrap'))('$name: $example.summary', ({ endpoint, example }) =>
      replay(endpoint, example),
    );

    it('no internal error occurs', () => {
      expect(api.errors()).toEqual([]);
    });
  });
});
