import { waitFor } from '../../../support/wait-for';
import { type KubeApi } from './kube-api';
import { type Container, type PodObject } from './kube-objects';

const POLICIES = '/apis/admissionregistration.k8s.io/v1beta1';

/** The containers that a policy adds to each new pod of a namespace, before those of the pod. */
interface AddedContainers {
  readonly containers?: readonly Container[];
  readonly initContainers?: readonly Container[];
}

/** A container that Pod Security admits in a namespace of the level `restricted`. */
export const addedContainer = (name: string, image: string, change: Partial<Container> = {}): Container => ({
  name,
  image,
  securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
  ...change,
});

/**
 * Adds containers to new pods, as service meshes do, by a mutating admission policy. The API server needs the feature
 * gate `MutatingAdmissionPolicy` (test/servers/README.md).
 */
export const addContainers = async (
  admin: KubeApi,
  namespace: string,
  { containers = [], initContainers = [] }: AddedContainers,
): Promise<void> => {
  const patch = (path: string, type: string, value: unknown): string =>
    `JSONPatch{op: "add", path: "${path}", value: ${toCel(value, type)}}`;
  const patches = [
    ...containers.map((container) => patch('/spec/containers/0', 'Object.spec.containers', container)),
    // As a list, which the pod does not have yet, they would end the request in the API server.
    ...initContainers.slice(0, 1).map(() => patch('/spec/initContainers', '', [])),
    ...initContainers.map((container) => patch('/spec/initContainers/-', 'Object.spec.initContainers', container)),
  ];
  const name = policyOf(namespace);
  const meta = { apiVersion: 'admissionregistration.k8s.io/v1beta1', metadata: { name } };
  const [policy, binding] = pathsOf(namespace);
  await admin.apply(policy, {
    ...meta,
    kind: 'MutatingAdmissionPolicy',
    spec: {
      reinvocationPolicy: 'Never',
      failurePolicy: 'Fail',
      matchConstraints: {
        namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': namespace } },
        resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] }],
      },
      mutations: [{ patchType: 'JSONPatch', jsonPatch: { expression: `[${patches.join(', ')}]` } }],
    },
  });
  await admin.apply(binding, { ...meta, kind: 'MutatingAdmissionPolicyBinding', spec: { policyName: name } });
  await untilNewPodsHave(admin, namespace, containers.length, initContainers.length);
};

/** Removes the policy, if there is one. */
export const addNoContainers = async (admin: KubeApi, namespace: string): Promise<void> => {
  for (const path of pathsOf(namespace)) await admin.send('DELETE', path);
  await untilNewPodsHave(admin, namespace, 0, 0);
};

const policyOf = (namespace: string): string => `${namespace}-mesh`;

const pathsOf = (namespace: string): readonly [policy: string, binding: string] => [
  `${POLICIES}/mutatingadmissionpolicies/${policyOf(namespace)}`,
  `${POLICIES}/mutatingadmissionpolicybindings/${policyOf(namespace)}`,
];

/** A value in the language of policies, which has a type for each field. */
const toCel = (value: unknown, type: string): string => {
  if (Array.isArray(value)) return `[${value.map((item) => toCel(item, type)).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  return `${type}{${Object.entries(value)
    .map(([name, field]) => `${name}: ${toCel(field, `${type}.${name}`)}`)
    .join(', ')}}`;
};

/** Waits until the API server applies a change of its policies. */
const untilNewPodsHave = (admin: KubeApi, namespace: string, containers: number, inits: number): Promise<void> => {
  const trial = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'trial' },
    spec: {
      securityContext: { runAsNonRoot: true, runAsUser: 1000, seccompProfile: { type: 'RuntimeDefault' } },
      containers: [addedContainer('trial', 'trial')],
    },
  };
  return waitFor('the policy applies to new pods', async () => {
    const path = `/api/v1/namespaces/${namespace}/pods?dryRun=All`;
    const { status, body } = await admin.send<PodObject>('POST', path, trial);
    const { containers: all = [], initContainers: before = [] } = body.spec ?? {};
    return status === 201 && all.length === 1 + containers && before.length === inits;
  });
};
