import { type DomainError, domainError, type ErrorCode, invalidField, notFound } from '../../../domain/kernel/errors';

/** The same message for every caller and request. */
export const TOO_MANY_FAILED_LOGINS =
  'Too many refused calls from this address or with this key within a minute. Wait, or send valid credentials.';

const UNKNOWN_NAME = 'Unknown name m; bind it by MATCH, UNWIND or WITH before.';

const named: readonly DomainError[] = [
  invalidField('limit', 'must be an integer from 1 to 100'),
  { ...invalidField('reason', 'is required'), code: 'VALIDATION_ERROR' },
  domainError('PAYLOAD_TOO_LARGE', 'The body is larger than this operation takes: 1048576 bytes.', {
    max_bytes: 1_048_576,
  }),
  domainError('UNAUTHORIZED', 'The user ada is deactivated; ask an admin.', { reason: 'user_disabled' }),
  domainError('FORBIDDEN', 'This needs the role admin; yours is analyst.', {
    required_role: 'admin',
    your_role: 'analyst',
  }),
  domainError('PERMISSION_DENIED', 'Only ada, an admin or ops may do this.', {
    owner_username: 'ada',
    your_role: 'analyst',
  }),
  notFound('mapping', 404),
  domainError('MAPPING_VERSION_NOT_FOUND', 'Mapping 1 has no version 9; its latest is 2.', {
    mapping_id: 1,
    version: 9,
    latest_version: 2,
  }),
  domainError('RATE_LIMIT_EXCEEDED', TOO_MANY_FAILED_LOGINS, { retry_after_seconds: 42 }),
  domainError('CONFLICT', 'It was changed at the same time. Nothing was changed; read it and try again.'),
  domainError('RESOURCE_LOCKED', 'The algorithm pagerank of ada runs on instance 1; wait until it ends.', {
    algorithm_name: 'pagerank',
    holder_username: 'ada',
  }),
  domainError('INVALID_STATE', 'Instance 1 is starting; this needs running.', { current_status: 'starting' }),
  ...(['GRAPHDB_A_ERROR', 'GRAPHDB_B_ERROR'] as const).map((code) =>
    domainError(code, UNKNOWN_NAME, {
      message: UNKNOWN_NAME,
      position: { line: 2, column: 8 },
      excerpt: { line: 'RETURN m.name', caret: '       ^' },
    }),
  ),
  domainError('INTERNAL_ERROR', 'Unexpected error. Report the request id to an administrator.'),
  domainError('SERVICE_UNAVAILABLE', 'The database could not be reached; try again.'),
];

/** An example error of each code, for responses without an example of their endpoint. */
export const ERROR_EXAMPLES: ReadonlyMap<ErrorCode, DomainError> = new Map(named.map((error) => [error.code, error]));
