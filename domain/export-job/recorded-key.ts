/** `<owner>/<mapping>/v<version>/<snapshot>/`, and within it the folder of one definition: how rowgraph lays out exports. */
const LAYOUT = /^.+\/([^/]+\/\d+\/v\d+\/\d+\/(?:(?:node|edge)s\/[^/]+\/)?)$/;

/**
 * The key of a folder that an earlier version recorded by its full address; everything in the store has kept its place
 * below the root. A folder with another layout, from an external submitter, stays as it was sent.
 */
export const recordedKey = (recorded: string): string => LAYOUT.exec(recorded)?.[1] ?? recorded;

/** Brings the `storagePath` of an event to its present form. */
export const withRecordedKey = (data: unknown): unknown =>
  typeof data === 'object' && data !== null && 'storagePath' in data && typeof data.storagePath === 'string'
    ? { ...data, storagePath: recordedKey(data.storagePath) }
    : data;
