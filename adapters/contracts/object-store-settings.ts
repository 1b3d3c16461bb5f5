import { isLeft } from 'fp-ts/Either';
import { type FieldsOf, matching, oneOf, optional } from '../../domain/kernel/codecs';
import { nonEmpty, onOff, unusedVariables, url } from './environment';

/** Object store variables of both the server and its workers. */
export const objectStoreVariables = {
  ROWGRAPH_OBJECT_STORE: optional(oneOf('filesystem', 's3')),
  ROWGRAPH_S3_BUCKET: optional(nonEmpty(255)),
  ROWGRAPH_S3_PREFIX: optional(
    matching(/^[^/\\]+(\/[^/\\]+)*$/, 'must be a path without "/" at its ends, such as rowgraph/prod', 500),
  ),
  ROWGRAPH_S3_ENDPOINT: optional(url('http', 'https')),
  ROWGRAPH_S3_PATH_STYLE: optional(onOff),
  ROWGRAPH_S3_REGION: optional(nonEmpty(100)),
  ROWGRAPH_S3_SSE: optional(matching(/^(AES256|aws:kms(:\S+)?)$/, 'must be AES256, aws:kms or aws:kms:<key>', 2100)),
  ROWGRAPH_S3_CHECKSUMS: optional(oneOf('supported', 'required')),
};

/** Location of the objects on S3. Credentials are found by the default provider chain of AWS. */
export interface S3Settings {
  readonly bucket: string;
  /** Prefix of every key, without `/` at either end; empty: none. */
  readonly prefix: string;
  readonly endpoint?: string | undefined;
  readonly pathStyle: boolean;
  readonly region?: string | undefined;
  readonly encryption: { readonly algorithm: 'AES256' | 'aws:kms'; readonly key?: string | undefined } | null;
  /** `required`: none but the MD5 of deletions, for servers that do not support newer ones. */
  readonly checksums: 'supported' | 'required';
}

type Given = FieldsOf<typeof objectStoreVariables>;

/** The settings of S3; null for another object store. */
export const s3Settings = (env: Given): S3Settings | null => {
  if (env.ROWGRAPH_OBJECT_STORE !== 's3') return null;
  const [, kmsKey] = /^aws:kms:(.+)$/.exec(env.ROWGRAPH_S3_SSE ?? '') ?? [];
  const algorithm = env.ROWGRAPH_S3_SSE === 'AES256' ? 'AES256' : 'aws:kms';
  return {
    bucket: env.ROWGRAPH_S3_BUCKET ?? '',
    prefix: env.ROWGRAPH_S3_PREFIX ?? '',
    endpoint: env.ROWGRAPH_S3_ENDPOINT,
    pathStyle: env.ROWGRAPH_S3_PATH_STYLE === 'on',
    region: env.ROWGRAPH_S3_REGION,
    encryption: env.ROWGRAPH_S3_SSE === undefined ? null : { algorithm, key: kmsKey },
    checksums: env.ROWGRAPH_S3_CHECKSUMS ?? 'supported',
  };
};

export const BUCKET_REQUIRED = 'ROWGRAPH_S3_BUCKET is required with ROWGRAPH_OBJECT_STORE=s3';

/** Errors in combinations of the variables. */
export const objectStoreErrors = (env: Given): readonly string[] => {
  if (env.ROWGRAPH_OBJECT_STORE === 's3') return env.ROWGRAPH_S3_BUCKET === undefined ? [BUCKET_REQUIRED] : [];
  const names = Object.keys(objectStoreVariables).filter((name) => name.startsWith('ROWGRAPH_S3_'));
  const advice = 'has no effect without ROWGRAPH_OBJECT_STORE=s3; remove it, or choose that store';
  const unused = unusedVariables(env, names, advice);
  return isLeft(unused) ? unused.left : [];
};
