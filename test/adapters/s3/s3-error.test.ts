import { s3Error } from '../../../adapters/s3/s3-error';

/** Without a name: answers without a body, such as those to HEAD. */
it.each([
  ['SlowDown', 503, 'busy'],
  ['TooManyRequests', 429, 'busy'],
  ['ServiceUnavailable', 503, 'busy'],
  ['Unknown', 429, 'busy'],
  ['InternalError', 500, 'unavailable'],
  ['Unknown', 502, 'unavailable'],
  ['NoSuchBucket', 404, 'unavailable'],
  ['PermanentRedirect', 301, 'unavailable'],
  ['TimeoutError', undefined, 'unavailable'],
  ['ECONNREFUSED', undefined, 'unavailable'],
  ['AccessDenied', 403, 'access_denied'],
  ['InvalidAccessKeyId', 403, 'access_denied'],
  ['SignatureDoesNotMatch', 403, 'access_denied'],
  ['Unknown', 403, 'access_denied'],
  ['ExpiredToken', 400, 'credentials_expired'],
  ['CredentialsProviderError', undefined, 'credentials_expired'],
  ['NoSuchKey', 404, 'not_found'],
  ['NotFound', 404, 'not_found'],
  ['Unknown', 404, 'not_found'],
])('classifies %s (%s) as %s', (name, httpStatusCode, kind) => {
  const thrown = Object.assign(new Error('why'), { name, $metadata: { httpStatusCode } });
  const reason = kind === 'not_found' ? {} : { reason: `S3: ${name}: why` };
  expect(s3Error('a/b', thrown)).toEqual({ kind, key: 'a/b', ...reason });
});

it.each([
  ['NotImplemented', 'A header you provided implies functionality that is not implemented'],
  ['InvalidArgument', "Unsupported header 'x-amz-checksum-crc32' received for this API call."],
  ['InvalidArgument', 'aws-chunked encoding is not supported with the specified x-amz-content-sha256 value.'],
  ['XAmzContentSHA256Mismatch', 'UnknownError'],
  ['InvalidRequest', 'Missing required header for this request: Content-MD5'],
  ['MissingContentMD5', 'UnknownError'],
])('%s (%s) names the setting for older servers', (name, message) => {
  expect(s3Error('a/b', Object.assign(new Error(message), { name }))).toMatchObject({
    reason: expect.stringContaining('set ROWGRAPH_S3_CHECKSUMS=required') as string,
  });
});
