import { RequestBudget } from '../../../adapters/kubernetes/api-client';

beforeAll(() => jest.spyOn(performance, 'now').mockReturnValue(0));
afterAll(() => jest.restoreAllMocks());

it('starts the requests of a quarter of a second at once, then one at a time within the rate', () => {
  const budget = new RequestBudget(20);
  const waits = Array.from({ length: 100 }, () => budget.take(60_000) ?? Infinity);

  expect(waits.filter((wait) => wait === 0)).toHaveLength(5);
  const busiest = Math.max(...waits.map((from) => waits.filter((at) => at >= from && at <= from + 1_000.5).length));
  expect(busiest).toBe(20);
});

it('rejects a request whose turn would come after its timeout', () => {
  const budget = new RequestBudget(4);
  budget.take(0);
  for (let asked = 0; asked < 100; asked++) expect(budget.take(200)).toBeNull();

  expect(budget.take(1_000)).toBeLessThanOrEqual(1_000);
});

it('delays all requests for the pause that the server asks for', () => {
  const budget = new RequestBudget(40);
  budget.pause(60_000);

  expect(budget.take(2_000)).toBeNull();
  expect(budget.take(60_000)).toBeGreaterThan(59_000);
});
