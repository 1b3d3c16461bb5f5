import { type Either, left } from 'fp-ts/Either';
import { type DomainError, domainError } from '../kernel/errors';
import { type AllowList } from './allow-list';

/** The refusal of a catalog, or a schema of it, that is not on the allow-list; null when it may be looked at. */
export const refuseForbidden = (
  allowList: AllowList,
  catalog: string,
  schema?: string,
): Either<DomainError<'PERMISSION_DENIED'>, never> | null => {
  const allowed = schema === undefined ? allowList.allowsCatalog(catalog) : allowList.allowsSchema(catalog, schema);
  if (allowed) return null;
  const what = schema === undefined ? `catalog ${catalog}` : `schema ${catalog}.${schema}`;
  const message = `The ${what} is not among those this system may read. Ask its operators to allow it, or choose another.`;
  return left(domainError('PERMISSION_DENIED', message, { catalog, ...(schema === undefined ? {} : { schema }) }));
};
