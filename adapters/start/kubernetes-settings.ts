import { readFileSync } from 'node:fs';
import { type Either, left, right } from 'fp-ts/Either';
import { parse } from 'yaml';
import { type WrapperType } from '../../domain/instance';
import { type FieldsOf, matching, optional, textForm } from '../../domain/kernel/codecs';
import { integer, nonEmpty, seconds, unusedVariables } from '../contracts/environment';

type Images = Readonly<Partial<Record<WrapperType, string>>>;

const IMAGE_REQUIRED = 'ROWGRAPH_POD_IMAGE is required with ROWGRAPH_POD_RUNTIME=kubernetes: the image of pods';
const IMAGE = /^[a-z0-9][\w./:@-]*$/;

/** `image`, or `graphdb_a=image,graphdb_b=image`. */
const images = textForm(
  'image',
  (given): Images | null => {
    if (IMAGE.test(given)) return { graphdb_a: given, graphdb_b: given };
    const named: Partial<Record<WrapperType, string>> = {};
    for (const pair of given.split(',')) {
      const [kind, image = ''] = pair.split('=');
      if ((kind !== 'graphdb_a' && kind !== 'graphdb_b') || !IMAGE.test(image)) return null;
      named[kind] = image;
    }
    return named;
  },
  'must be an image, or images by kind such as graphdb_a=registry/duckdb:1,graphdb_b=registry/falkordb:1',
  (value) =>
    Object.entries(value)
      .map((pair) => pair.join('='))
      .join(),
);

/** The variables of pods on Kubernetes. */
export const kubernetesVariables = {
  ROWGRAPH_KUBERNETES_NAMESPACE: optional(
    matching(/^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/, 'must be the name of a namespace', 63),
  ),
  ROWGRAPH_POD_IMAGE: optional(images),
  ROWGRAPH_POD_PATCH_FILE: optional(nonEmpty()),
  ROWGRAPH_POD_LOST_NODE_TIMEOUT: optional(seconds(1, 86_400)),
  ROWGRAPH_KUBERNETES_REQUEST_RATE: optional(integer(4, 1_000)),
};

/** Settings of pods on Kubernetes. */
export interface KubernetesSettings {
  /** Null: that of the kubeconfig's context, or of the control plane's own pod. */
  readonly namespace: string | null;
  readonly image: Images;
  /** A strategic merge patch of each pod. */
  readonly patch: unknown;
  /** How long a node may be unreachable before its pods are evicted, and then, before they are removed by force. */
  readonly lostNodeMs: number;
  /** Maximum requests per second of one control plane to the API server. */
  readonly requestsPerSecond: number;
}

/** Combines the variables; null with another runtime. Left: the problems. */
export const kubernetesSettings = (
  env: FieldsOf<typeof kubernetesVariables>,
  isWanted: boolean,
): Either<readonly string[], KubernetesSettings | null> => {
  if (!isWanted) {
    const advice = 'has no effect without ROWGRAPH_POD_RUNTIME=kubernetes; remove it, or choose that runtime';
    return unusedVariables(env, Object.keys(kubernetesVariables), advice);
  }
  const { ROWGRAPH_POD_IMAGE: image, ROWGRAPH_POD_PATCH_FILE: patchFile } = env;
  const patch = patchFile === undefined ? {} : readPatch(patchFile);
  const problems = [
    ...(image === undefined ? [IMAGE_REQUIRED] : []),
    ...(typeof patch === 'string' ? [`ROWGRAPH_POD_PATCH_FILE ${patchFile ?? ''} ${patch}`] : []),
  ];
  if (image === undefined || problems.length > 0) return left(problems);
  return right({
    namespace: env.ROWGRAPH_KUBERNETES_NAMESPACE ?? null,
    image,
    patch,
    lostNodeMs: env.ROWGRAPH_POD_LOST_NODE_TIMEOUT ?? 60_000,
    requestsPerSecond: env.ROWGRAPH_KUBERNETES_REQUEST_RATE ?? 20,
  });
};

/** The object in a file, JSON or YAML; a string: the error. */
const readPatch = (path: string): object | string => {
  try {
    const patch: unknown = parse(readFileSync(path, 'utf8'));
    const isObject = typeof patch === 'object' && patch !== null && !Array.isArray(patch);
    return isObject ? patch : 'must contain an object such as {spec: {nodeSelector: {…}}}';
  } catch (error) {
    return `cannot be read as JSON or YAML: ${error instanceof Error ? error.message : String(error)}`;
  }
};
