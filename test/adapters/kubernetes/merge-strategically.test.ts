import { mergeStrategically } from '../../../adapters/kubernetes/merge-strategically';

const pod = {
  spec: {
    containers: [{ name: 'graph', image: 'a', env: [{ name: 'A', value: '1' }], command: ['node', 'main.js'] }],
    volumes: [
      { name: 'data', emptyDir: { sizeLimit: '1' } },
      { name: 'cache', emptyDir: {} },
    ],
    tolerations: [{ key: 'ours', effect: 'NoExecute', tolerationSeconds: 60 }],
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
    { containers: [{ name: 'graph', command: ['sh'] }] },
    { containers: [{ ...pod.spec.containers[0], command: ['sh'] }] },
  ],
  [
    'adds tolerations, also of other values and effects',
    {
      tolerations: [
        { operator: 'Exists' },
        ...['a', 'b'].flatMap((value) => ['NoSchedule', 'NoExecute'].map((effect) => ({ key: 'team', value, effect }))),
      ],
    },
    {
      tolerations: [
        ...pod.spec.tolerations,
        { operator: 'Exists' },
        { key: 'team', value: 'a', effect: 'NoSchedule' },
        { key: 'team', value: 'a', effect: 'NoExecute' },
        { key: 'team', value: 'b', effect: 'NoSchedule' },
        { key: 'team', value: 'b', effect: 'NoExecute' },
      ],
    },
  ],
  [
    'changes a toleration of the same key and effect',
    { tolerations: [{ key: 'ours', effect: 'NoExecute', tolerationSeconds: 2 }] },
    { tolerations: [{ key: 'ours', effect: 'NoExecute', tolerationSeconds: 2 }] },
  ],
  [
    'merges the items of a list that the pod does not have',
    { imagePullSecrets: [{ name: 'a' }, { name: 'b' }, { name: 'a' }] },
    { imagePullSecrets: [{ name: 'a' }, { name: 'b' }] },
  ],
  [
    'keeps ports of the same number',
    { containers: [{ name: 'dns', ports: [{ containerPort: 53 }, { containerPort: 53, protocol: 'UDP' }] }] },
    {
      containers: [
        pod.spec.containers[0],
        { name: 'dns', ports: [{ containerPort: 53 }, { containerPort: 53, protocol: 'UDP' }] },
      ],
    },
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
