import { left, right } from 'fp-ts/Either';
import { POD_SERVICE_ACCOUNT, POD_TOKEN_AUDIENCE } from '../../../adapters/kubernetes/pod-manifest';
import { reviewTokens } from '../../../adapters/kubernetes/review-tokens';

const status = {
  authenticated: true,
  audiences: [POD_TOKEN_AUDIENCE],
  user: {
    username: `system:serviceaccount:here:${POD_SERVICE_ACCOUNT}`,
    extra: { 'authentication.kubernetes.io/pod-name': ['graph-a-slug-1'] },
  },
};
const identified = right({ kind: 'wrapper', instanceId: 7, life: 1 });

test('a failed query of the instance is repeated at the next request', async () => {
  let isAway = true;
  const identify = reviewTokens({
    api: { call: () => Promise.resolve(right({ status }) as never) },
    namespace: 'here',
    instanceIdOf: () => (isAway ? Promise.reject(new Error('away')) : Promise.resolve(7)),
  });
  await expect(identify('a token')).rejects.toThrow('away');
  isAway = false;
  expect(await identify('a token')).toEqual(identified);
});

test('a rejected token is reviewed again, an accepted one is kept', async () => {
  const answers = [{ authenticated: false }, status];
  const identify = reviewTokens({
    api: { call: () => Promise.resolve(right({ status: answers.shift() }) as never) },
    namespace: 'here',
    instanceIdOf: () => Promise.resolve(7),
  });
  expect(await identify('a token')).toEqual(left({ kind: 'invalid', reason: 'the Kubernetes API does not accept it' }));
  for (let time = 0; time < 3; time++) expect(await identify('a token')).toEqual(identified);
});
