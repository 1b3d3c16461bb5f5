import { type Server } from 'node:net';
import { type Logger } from 'pino';
import { type WrapperType } from '../../domain/instance';
import { type ShutdownSteps } from '../system/shutdown-steps';
import { type Settings } from './settings';

/** The inputs for opening a part of the system. A part that must be closed adds a step to `shutdownSteps`. */
export interface Startup {
  readonly settings: Settings;
  /** Servers that hold the ports until the APIs listen there. */
  readonly heldPorts: Map<'public' | 'internal', Server>;
  /** What the start waits for, with its progress; returned by `/ready`. */
  readonly waitsFor: Map<string, () => string>;
  readonly shutdownSteps: ShutdownSteps;
  readonly log: Logger;
  /** Called with the reason when the system must stop. */
  readonly fail: (reason: string) => void;
  /** Why pods of a kind cannot run on this machine; null if no reason is known. */
  readonly platformCheck: (kind: WrapperType) => string | null;
}
