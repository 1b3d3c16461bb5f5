import { describePodApi } from '../../adapters/contracts/graph-pod/describe-pod-api';
import { describeInternalApi } from '../../adapters/http/internal/describe-internal-api';
import { describePublicApi } from '../../adapters/http/public/describe-public-api';
import { type ApiCheck, apiCheck, type ReceivedAnswer } from './api-check';

const server = { version: '0.0.0', baseUrl: 'http://localhost', instanceUrl: 'http://localhost' };

const once = <T>(make: () => T): (() => T) => {
  let made: { readonly value: T } | null = null;
  return () => (made ??= { value: make() }).value;
};

const publicApi = once(() => apiCheck(describePublicApi(server), '/snapshots'));
const internalApi = once(() => apiCheck(describeInternalApi(server)));
const pods = {
  graphdb_a: once(() => apiCheck(describePodApi('graphdb_a', server))),
  graphdb_b: once(() => apiCheck(describePodApi('graphdb_b', server))),
};

/** What is wrong with an answer of the public API. Null if nothing is, and for paths outside /api. */
export const undocumentedIn: ApiCheck['undocumentedIn'] = (method, path, answer) =>
  !path.startsWith('/api/') || /^\/api\/(internal\/|openapi\.json$|docs)/.test(path)
    ? null
    : publicApi().undocumentedIn(method, path.slice('/api'.length), answer);

/** What is wrong with the example of an operation of the public API. */
export const wrongExample: ApiCheck['wrongExample'] = (...given) => publicApi().wrongExample(...given);

/** Rejects an answer of the internal API that does not match its description. `path` is below its base. */
export const expectInternalAnswer = (method: string, path: string, answer: ReceivedAnswer): void =>
  expectDocumented(internalApi(), method, path, answer);

/** Rejects an answer of an instance that does not match the description of its kind. */
export const expectPodAnswer = (kind: keyof typeof pods, method: string, path: string, answer: ReceivedAnswer): void =>
  expectDocumented(pods[kind](), method, path, answer);

const expectDocumented = (api: ApiCheck, method: string, target: string, answer: ReceivedAnswer): void => {
  const [path = ''] = target.split('?');
  const trouble = api.undocumentedIn(method, path, answer);
  if (trouble !== null) throw new Error(`${method} ${target}: ${trouble}. The answer: ${answer.text.slice(0, 500)}`);
};
