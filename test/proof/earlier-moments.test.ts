import { type ApiClient } from '../support/api-client';
import { type InProcessApi, startInhabitedApi } from '../support/in-process-api';
import { bySize } from '../support/proof-size';
import { contentOf, type Moment, recordMoments } from '../support/recorded-moments';
import { withTimeMachine } from '../support/time-machine';

const MOMENTS = bySize({ sample: 12, full: 200 });
/** Each fills all read models. */
const TIME_MACHINES = bySize({ sample: 3, full: 200 });
const TIMEOUT_MS = 900_000;

let api: InProcessApi;
let olivia: ApiClient;
let moments: readonly Moment[];
beforeAll(async () => {
  api = await startInhabitedApi();
  olivia = api.as('olivia');
  moments = await recordMoments(api, MOMENTS, 7);
}, TIMEOUT_MS);
afterAll(() => api.close());

describe('an earlier moment of a random life', () => {
  it(
    'is answered with as_of as it was then',
    async () => {
      for (const { at, details } of moments) {
        for (const [path, content] of details) {
          const answer = await olivia.send('GET', `${path}?as_of=${at}`);
          expect({ at, path, content: contentOf(answer) }).toEqual({ at, path, content });
          if (answer.status === 200) expect(Number(answer.headers['x-as-of-position'])).toBeLessThanOrEqual(Number(at));
        }
      }
    },
    TIMEOUT_MS,
  );

  it(
    'is shown by a time machine as it was then, lists too',
    async () => {
      const every = MOMENTS / TIME_MACHINES;
      for (const { at, details, lists } of moments.filter((_, index) => (index + 1) % every === 0)) {
        await withTimeMachine(api.environment, at, async (as, position) => {
          expect(position).toBe(at);
          for (const [path, content] of [...details, ...lists]) {
            const answer = await as('olivia').send('GET', path);
            expect({ at, path, content: contentOf(answer) }).toEqual({ at, path, content });
          }
        });
      }
    },
    TIMEOUT_MS,
  );
});
