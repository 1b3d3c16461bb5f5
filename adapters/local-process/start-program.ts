import { type Either } from 'fp-ts/Either';
import { launchProcess, type LaunchedProcess, type ProcessLaunch } from '../system/launch-process';

export interface ProgramLaunch extends Pick<ProcessLaunch, 'workingDirectory' | 'onMessage'> {
  /** The compiled entry file. */
  readonly programPath: string;
  readonly args?: readonly string[];
  /** The program gets these variables and of this process PATH, HOME, TMPDIR and LANG, no others. */
  readonly environment: Readonly<Record<string, string>>;
  readonly onLine: (line: string, stream: 'stdout' | 'stderr') => void;
}

const INHERITED = ['HOME', 'TMPDIR', 'LANG'];

/** Starts a program of rowgraph with an IPC channel; the program must end when the channel closes. */
export const startProgram = ({
  programPath,
  args = [],
  environment,
  ...launch
}: ProgramLaunch): Either<{ readonly reason: string }, LaunchedProcess> =>
  launchProcess({
    ...launch,
    command: [process.execPath, programPath, ...args],
    environment: { ...inherited(), ...environment },
    channel: 'json',
  });

const inherited = (): Record<string, string> =>
  Object.fromEntries(INHERITED.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])));
