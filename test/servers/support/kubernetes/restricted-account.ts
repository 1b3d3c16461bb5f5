import { readFileSync, writeFileSync } from 'node:fs';
import { parse, parseAllDocuments } from 'yaml';
import { adminKubeconfig } from './describe-with-kubernetes';
import { type KubeApi } from './kube-api';

interface Rule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
}
interface Described {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly rules?: readonly Rule[];
  readonly subjects?: readonly object[];
}

const PATHS: Readonly<Record<string, string>> = {
  ServiceAccount: '/api/v1/namespaces/NAMESPACE/serviceaccounts',
  Role: '/apis/rbac.authorization.k8s.io/v1/namespaces/NAMESPACE/roles',
  RoleBinding: '/apis/rbac.authorization.k8s.io/v1/namespaces/NAMESPACE/rolebindings',
};

const documents = (): readonly Described[] =>
  parseAllDocuments(readFileSync('deploy/kubernetes/rbac.yaml', 'utf8')).map(
    (document) => document.toJS() as Described,
  );

/** `verb resource` of every permission in deploy/kubernetes/rbac.yaml. */
export const permitted = (): readonly string[] =>
  documents().flatMap(({ rules = [] }) =>
    rules.flatMap(({ resources, verbs }) => resources.flatMap((name) => verbs.map((verb) => `${verb} ${name}`))),
  );

/** Applies deploy/kubernetes/rbac.yaml to a namespace, and writes a kubeconfig of the control plane's account there. */
export const restrictedAccount = async (admin: KubeApi, namespace: string, path: string): Promise<void> => {
  for (const document of documents()) {
    const folder = PATHS[document.kind]?.replace('NAMESPACE', namespace);
    const subjects = document.subjects?.map((subject) => ({ ...subject, namespace }));
    if (folder !== undefined) {
      await admin.apply(
        `${folder}/${document.metadata.name}`,
        subjects === undefined ? document : { ...document, subjects },
      );
    }
  }
  const request = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: { expirationSeconds: 3600 } };
  const tokens = `/api/v1/namespaces/${namespace}/serviceaccounts/rowgraph/token`;
  const { status } = await admin.call<{ readonly status: { readonly token: string } }>('POST', tokens, request);
  const config = parse(readFileSync(adminKubeconfig(), 'utf8')) as object;
  writeFileSync(path, JSON.stringify({ ...config, users: [{ name: 'me', user: { token: status.token } }] }));
};

/** Removes a verb from the permissions of the control plane for pods. */
export const withoutVerb = (admin: KubeApi, namespace: string, missing: string | null): Promise<void> => {
  const role = documents().find(({ kind }) => kind === 'Role');
  const rules = role?.rules
    ?.map((rule) => ({ ...rule, verbs: rule.verbs.filter((verb) => verb !== missing) }))
    .filter(({ verbs }) => verbs.length > 0);
  return admin.apply(`${PATHS['Role']?.replace('NAMESPACE', namespace) ?? ''}/rowgraph`, { ...role, rules });
};
