import { isRight } from 'fp-ts/Either';
import * as t from 'io-ts';
import { type Logger } from 'pino';
import { parseJson } from '../../domain/kernel/codecs';

const LogLine = t.intersection([t.type({ level: t.number, msg: t.string }), t.UnknownRecord]);

/** Passes what a program of ours writes on to our log: its own log lines at their level, other text as it is. */
export const relayLogLine =
  (log: Logger) =>
  (line: string, stream: 'stdout' | 'stderr'): void => {
    const entry = LogLine.decode(parseJson(line));
    if (isRight(entry)) {
      const { level, msg, time: _time, hostname: _hostname, pid: _pid, ...fields } = entry.right;
      return log[methodOf(level)](fields, msg);
    }
    if (stream === 'stderr') log.warn(line);
    else log.info(line);
  };

const methodOf = (level: number): 'debug' | 'info' | 'warn' | 'error' =>
  level >= 50 ? 'error' : level >= 40 ? 'warn' : level >= 30 ? 'info' : 'debug';
