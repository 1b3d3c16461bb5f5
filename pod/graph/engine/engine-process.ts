import { type ChildProcess } from 'node:child_process';

/** One run of a graph database's process. */
export interface EngineProcess {
  readonly pid: number;
  /** Resolves with how it ended. */
  readonly ended: Promise<string>;
  /** Ends it at once; does nothing when it has ended. */
  readonly kill: () => void;
}

/** Resolves with how a child ended: its signal, its exit code, or why it did not start. */
export const endOf = (child: ChildProcess): Promise<string> =>
  new Promise((resolve) => {
    child.on('error', (error) => resolve(error.message));
    child.on('exit', (code, signal) => resolve(signal ?? `exit code ${code ?? 0}`));
  });
