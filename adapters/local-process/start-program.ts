import { type Either, isRight } from 'fp-ts/Either';
import * as t from 'io-ts';
import { type Logger } from 'pino';
import { parseJson } from '../../domain/kernel/codecs';
import { type LaunchedProcess, launchProcess, type ProcessLaunch } from '../system/launch-process';

export interface ProgramLaunch extends Pick<ProcessLaunch, 'workingDirectory' | 'onMessage'> {
  /** The compiled entry file. */
  readonly programPath: string;
  readonly args?: readonly string[];
  /** The environment of the program, in addition to PATH, HOME, TMPDIR, LANG and NODE_EXTRA_CA_CERTS. */
  readonly environment: Readonly<Record<string, string>>;
  readonly onLine: (line: string, stream: 'stdout' | 'stderr') => void;
}

const INHERITED = ['HOME', 'TMPDIR', 'LANG', 'NODE_EXTRA_CA_CERTS'];

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

const LogLine = t.intersection([t.type({ level: t.number, msg: t.string }), t.UnknownRecord]);

/**
 * Returns a function that writes each output line of a child program to `log`: its log lines at their level, other text
 * as it is. A field that `log` itself adds to every line is taken from `log`, so that no line contains it twice.
 */
export const relayLogLine = (log: Logger): ((line: string, stream: 'stdout' | 'stderr') => void) => {
  const omitted = new Set(['level', 'msg', 'time', 'hostname', 'pid', ...Object.keys(log.bindings())]);
  return (line, stream) => {
    const entry = LogLine.decode(parseJson(line));
    if (isRight(entry)) {
      const fields = Object.entries(entry.right).filter(([name]) => !omitted.has(name));
      return log[methodOf(entry.right.level)](Object.fromEntries(fields), entry.right.msg);
    }
    if (stream === 'stderr') log.warn(line);
    else log.info(line);
  };
};

const methodOf = (level: number): 'debug' | 'info' | 'warn' | 'error' =>
  level >= 50 ? 'error' : level >= 40 ? 'warn' : level >= 30 ? 'info' : 'debug';
