import { left, right } from 'fp-ts/Either';
import { pino } from 'pino';
import { retryUntilDone } from '../../../adapters/start/recovery';
import { type DomainError, domainError } from '../../../domain/kernel/errors';

const attemptsUntilDone = async (...failures: readonly DomainError[]): Promise<number> => {
  let attempts = 0;
  const attempt = () => {
    const failure = failures[attempts++];
    return Promise.resolve(failure === undefined ? right(undefined) : left(failure));
  };
  await retryUntilDone('an operation', attempt, new AbortController().signal, pino({ level: 'silent' }));
  return attempts;
};

it('an operation of the recovery is retried after temporary errors, and given up after a permanent one', async () => {
  const temporary = domainError('SERVICE_UNAVAILABLE', 'away');
  expect(await attemptsUntilDone(temporary, domainError('CONFLICT', 'changed'))).toBe(3);
  const permanent = domainError('INTERNAL_ERROR', 'unreadable');
  expect(await attemptsUntilDone(temporary, permanent, permanent)).toBe(2);
});
