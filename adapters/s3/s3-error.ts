import { type ObjectStoreError } from '../../domain/ports/object-store';

/** An exception of the client, or an entry of `Errors` in a response. */
interface S3Failure {
  readonly name?: unknown;
  readonly message?: unknown;
  readonly $metadata?: { readonly httpStatusCode?: number };
}

const ABSENT = ['NoSuchKey', 'NotFound'];
const BUSY = ['SlowDown', 'ServiceUnavailable', 'TooManyRequests', 'TooManyRequestsException', 'ThrottlingException', 'RequestLimitExceeded']; // prettier-ignore
const EXPIRED = ['ExpiredToken', 'ExpiredTokenException', 'TokenRefreshRequired', 'RequestExpired', 'CredentialsProviderError']; // prettier-ignore
const DENIED = ['AccessDenied', 'InvalidAccessKeyId', 'SignatureDoesNotMatch', 'AllAccessDisabled', 'AccountProblem'];

/** How servers reject the checksums that clients send since 2025, and deletions without an MD5. */
const NEW_CHECKSUMS =
  /^NotImplemented|XAmzContentSHA256Mismatch|x-amz-(sdk-)?checksum|x-amz-trailer|x-amz-content-sha256|aws-chunked|content-?md5/i;
const CHECKSUMS_HINT =
  '; if the server does not support the checksums of current clients, set ROWGRAPH_S3_CHECKSUMS=required';

/** A failure of S3 as an error of the port; by its name, else by its status: responses without a body have no name. */
export const s3Error = (key: string, thrown: unknown): ObjectStoreError => {
  const {
    name,
    message,
    $metadata: { httpStatusCode: status } = {},
  }: S3Failure = thrown instanceof Object ? thrown : {};
  const code = typeof name === 'string' ? name : 'Unknown';
  if (ABSENT.includes(code) || (status === 404 && code !== 'NoSuchBucket')) return { kind: 'not_found', key };
  const text = typeof message === 'string' && message !== '' ? message : String(thrown);
  const hint = NEW_CHECKSUMS.test(`${code} ${text}`) ? CHECKSUMS_HINT : '';
  return { kind: kindOf(code, status), key, reason: `S3: ${code}${text === code ? '' : `: ${text}`}${hint}` };
};

const kindOf = (
  code: string,
  status: number | undefined,
): Exclude<ObjectStoreError['kind'], 'not_found' | 'invalid_key'> => {
  if (EXPIRED.includes(code)) return 'credentials_expired';
  if (DENIED.includes(code)) return 'access_denied';
  if (BUSY.includes(code) || status === 429) return 'busy';
  return status === 403 ? 'access_denied' : 'unavailable';
};
