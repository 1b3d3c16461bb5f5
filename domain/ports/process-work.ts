import { type ProcessCommand } from '../processes';

/** A command that a process queued and that is not done yet. */
export interface DueCommand {
  readonly streamId: string;
  /** Revision of the event that queued it. */
  readonly queuedRevision: number;
  readonly command: ProcessCommand;
  /** How often it was tried before. */
  readonly attempt: number;
  readonly correlationId: string;
  /** Of the event that queued it. */
  readonly traceparent?: string | undefined;
  /** Identifies this taking of the command; no longer valid when the lease was lost. */
  readonly lease: string;
}

export interface DueTimer {
  readonly streamId: string;
  readonly timerId: string;
  /** Revision of the event that set it; a timer set again since is another one. */
  readonly setRevision: number;
}

export interface StuckCommand {
  readonly streamId: string;
  readonly type: string;
  /** How often it was tried. */
  readonly attempts: number;
}

/** Work the processes wait for, kept beside the log and rebuilt from it. Calls reject when the store is away. */
export interface ProcessWork {
  /** Takes due commands for `leaseSeconds`; no other runner gets them meanwhile. */
  takeDueCommands(now: Date, limit: number, leaseSeconds: number): Promise<readonly DueCommand[]>;
  /** Holds a taken command for `leaseSeconds` from now; null when its lease was lost. */
  renewCommand(command: DueCommand, now: Date, leaseSeconds: number): Promise<DueCommand | null>;
  /** Gives a command back, to be tried again at `dueAt`, unless its lease was lost. */
  retryCommand(command: DueCommand, dueAt: Date): Promise<void>;
  dueTimers(now: Date, limit: number): Promise<readonly DueTimer[]>;
  /** Commands tried ten times or more, or left lying for five minutes after they were due. */
  stuckCommands(now: Date): Promise<readonly StuckCommand[]>;
}
