/** The query that a click requested on a starting graph; not in the URL, because links must not run queries. */
const requested = new Map<number, string>();

export const requestRun = (instanceId: number, query: string): void => void requested.set(instanceId, query);

/** Returns the requested query, once. */
export const takeRequestedRun = (instanceId: number): string | null => {
  const query = requested.get(instanceId) ?? null;
  requested.delete(instanceId);
  return query;
};
