import { type DomainError, domainError } from '../../domain/kernel/errors';

/** What a run tells that failed in several places: all of it, under the code of the first. */
export const summarizeFailures = ([first, ...others]: readonly DomainError[]): DomainError => {
  const { code = 'INTERNAL_ERROR', message = '', details } = first ?? {};
  if (others.length === 0) return domainError(code, message, details);
  return domainError(code, `${message} And ${others.length} more: ${others.map((one) => one.message).join(' ')}`);
};
