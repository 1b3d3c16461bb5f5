import { type Logger } from 'pino';
import { type Closers } from '../system/closers';
import { type Settings } from './settings';

/** What every part of the system is opened with. A part that has to be closed adds how to `closers`. */
export interface Startup {
  readonly settings: Settings;
  readonly closers: Closers;
  readonly log: Logger;
  /** Called when the system cannot continue and has to be stopped, with the reason. */
  readonly fail: (reason: string) => void;
}
