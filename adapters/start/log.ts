import { type Logger, pino } from 'pino';
import { logOptions } from '../system/log-options';
import { type Settings } from './settings';

/** JSON lines on stderr; stdout belongs to what the program has to say to people. */
export const createLog = (level: Settings['logLevel']): Logger =>
  process.stderr.isTTY
    ? pino({
        ...logOptions,
        level,
        transport: { target: 'pino-pretty', options: { destination: 2, ignore: 'pid,hostname' } },
      })
    : pino({ ...logOptions, level }, pino.destination({ dest: 2, sync: false }));
