import { exitText, type LaunchedProcess } from '../../../adapters/system/launch-process';

/** One run of a graph database's process. */
export interface EngineProcess {
  readonly pid: number;
  /** Resolves with how it ended. */
  readonly ended: Promise<string>;
  /** Ends it at once; does nothing when it has ended. */
  readonly kill: () => void;
}

export const engineProcess = ({ pid, exited, kill }: LaunchedProcess): EngineProcess => ({
  pid,
  ended: exited.then(exitText),
  kill: () => void kill(),
});
