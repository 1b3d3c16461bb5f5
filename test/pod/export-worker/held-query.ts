import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { open, readdir, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { waitFor } from '../../support/wait-for';

/** A query that runs for as long as a test wants. */
export interface HeldQuery {
  /** One row with the column `id`. */
  readonly sql: string;
  /** Waits for the query to start and lets it end. */
  end(): Promise<void>;
}

/**
 * A query that reads a pipe, to which nothing is written before `end`. `scratchDirectory` is that of a running worker:
 * its engine can open files of a test only in the folder to which it writes exports.
 */
export const holdQuery = async (scratchDirectory: string): Promise<HeldQuery> => {
  const engine = (await readdir(scratchDirectory)).find((name) => name.startsWith('duckdb-'))!;
  const pipe = join(scratchDirectory, engine, 'exports', `held-${randomUUID()}`);
  execFileSync('mkfifo', [pipe]);
  return {
    // Only a query that needs the size opens the file.
    sql: `SELECT size AS id FROM read_text('${pipe}')`,
    end: async () => {
      await waitFor('the query reads its pipe', async () => {
        // Fails until the pipe has a reader.
        const writing = await open(pipe, constants.O_WRONLY | constants.O_NONBLOCK).catch(() => null);
        await writing?.close();
        return writing !== null;
      });
      await unlink(pipe);
    },
  };
};
