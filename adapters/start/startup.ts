import { type Server } from 'node:net';
import { type Logger } from 'pino';
import { type WrapperType } from '../../domain/instance';
import { type Closers } from '../system/closers';
import { type Settings } from './settings';

/** What every part of the system is opened with. A part that has to be closed adds how to `closers`. */
export interface Startup {
  readonly settings: Settings;
  /** Servers that hold the ports chosen for port 0; the first that listens there for the API takes over and removes them. */
  readonly chosenPorts: Map<'public' | 'internal', Server>;
  /** Ends what listens on a fixed port while the system starts. */
  readonly placeholders: Map<'public' | 'internal', () => Promise<void>>;
  /** What the start waits for, with how far it is; `/ready` returns it. */
  readonly waitsFor: Map<string, () => string>;
  readonly closers: Closers;
  readonly log: Logger;
  /** Called when the system cannot continue and has to be stopped, with the reason. */
  readonly fail: (reason: string) => void;
  /** Why a pod of a kind cannot run on this machine, null when it can as far as is known. */
  readonly platformCheck: (kind: WrapperType) => string | null;
}
