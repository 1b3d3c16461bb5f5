import { isRight } from 'fp-ts/Either';
import * as t from 'io-ts';
import { type WrapperType } from '../../domain/instance';
import { type ApiClient } from './api-client';
import { isInvalidObject } from './api-failure';
import { type ManifestOptions, podManifest } from './pod-manifest';

/**
 * The error if the API server does not accept the form of the pods that the operator's patch makes, such as a misspelt
 * field; it checks a pod without creating it. Null also when it does not answer, or refuses pods for another reason.
 */
export const patchError = async (api: ApiClient, options: ManifestOptions): Promise<string | null> => {
  const [wrapperType = 'graphdb_a'] = Object.keys(options.image) as WrapperType[];
  const size = { memoryBytes: 2 ** 32, cpuCores: 1, snapshotBytes: 0 };
  const spec = {
    ...size,
    instanceId: 0,
    urlSlug: 'trial',
    life: 0,
    wrapperType,
    ownerUsername: 'trial',
    instanceUrl: '',
  };
  const body = podManifest(spec, options);
  const request = {
    method: 'PATCH',
    path: `/api/v1/namespaces/${options.namespace}/pods/${body.metadata?.name ?? ''}`,
    query: { fieldManager: 'rowgraph', fieldValidation: 'Strict', dryRun: 'All' },
    body,
    contentType: 'application/apply-patch+yaml',
  } as const;
  const checked = await api.call(request, t.unknown, new AbortController().signal);
  return isRight(checked) || !isInvalidObject(checked.left)
    ? null
    : `ROWGRAPH_POD_PATCH_FILE makes pods that Kubernetes rejects; correct the field that its message names: ${checked.left.message}`;
};
