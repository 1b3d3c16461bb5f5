import { left, right } from 'fp-ts/Either';
import { domainError } from '../../domain/kernel/errors';
import { type Job } from './job';

export interface VerificationPorts {
  /** Compares the system with a replay of its log; rejects when that is not possible, or when the signal aborts. */
  readonly verify: (
    signal: AbortSignal,
  ) => Promise<{ readonly events: number; readonly differences: readonly object[] }>;
  readonly onDifference: (difference: object) => void;
}

/** Verifies the system. Differences are a result, not a failure of the run. */
export const verificationJob = ({ verify, onDifference }: VerificationPorts): Job => ({
  name: 'verification',
  run: ({ signal }) =>
    verify(signal).then(
      ({ events, differences }) => {
        differences.forEach(onDifference);
        return right({ events_verified: events, differences: differences.length });
      },
      (error: unknown) => left(domainError('SERVICE_UNAVAILABLE', `The verification ended early: ${String(error)}`)),
    ),
});
