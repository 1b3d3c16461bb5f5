/** Of operations that need the graph: before it is loaded, and while the instance ends, they say so in one sentence. */
export const needsGraph = { detailErrors: ['SERVICE_UNAVAILABLE'] } as const;
