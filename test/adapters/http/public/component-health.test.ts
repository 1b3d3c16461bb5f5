import { healthCheck } from '../../../../adapters/http/public/cluster/component-health';

describe('the health of a component', () => {
  it('is how fast it answers', async () => {
    const check = healthCheck(() => Promise.resolve(null));
    expect(await check()).toEqual({ status: 'healthy', latency_ms: expect.any(Number) as number });
  });

  it.each([
    ['says what is wrong', () => Promise.resolve('it is full'), 'it is full'],
    ['cannot be reached', () => Promise.reject(new Error('ECONNREFUSED')), 'ECONNREFUSED'],
    ['never answers', () => new Promise<null>(() => undefined), 'no answer within 20 ms'],
  ])('is unreachable when it %s', async (_, ping, error) => {
    expect(await healthCheck(ping, 20)()).toEqual({ status: 'unreachable', latency_ms: null, error });
  });

  it('is not asked again while it hangs, and found healthy when it is back', async () => {
    const answers: ((answer: null) => void)[] = [];
    const check = healthCheck(() => new Promise<null>((resolve) => answers.push(resolve)), 20);
    await Promise.all([check(), check()]);
    const third = check();
    expect(answers).toHaveLength(1);
    answers[0]?.(null);
    expect(await third).toMatchObject({ status: 'healthy' });
  });

  it('that nobody configured is no trouble', async () => {
    expect(await healthCheck(null)()).toEqual({ status: 'not_configured', latency_ms: null });
  });
});
