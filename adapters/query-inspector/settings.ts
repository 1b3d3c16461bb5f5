import * as t from 'io-ts';

/** What the program gets from the control plane, in its environment. */
export const InspectorEnvironment = t.strict({
  ROWGRAPH_WAREHOUSE_DIR: t.string,
  ROWGRAPH_INSPECTOR_SCRATCH_DIR: t.string,
  ROWGRAPH_INSPECTOR_MEMORY_MB: t.string,
  /** `off`: error messages name nothing the query does not name itself. */
  ROWGRAPH_INSPECTOR_HINTS: t.keyof({ on: null, off: null }),
});
export type InspectorEnvironment = t.TypeOf<typeof InspectorEnvironment>;
