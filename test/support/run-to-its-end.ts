import { isLeft } from 'fp-ts/Either';
import { startProgram } from '../../adapters/local-process/start-program';
import { START_PROGRAM } from './running-system';

/** Runs the start program until it ends. */
export const runToItsEnd = async (
  environment: Readonly<Record<string, string>>,
): Promise<{ readonly code: number | null; readonly lines: readonly string[] }> => {
  const lines: string[] = [];
  const started = startProgram({ programPath: START_PROGRAM, environment, onLine: (line) => lines.push(line) });
  if (isLeft(started)) throw new Error(started.left.reason);
  const { code } = await started.right.terminated;
  return { code, lines };
};
