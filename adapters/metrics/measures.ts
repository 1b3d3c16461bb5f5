/** The state of the system as numbers; null or absent: not known. */
export interface Measures {
  readonly feedPosition: number | null;
  /** By read model. */
  readonly projectionLag: Readonly<Record<string, number>>;
  /** By read model, or `processes`; 0 where nothing is parked. */
  readonly parkedEvents: Readonly<Record<string, number>>;
  /** By type of command. */
  readonly queuedCommands: Readonly<Record<string, number>>;
  readonly stuckCommands: number | null;
  readonly oldestCommandSeconds: number | null;
  readonly timers: number | null;
  readonly overdueTimers: number | null;
  /** By status. */
  readonly instances: Readonly<Record<string, number>>;
  readonly snapshots: Readonly<Record<string, number>>;
  readonly exportJobs: Readonly<Record<string, number>>;
  /** By phase. */
  readonly pods: Readonly<Record<string, number>>;
  readonly jobs: readonly {
    readonly name: string;
    /** Unix time in seconds. */
    readonly lastSuccess: number | null;
    readonly lastRunFailed: boolean;
  }[];
}
