import { left } from 'fp-ts/Either';
import { domainError } from '../../../domain/kernel/errors';
import { type ReadDatabase } from '../../../queries/kit/database';
import { readConfig } from '../../../queries/config';
import { type AnyEndpoint, type HandlerResult } from '../kit';

/** Refuses to create resources while the system is in maintenance; everything else goes on. */
export const refuseInMaintenance =
  (db: ReadDatabase) =>
  async (
    { bound }: { readonly bound: { readonly endpoint: AnyEndpoint } },
    next: () => HandlerResult<unknown>,
  ): HandlerResult<unknown> => {
    if (bound.endpoint.createsResource !== true) return next();
    const { enabled, message } = (await readConfig(db, 'maintenance')).value;
    if (!enabled) return next();
    const reason = message === '' ? 'Nothing new can be created for the time being; try again later.' : message;
    return left(domainError('SERVICE_UNAVAILABLE', `The system is in maintenance. ${reason}`, { maintenance: true }));
  };
