import { type Pool } from 'pg';
import { troubleOf } from './trouble-of';

/** Large enough to need new space on the disk, which the change of a row may do without. */
const BYTES = 256 * 1024;
const WITHIN_MS = 5_000;

/** Writes something that is replaced by the next trial, and answers why that cannot be done, null when it can. */
export const tryToWrite = async (pool: Pool): Promise<string | null> => {
  const trial = {
    text: `TRUNCATE es.write_trial; INSERT INTO es.write_trial SELECT convert_to(repeat('x', ${BYTES}), 'UTF8')`,
    query_timeout: WITHIN_MS,
  };
  return pool.query(trial).then(() => null, troubleOf);
};
