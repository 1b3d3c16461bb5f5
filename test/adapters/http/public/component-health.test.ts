import {
  cachedFor,
  type ComponentHealth,
  healthCheck,
} from '../../../../adapters/http/public/cluster/component-health';
import { waitFor } from '../../../support/wait-for';

describe('the health of a component', () => {
  it('includes the response time', async () => {
    const check = healthCheck(() => Promise.resolve(null));
    expect(await check()).toEqual({ status: 'healthy', latency_ms: expect.any(Number) as number });
  });

  it.each([
    ['says what is wrong', () => Promise.resolve('it is full'), 'it is full'],
    ['cannot be reached', () => Promise.reject(new Error('ECONNREFUSED')), 'ECONNREFUSED'],
    ['never answers', () => new Promise<null>(() => undefined), 'no answer within 20 ms'],
  ])('is unreachable when the component %s', async (_, ping, error) => {
    expect(await healthCheck(ping, 20)()).toEqual({ status: 'unreachable', latency_ms: null, error });
  });

  it('does not start a second check while one hangs, and is healthy after the component recovers', async () => {
    const answers: ((answer: null) => void)[] = [];
    const check = healthCheck(() => new Promise<null>((resolve) => answers.push(resolve)), 20);
    await Promise.all([check(), check()]);
    const third = check();
    expect(answers).toHaveLength(1);
    answers[0]?.(null);
    expect(await third).toMatchObject({ status: 'healthy' });
  });

  it('is cached for a time, and checked again afterwards', async () => {
    let asked = 0;
    const check = (): Promise<ComponentHealth> => Promise.resolve({ status: 'healthy', latency_ms: ++asked });
    const kept = cachedFor(60_000, check);
    expect(await Promise.all([kept(), kept()])).toEqual(Array(2).fill({ status: 'healthy', latency_ms: 1 }));
    const brief = cachedFor(0, check);
    await brief();
    await waitFor('the health is checked again', async () => (await brief()).latency_ms === 3);
  });

  it('is not_configured for a component that is not configured', async () => {
    expect(await healthCheck(null)()).toEqual({ status: 'not_configured', latency_ms: null });
  });
});
