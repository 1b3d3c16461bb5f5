import { domainError } from '../kernel/errors';
import { type QueryEngineError } from '../ports/query-engine';

/** A failure of the engine as a refusal: out of reach, or failing. `what` is one clause without a full stop. */
export const refusalOfEngine = (error: QueryEngineError, what: string) =>
  error.kind === 'unavailable'
    ? domainError('SERVICE_UNAVAILABLE', `The query engine could not be reached. ${what}: ${error.message}. Try again.`)
    : domainError('QUERYENGINE_ERROR', `The query engine failed. ${what}: ${error.message}.`);
