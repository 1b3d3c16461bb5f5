import { QueryStatistics } from '../../../../pod/graph/http/query-handler';

test('ignores what is measured during a query, including one that starts meanwhile', async () => {
  const statistics = new QueryStatistics(
    () => new Date(0),
    () => undefined,
  );
  const measure = (): Promise<number> => Promise.resolve(7);
  expect(await statistics.whileIdle(measure)).toBe(7);
  const ended = statistics.begin();
  expect(await statistics.whileIdle(measure)).toBeNull();
  ended(1);
  const between = async (): Promise<number> => {
    statistics.begin()(1);
    return measure();
  };
  expect(await statistics.whileIdle(between)).toBeNull();
  expect(await statistics.whileIdle(measure)).toBe(7);
});
