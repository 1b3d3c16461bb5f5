import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Load, type LoadReport } from './load-clients';

/** Loads a system from a separate process. `count`: clients, or requests per second in an open loop. */
export const runClients = async (url: string, load: Load, count: number, seconds: number): Promise<LoadReport> => {
  const args = [join(__dirname, 'load-clients.js'), url, String(count), String(seconds), load];
  const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: 512 * 1024 * 1024 });
  return JSON.parse(stdout) as LoadReport;
};
