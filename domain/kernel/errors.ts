/** Every way a request can be refused or fail. The HTTP status of each is in the kit's error catalogue. */
export type ErrorCode =
  | 'VALIDATION_FAILED'
  | 'VALIDATION_ERROR'
  | 'UNPROCESSABLE'
  | 'PAYLOAD_TOO_LARGE'
  | 'UNAUTHORIZED'
  | 'INVALID_COMPONENT'
  | 'PERMISSION_DENIED'
  | 'FORBIDDEN'
  | 'RESOURCE_NOT_FOUND'
  | 'MAPPING_VERSION_NOT_FOUND'
  | 'ALGORITHM_NOT_FOUND'
  | 'ALGORITHM_UNKNOWN'
  | 'EXECUTION_NOT_FOUND'
  | 'METHOD_NOT_ALLOWED'
  | 'RESOURCE_LOCKED'
  | 'CONCURRENCY_LIMIT_EXCEEDED'
  | 'RESOURCE_HAS_DEPENDENCIES'
  | 'INVALID_STATE'
  | 'INVALID_STATE_TRANSITION'
  | 'JOBS_ALREADY_EXIST'
  | 'ALREADY_EXISTS'
  | 'CONFLICT'
  | 'RATE_LIMIT_EXCEEDED'
  | 'QUERY_TIMEOUT'
  | 'QUERYENGINE_ERROR'
  | 'QUERY_ERROR'
  | 'GRAPHDB_A_ERROR'
  | 'GRAPHDB_B_ERROR'
  | 'STORAGE_ERROR'
  | 'SERVICE_UNAVAILABLE'
  | 'INTERNAL_ERROR';

/** A refusal or failure as a value. `message` says what failed, for which id, what was expected and what to do. */
export interface DomainError {
  readonly code: ErrorCode;
  readonly message: string;
  readonly details?: Readonly<Record<string, unknown>>;
}

export const domainError = (
  code: ErrorCode,
  message: string,
  details?: Readonly<Record<string, unknown>>,
): DomainError => (details === undefined ? { code, message } : { code, message, details });

export const notFound = (resource: string, id: string | number): DomainError =>
  domainError('RESOURCE_NOT_FOUND', `There is no ${resource} ${id}. It may have been deleted; list what exists.`, {
    [`${resource.replaceAll(' ', '_')}_id`]: id,
  });

/** A rule about one field of the body was broken. */
export const invalidField = (
  field: string,
  message: string,
  details: Readonly<Record<string, unknown>> = {},
): DomainError =>
  domainError('VALIDATION_FAILED', `${field} ${message}.`, { field, errors: [{ field, message }], ...details });

/** Rules about several fields of the body were broken. */
export const invalidFields = (errors: readonly { readonly field: string; readonly message: string }[]): DomainError => {
  const words = errors.map(({ field, message }) => `${field} ${message}`);
  return domainError('VALIDATION_FAILED', `${words.join('; ')}.`, { field: errors[0]?.field, errors });
};

/** The store behind a command or query did not answer; nothing was acknowledged. */
export const unavailable = (what: string, reason: string): DomainError =>
  domainError('SERVICE_UNAVAILABLE', `${what} could not be reached (${reason}). Nothing was changed; try again.`);
