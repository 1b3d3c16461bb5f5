/** A state on an instance's way, as it was shown; numbered per instance, ascending. */
export interface JournalEntry {
  readonly seq: number;
  readonly view: unknown;
}

/**
 * The states of an instance's progress in the order in which they were shown, so that whoever lost the connection can
 * go on where it broke. Not history: kept for about a day. Calls reject when the store is away.
 */
export interface ProgressJournal {
  /** Adds a state unless it is the last one already; passing time alone (`elapsed_seconds`) is no difference. */
  record(instanceId: number, view: Readonly<Record<string, unknown>>): Promise<void>;
  /** The entries after a number, ascending, at most `limit`. */
  after(instanceId: number, seq: number, limit: number): Promise<readonly JournalEntry[]>;
  last(instanceId: number): Promise<JournalEntry | null>;
}
