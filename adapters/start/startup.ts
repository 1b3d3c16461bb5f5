import { type Server } from 'node:net';
import { type Logger } from 'pino';
import { type WrapperType } from '../../domain/instance';
import { type ShutdownSteps } from '../system/shutdown-steps';
import { type Settings } from './settings';

/** The inputs for opening a part of the system. A part that must be closed registers this in `closers`. */
export interface Startup {
  readonly settings: Settings;
  /** Servers that occupy the ports chosen for port 0 until the API listens there. */
  readonly chosenPorts: Map<'public' | 'internal', Server>;
  /** Ends what listens on a fixed port while the system starts. */
  readonly placeholders: Map<'public' | 'internal', () => Promise<void>>;
  /** What the start waits for, with its progress; returned by `/ready`. */
  readonly waitsFor: Map<string, () => string>;
  readonly closers: ShutdownSteps;
  readonly log: Logger;
  /** Called with the reason when the system must stop. */
  readonly fail: (reason: string) => void;
  /** Why pods of a kind cannot run on this machine; null if no reason is known. */
  readonly platformCheck: (kind: WrapperType) => string | null;
}
