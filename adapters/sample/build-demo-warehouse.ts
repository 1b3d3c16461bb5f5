import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { BANK_STATEMENTS } from './bank-tables';

/**
 * Writes the demo database `bank.duckdb` (an invented bank with 20,000 customers, 30,000 accounts and 300,000
 * transfers) into a folder, with the same content on every machine. The file is created only when it is complete and
 * replaces an older one. Rejects if the folder is not writable.
 */
export const buildDemoWarehouse = async (directory: string): Promise<void> => {
  await mkdir(directory, { recursive: true });
  await buildBankDatabase(join(directory, 'bank.duckdb'));
};

/** Writes `bank.duckdb` unless it exists. */
export const addBankDatabase = async (directory: string): Promise<void> => {
  const path = join(directory, 'bank.duckdb');
  if (!existsSync(path)) await buildBankDatabase(path);
};

const buildBankDatabase = async (path: string): Promise<void> => {
  const unfinished = `${path}.unfinished-${process.pid}`;
  await rm(unfinished, { force: true });
  // The control plane, which has no other use of it, adds the sample once in its life at most.
  const { DuckDBInstance } = await import('@duckdb/node-api');
  const instance = await DuckDBInstance.create(unfinished);
  try {
    const connection = await instance.connect();
    for (const statement of BANK_STATEMENTS) await connection.run(statement);
    connection.closeSync();
  } finally {
    instance.closeSync();
  }
  await rename(unfinished, path);
};
