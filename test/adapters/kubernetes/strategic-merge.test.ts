import { mergeStrategically } from '../../../adapters/kubernetes/pod-manifest';

const pod = {
  spec: {
    containers: [{ name: 'graph', image: 'a', env: [{ name: 'A', value: '1' }], command: ['node', 'main.js'] }],
    volumes: [
      { name: 'data', emptyDir: { sizeLimit: '1' } },
      { name: 'cache', emptyDir: {} },
    ],
    tolerations: [{ key: 'ours' }],
    automountServiceAccountToken: false,
  },
};

const patched = (spec: object): object => mergeStrategically(pod, { spec }).spec;

it.each([
  ['adds fields', { nodeSelector: { disk: 'fast' } }, { nodeSelector: { disk: 'fast' } }],
  [
    'merges containers by name and their variables too',
    { containers: [{ name: 'graph', env: [{ name: 'B', value: '2' }] }] },
    {
      containers: [
        {
          ...pod.spec.containers[0],
          env: [
            { name: 'A', value: '1' },
            { name: 'B', value: '2' },
          ],
        },
      ],
    },
  ],
  [
    'adds a container',
    { containers: [{ name: 'proxy', image: 'p' }] },
    { containers: [pod.spec.containers[0], { name: 'proxy', image: 'p' }] },
  ],
  [
    'replaces lists without a merge key',
    { containers: [{ name: 'graph', command: ['sh'] }], tolerations: [{ key: 'theirs' }] },
    { containers: [{ ...pod.spec.containers[0], command: ['sh'] }], tolerations: [{ key: 'theirs' }] },
  ],
  ['removes a field by null', { automountServiceAccountToken: null }, { automountServiceAccountToken: undefined }],
  ['removes an item', { volumes: [{ name: 'cache', $patch: 'delete' }] }, { volumes: [pod.spec.volumes[0]] }],
  [
    'replaces an object',
    { volumes: [{ name: 'data', emptyDir: { $patch: 'replace', medium: 'Memory' } }] },
    { volumes: [{ name: 'data', emptyDir: { medium: 'Memory' } }, pod.spec.volumes[1]] },
  ],
])('a strategic merge patch %s', (_, patch, change) => {
  expect(patched(patch)).toEqual({ ...pod.spec, ...change });
});

it('an empty patch changes nothing', () => {
  expect(mergeStrategically(pod, {})).toEqual(pod);
});
