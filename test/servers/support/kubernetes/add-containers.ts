import { waitFor } from '../../../support/wait-for';
import { type KubeApi } from './kube-api';
import { type Container, type PodObject } from './kube-objects';

const POLICIES = '/apis/admissionregistration.k8s.io/v1beta1';

/** The containers that a policy adds to each new pod of a namespace, before those of the pod. */
export interface AddedContainers {
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
 * Adds containers to the pods of instances, as service meshes do, by a mutating admission policy; returns a function that
 * removes it. The API server needs the feature gate `MutatingAdmissionPolicy` (test/servers/README.md).
 */
export const addContainers = async (
  admin: KubeApi,
  namespace: string,
  { containers = [], initContainers = [] }: AddedContainers,
): Promise<() => Promise<void>> => {
  const name = `${namespace}-mesh`;
  // JSON is also CEL.
  const patches = [
    ...containers.map(
      (container) => `JSONPatch{op: "add", path: "/spec/containers/0", value: ${JSON.stringify(container)}}`,
    ),
    ...(initContainers.length === 0
      ? []
      : [`JSONPatch{op: "add", path: "/spec/initContainers", value: ${JSON.stringify(initContainers)}}`]),
  ];
  const meta = { apiVersion: 'admissionregistration.k8s.io/v1beta1', metadata: { name } };
  const [policy, binding] = ['mutatingadmissionpolicies', 'mutatingadmissionpolicybindings'].map(
    (kind) => `${POLICIES}/${kind}/${name}`,
  ) as [string, string];
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
  return async () => {
    await admin.call('DELETE', binding);
    await admin.call('DELETE', policy);
    await untilNewPodsHave(admin, namespace, 0, 0);
  };
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
