/** The query that a click has asked for on a graph that is still starting. Not in the address: no link runs a query. */
const requested = new Map<number, string>();

export const requestRun = (instanceId: number, query: string): void => void requested.set(instanceId, query);

/** The query asked for, once. */
export const takeRequestedRun = (instanceId: number): string | null => {
  const query = requested.get(instanceId) ?? null;
  requested.delete(instanceId);
  return query;
};
