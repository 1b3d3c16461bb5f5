import { left } from 'fp-ts/Either';
import * as t from 'io-ts';
import { bind, endpoint, type Handlers } from '../../../../adapters/http/kit';
import { domainError } from '../../../../domain/kernel/errors';

const endpoints = {
  read: endpoint('GET /things', {
    summary: 'Read',
    access: 'anybody',
    success: { status: 200, shape: 'data', body: t.string },
    errors: ['QUERY_TIMEOUT'],
  }),
};

describe('the declared errors of an endpoint', () => {
  it('restrict the errors that its handler may return', () => {
    const declared: Handlers<typeof endpoints, null> = {
      read: () => Promise.resolve(left(domainError('QUERY_TIMEOUT', 'too slow', { timeout_ms: 1 }))),
    };
    const undeclared: Handlers<typeof endpoints, null> = {
      // @ts-expect-error the endpoint does not declare it
      read: () => Promise.resolve(left(domainError('ALREADY_EXISTS', 'twice'))),
    };
    // @ts-expect-error details of another code
    const misfit = domainError('QUERY_TIMEOUT', 'too slow', { max_bytes: 1 });
    expect([declared, undeclared].map((handlers) => bind(endpoints, handlers).length)).toEqual([1, 1]);
    expect(misfit.code).toBe('QUERY_TIMEOUT');
  });
});
