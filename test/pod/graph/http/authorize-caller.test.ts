import { left as failed, right as succeeded } from 'fp-ts/Either';
import { callerOf, createAuthorizeCaller } from '../../../../pod/graph/http/authorize-caller';
import { left, right } from '../support/loaded-engine';

describe('the permission to run algorithms', () => {
  test('is cached for half a minute and then requested again', async () => {
    let [nowMs, asked, allowed] = [1, 0, true];
    const authorize = createAuthorizeCaller(
      {
        authorize: (username) => {
          asked++;
          return Promise.resolve(succeeded({ allowed, username, role: 'analyst', owner_username: 'ada' }));
        },
      },
      () => nowMs,
    );
    expect(right(await authorize('bob'))).toBe('bob');
    allowed = false;
    nowMs = 30_000;
    expect(right(await authorize('bob'))).toBe('bob');
    nowMs = 30_002;
    expect(left(await authorize('bob'))).toMatchObject({
      code: 'PERMISSION_DENIED',
      details: { owner_username: 'ada' },
    });
    expect(asked).toBe(2);
  });

  test('is denied when the control plane is unreachable', async () => {
    const authorize = createAuthorizeCaller(
      { authorize: () => Promise.resolve(failed({ kind: 'unreachable', message: 'no answer' })) },
      () => 0,
    );
    expect(left(await authorize('ada'))).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  });

  test.each([undefined, '', ' ada', 'ada ', 'ada, bob', 'ad\u00e9', 'x'.repeat(256)])(
    '%j is not an identity',
    (header) => {
      expect(left(callerOf(header))).toMatchObject({ code: 'UNAUTHORIZED' });
    },
  );

  test.each(['ada', 'a', 'Ada Lovelace', 'ada@example.org'])('%j is an identity', (header) => {
    expect(right(callerOf(header))).toBe(header);
  });
});
