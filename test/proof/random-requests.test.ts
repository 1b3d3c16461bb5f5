import fc from 'fast-check';
import { publicEndpoints } from '../../adapters/http/public/public-endpoints';
import { type InProcessApi } from '../support/in-process-api';
import { bySize } from '../support/proof-size';
import { seedsOfRun } from '../support/seed';
import { furnishExampleWorld, startExampleApi } from './example-world';
import { type RandomRequest, randomRequests } from './random-requests';

const COUNT = bySize({ sample: 300, full: 10_000 });
const AT_ONCE = 8;

jest.setTimeout(600_000);

let api: InProcessApi;
beforeAll(async () => {
  api = await startExampleApi();
  await api.as(null).call('bootstrap', { body: { username: 'olivia' } });
  await furnishExampleWorld(api);
});
afterAll(() => api.close());

/** What is wrong with the answer to a request; null: nothing. */
const complaint = async (request: RandomRequest): Promise<string | null> => {
  const { name, method, path, options, status: expected } = request;
  try {
    const { status, body } = await api.as('olivia').send(method, path, options);
    // Health is 503 while a component is slow, as under load.
    const isBusy = status === 503 && (name === 'getHealth' || name === 'getClusterHealth');
    const isRight = expected === null ? status < 500 || isBusy : status === expected;
    return isRight
      ? null
      : `answered ${status} instead of ${expected ?? 'anything below 500'}: ${JSON.stringify(body)}`;
  } catch (error) {
    return String(error);
  }
};

/** The same number of requests for each operation, in turn. */
const mixedRequests = (seed: number): readonly RandomRequest[] => {
  const operations = randomRequests();
  const numRuns = Math.ceil(COUNT / operations.length);
  const samples = operations.map((requests, index) => fc.sample(requests, { numRuns, seed: seed + index }));
  return Array.from({ length: numRuns }, (_, round) =>
    samples.flatMap((sample) => sample.slice(round, round + 1)),
  ).flat();
};

it.each(seedsOfRun([]))(`${COUNT} random requests get answers that the API documents (seed %i)`, async (seed) => {
  const requests = mixedRequests(seed);
  const complaints: string[] = [];
  const next = requests.entries();
  const work = async (): Promise<void> => {
    for (const [index, request] of next) {
      const wrong = await complaint(request);
      if (wrong === null) continue;
      const { name, method, path, options, damage } = request;
      const sent = JSON.stringify(options).slice(0, 600);
      complaints.push(`${name}, request ${index} with ${damage}: ${method} ${path} ${sent}\n  ${wrong.slice(0, 900)}`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  const seen = new Set(requests.map(({ name }) => name));
  expect(seen).toEqual(new Set(Object.keys(publicEndpoints)));
  if (complaints.length > 0) {
    const first = complaints.slice(0, 30).join('\n');
    throw new Error(`${complaints.length} of ${COUNT} requests; repeat with SEED=${seed}:\n${first}`);
  }
  expect(api.errors()).toEqual([]);
});
