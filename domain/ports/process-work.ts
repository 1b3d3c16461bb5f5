import { type ProcessCommand } from '../processes';

/** A queued command of a process that has not been completed. */
export interface DueCommand {
  readonly streamId: string;
  /** Revision of the event that queued it. */
  readonly queuedRevision: number;
  readonly command: ProcessCommand;
  /** Number of earlier attempts. */
  readonly attempt: number;
  readonly correlationId: string;
  /** The id of the event that queued it; absent if an earlier version queued it. */
  readonly eventId?: string | undefined;
  /** Trace context of the event that queued it. */
  readonly traceparent?: string | undefined;
  /** Identifies this acquisition of the command; invalid when the lease was lost. */
  readonly lease: string;
}

export interface DueTimer {
  readonly streamId: string;
  readonly timerId: string;
  /** Revision of the event that set it; setting the timer again creates another one. */
  readonly setRevision: number;
}

export interface StuckCommand {
  readonly streamId: string;
  readonly type: string;
  /** Number of attempts. */
  readonly attempts: number;
}

/**
 * Pending commands and timers of the processes, derived from the log and rebuilt from it. The clock of the store decides
 * what is due. Calls reject when the store is unavailable.
 */
export interface ProcessWork {
  /** Leases due commands for `leaseSeconds`; other runners do not get them meanwhile. */
  takeDueCommands(limit: number, leaseSeconds: number): Promise<readonly DueCommand[]>;
  /** Renews the lease of a command for `leaseSeconds` from now; null when the lease was lost. */
  renewCommand(command: DueCommand, leaseSeconds: number): Promise<DueCommand | null>;
  /** Schedules a retry of a command after `delayMs`, unless its lease was lost; `failure`: why this attempt failed. */
  retryCommand(command: DueCommand, delayMs: number, failure: string | null): Promise<void>;
  /** Why the latest attempt of a stream's command of this type failed; null unless it is to be retried. */
  failureOf(streamId: string, type: ProcessCommand['type']): Promise<string | null>;
  /**
   * Takes due timers. One that is not fired is due again after a time that doubles with each attempt; other runners do
   * not get it meanwhile.
   */
  takeDueTimers(limit: number): Promise<readonly DueTimer[]>;
  /** Commands with ten or more attempts, or not leased within five minutes after they were due. */
  stuckCommands(): Promise<readonly StuckCommand[]>;
}
