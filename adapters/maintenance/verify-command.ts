import { setTimeout as sleep } from 'node:timers/promises';
import { left, right } from 'fp-ts/Either';
import { mapLeft } from '../../domain/kernel/either';
import { type Verification, verify, verifySeals } from '../../projections/verify';
import { type CommandInput, type LocalContext, type Outcome } from '../cli/action';
import { type CliFailure, usageError } from '../cli/failure';
import { type Output, tableOf } from '../cli/output';
import { sha256 } from '../system/sha256';
import { systemClock } from '../system/system-clock';
import { withEventStore } from './find-database';
import { replayProgress } from './replay-progress';

const PAUSE_MS = 250;

/**
 * Compares the read models with a replay of the log beside the live system, or checks only the seals of the log. Exit
 * code 1 for differences, 2 if nothing could be verified.
 */
export const verifySystem = async (
  given: Pick<CommandInput, 'text' | 'flag'>,
  { terminal, environment }: LocalContext,
): Outcome => {
  const expectedSeal = given.text('expect')?.toLowerCase() ?? null;
  if (expectedSeal !== null && !/^[0-9a-f]{64}$/.test(expectedSeal)) {
    return left(usageError(`--expect must be the hash of a seal, 64 hexadecimal digits; got "${expectedSeal}".`));
  }
  const sample = shareOf(given.text('sample'));
  if (sample === undefined) return left(usageError('--sample must be a percentage from 0.01% to 100%, such as 5%.'));
  if (sample !== null && given.flag('seals')) {
    return left(usageError('--seals does not compare rows: leave out --sample, or --seals.'));
  }
  const verified = await withEventStore(
    environment,
    0,
    (reason) => `The verification failed: ${reason}`,
    async (pool, store) => {
      const onPage = replayProgress(await store.head(), terminal.errors, 'comparing rows');
      const ports = { store, sha256, expectedSeal, onPage };
      if (given.flag('seals')) return right(outputOf(await verifySeals(ports), 'The seals hold'));
      const now = (): Date => systemClock.now();
      const verification = await verify({ ...ports, pool, sample, now, pause: () => sleep(PAUSE_MS) });
      return right(outputOf(verification, 'The read models equal the log, the log is in order, and its seals hold'));
    },
  );
  return mapLeft(verified, (failure: CliFailure): CliFailure => ({ ...failure, exitCode: 2 }));
};

/** `5%` as a share; null for all, undefined for anything else. */
const shareOf = (text: string | undefined): number | null | undefined => {
  if (text === undefined) return null;
  const percent = /^\d{1,3}(\.\d{1,2})?%$/.test(text) ? Number.parseFloat(text) : 0;
  return percent > 0 && percent <= 100 ? percent / 100 : undefined;
};

const outputOf = (verification: Verification, praise: string): Output => {
  const { ok, position, differences, seals } = verification;
  const unsealed = seals.unsealed_from === null ? '' : ` Events from position ${seals.unsealed_from} are not sealed.`;
  const newest = seals.last === null ? 'There is no seal.' : `Seal ${seals.last.number}: ${seals.last.hash}.`;
  if (ok) return { data: verification, text: `${praise}, up to position ${position}. ${newest}${unsealed}` };
  const rows = differences.map((one) => ({
    ...one,
    expected: JSON.stringify(one.expected),
    actual: JSON.stringify(one.actual),
  }));
  const table = tableOf(rows, {
    kind: 'kind',
    'read model': 'read_model',
    key: 'key',
    column: 'column',
    expected: 'expected',
    actual: 'actual',
  });
  return { data: verification, table, note: `${newest}${unsealed}`, exitCode: 1 };
};
