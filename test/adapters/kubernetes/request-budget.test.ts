import { RequestBudget } from '../../../adapters/kubernetes/request-budget';

it('starts a burst at once, then lets one after the other wait for its turn', () => {
  const budget = new RequestBudget(10, 3);
  const waits = Array.from({ length: 5 }, () => budget.take(1_000));

  expect(waits.slice(0, 3)).toEqual([0, 0, 0]);
  expect(waits[3]).toBeGreaterThan(50);
  expect(waits[4]).toBeGreaterThan(waits[3] ?? Infinity);
});

it('takes no turn that would come too late', () => {
  const budget = new RequestBudget(1, 1);
  budget.take(0);
  for (let asked = 0; asked < 100; asked++) expect(budget.take(500)).toBeNull();

  expect(budget.take(1_000)).toBeLessThanOrEqual(1_000);
});

it('lets all wait for a pause that the server asks for', () => {
  const budget = new RequestBudget(10, 10);
  budget.pause(60_000);

  expect(budget.take(2_000)).toBeNull();
  expect(budget.take(60_000)).toBeGreaterThan(59_000);
});
