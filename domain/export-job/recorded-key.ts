/** `<owner>/<mapping>/v<version>/<snapshot>/`, and within it the folder of one definition: the layout of exports. */
const LAYOUT = /^.+\/([^/]+\/\d+\/v\d+\/\d+\/(?:(?:node|edge)s\/[^/]+\/)?)$/;

/**
 * The key of a folder that an earlier version recorded by its full address; the paths in the store have not changed
 * below the root. A folder with another layout, from an external submitter, is returned as it was sent.
 */
export const recordedKey = (recorded: string): string => LAYOUT.exec(recorded)?.[1] ?? recorded;

/** Upcasts the `storagePath` of an event. */
export const withRecordedKey = (data: unknown): unknown =>
  typeof data === 'object' && data !== null && 'storagePath' in data && typeof data.storagePath === 'string'
    ? { ...data, storagePath: recordedKey(data.storagePath) }
    : data;
