import { exitText, type LaunchedProcess } from '../../../adapters/system/launch-process';

/** One run of a graph database's process. */
export interface EngineProcess {
  readonly pid: number;
  /** Resolves with the reason of its end. */
  readonly ended: Promise<string>;
  /** Ends the process immediately; has no effect after its end. */
  readonly kill: () => void;
}

export const engineProcess = ({ pid, exited, kill }: LaunchedProcess): EngineProcess => ({
  pid,
  ended: exited.then(exitText),
  kill: () => void kill(),
});
