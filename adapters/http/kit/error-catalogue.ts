import { type ErrorCode } from '../../../domain/kernel/errors';

interface ErrorKind {
  readonly status: number;
  /** One line for the API description. */
  readonly title: string;
  /** Code on the wire where it differs from the name used inside. */
  readonly wireCode?: string;
}

/**
 * The HTTP status and title of every error code. The record is exhaustive: a new code without a line here does not
 * compile.
 */
export const ERROR_CATALOGUE: Readonly<Record<ErrorCode, ErrorKind>> = {
  VALIDATION_FAILED: { status: 400, title: 'The request is not valid' },
  VALIDATION_ERROR: { status: 400, title: 'The request is not valid' },
  UNPROCESSABLE: { status: 422, title: 'Unknown kind of resource', wireCode: 'VALIDATION_ERROR' },
  PAYLOAD_TOO_LARGE: { status: 413, title: 'The body is too large', wireCode: 'VALIDATION_FAILED' },
  UNAUTHORIZED: { status: 401, title: 'Missing or invalid identity' },
  INVALID_COMPONENT: { status: 401, title: 'Unknown component identity' },
  MISDIRECTED_REQUEST: { status: 421, title: 'The request is for another host, or from a page of another origin' },
  PERMISSION_DENIED: { status: 403, title: 'Only the owner, an admin or ops may do this' },
  FORBIDDEN: { status: 403, title: 'The role is insufficient' },
  RESOURCE_NOT_FOUND: { status: 404, title: 'The resource does not exist' },
  MAPPING_VERSION_NOT_FOUND: { status: 404, title: 'The mapping has no such version' },
  ALGORITHM_NOT_FOUND: { status: 404, title: 'Unknown algorithm' },
  ALGORITHM_UNKNOWN: { status: 400, title: 'Unknown algorithm', wireCode: 'ALGORITHM_NOT_FOUND' },
  EXECUTION_NOT_FOUND: { status: 404, title: 'Unknown execution' },
  METHOD_NOT_ALLOWED: { status: 405, title: 'The path exists, but not with this method' },
  RESOURCE_LOCKED: { status: 409, title: 'An algorithm holds the lock of the instance' },
  CONCURRENCY_LIMIT_EXCEEDED: { status: 409, title: 'A limit of concurrent instances is reached' },
  RESOURCE_HAS_DEPENDENCIES: { status: 409, title: 'Other resources depend on this one' },
  INVALID_STATE: { status: 409, title: 'The current state does not allow this' },
  INVALID_STATE_TRANSITION: { status: 409, title: 'The reported state cannot follow the current one' },
  JOBS_ALREADY_EXIST: { status: 409, title: 'The snapshot already has export jobs' },
  ALREADY_EXISTS: { status: 409, title: 'The resource already exists' },
  CONFLICT: { status: 409, title: 'The resource was changed at the same time' },
  RATE_LIMIT_EXCEEDED: { status: 429, title: 'Repeated too soon, or too many rejected calls' },
  QUERY_TIMEOUT: { status: 408, title: 'The query took longer than its timeout' },
  QUERYENGINE_ERROR: { status: 500, title: 'The query engine failed' },
  QUERY_ERROR: { status: 400, title: 'Unknown algorithm' },
  GRAPHDB_A_ERROR: { status: 400, title: 'The graph database rejected the statement' },
  GRAPHDB_B_ERROR: { status: 400, title: 'The graph database rejected the statement' },
  STORAGE_ERROR: { status: 500, title: 'The object store failed' },
  GATEWAY_TIMEOUT: { status: 504, title: 'The instance does not answer' },
  SERVICE_UNAVAILABLE: { status: 503, title: 'Temporarily unavailable' },
  INTERNAL_ERROR: { status: 500, title: 'Unexpected failure' },
};
