import { type FieldError } from './codecs';
import { type ErrorDetails } from './error-details';

/** The HTTP status of each is in the kit's error catalogue. */
export type ErrorCode = keyof ErrorDetails;

/**
 * A rejection or failure as a value, one of `Code`. `message` says what failed, for which id, what was expected and
 * what to do.
 */
export type DomainError<Code extends ErrorCode = ErrorCode> = {
  [C in Code]: { readonly code: C; readonly message: string; readonly details?: ErrorDetails[C] };
}[Code];

export const domainError = <Code extends ErrorCode>(
  code: Code,
  message: string,
  details?: ErrorDetails[Code],
): DomainError<Code> => (details === undefined ? { code, message } : { code, message, details });

export const notFound = (resource: string, id: string | number): DomainError<'RESOURCE_NOT_FOUND'> =>
  domainError(
    'RESOURCE_NOT_FOUND',
    `Unknown ${resource} ${id}; it may have been deleted. List the ${`${resource}s`.replace(/ys$/, 'ies')}.`,
    {
      [`${resource.replaceAll(' ', '_')}_id`]: id,
    },
  );

/** The error of one field, and the violated bound if there is one. */
export interface Fault extends FieldError {
  readonly requested?: string;
  readonly max_allowed?: string | number;
}

/** One field of the body violates a rule. */
export const invalidField = (
  field: string,
  message: string,
  range: Pick<Fault, 'requested' | 'max_allowed'> = {},
): DomainError<'VALIDATION_FAILED'> => invalidFields([{ field, message, ...range }]);

/** Several fields of the body violate rules. */
export const invalidFields = (faults: readonly Fault[]): DomainError<'VALIDATION_FAILED'> => {
  const errors = faults.map(({ field, message }) => ({ field, message }));
  const words = errors.map(({ field, message }) => `${field} ${message}`);
  const { field: _field, message: _message, ...range } = faults.find((fault) => 'max_allowed' in fault) ?? UNBOUND;
  return domainError('VALIDATION_FAILED', `${words.join('; ')}.`, {
    ...(errors[0] && { field: errors[0].field }),
    errors,
    ...range,
  });
};

const UNBOUND: Fault = { field: '', message: '' };

/** The store of a command or query did not answer; nothing was acknowledged. */
export const unavailable = (what: string, reason: string): DomainError<'SERVICE_UNAVAILABLE'> =>
  domainError('SERVICE_UNAVAILABLE', `${what} could not be reached (${reason}). Nothing was changed; try again.`);
