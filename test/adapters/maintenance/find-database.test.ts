import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findDatabase } from '../../../adapters/maintenance/find-database';

const dataDirectory = mkdtempSync(join(tmpdir(), 'rowgraph-database-'));
afterAll(() => rmSync(dataDirectory, { recursive: true }));

test('a data folder without a system, or one that cannot be read, is an error that names it', () => {
  const settings = { databaseUrl: null, dataDirectory };
  expect(findDatabase(settings)).toMatchObject({ left: { lines: [expect.stringContaining('No system has run in')] } });
  mkdirSync(join(dataDirectory, 'database-url'));
  expect(findDatabase(settings)).toMatchObject({
    left: { lines: [expect.stringContaining(`Cannot read ${dataDirectory}`), 'Run this as the user of the server.'] },
  });
});
