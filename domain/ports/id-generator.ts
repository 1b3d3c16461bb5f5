/** The resources with an integer id. Each kind has its own sequence. */
export type IdKind = 'mapping' | 'snapshot' | 'export_job' | 'instance';

/** Generates ids. An id is never returned twice; gaps are allowed. Rejects when its store is unavailable. */
export interface IdGenerator {
  /** The next integer ids of a kind, ascending, from 1. */
  next(kind: IdKind, count?: number): Promise<readonly number[]>;
  /**
   * One id for a command; the same command gets the same id for at least a day. `isNew`: first call for this command.
   */
  nextFor(commandId: string, kind: IdKind): Promise<{ readonly id: number; readonly isNew: boolean }>;
  /** A new UUIDv7, ordered by time. */
  uuid(): string;
  /** The UUIDv5 of a name in a namespace (itself a UUID): the same input always gives the same id. */
  derivedUuid(namespace: string, name: string): string;
  /** A random, unguessable UUIDv4. */
  secretUuid(): string;
}
