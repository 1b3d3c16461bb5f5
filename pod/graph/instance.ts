import { type InstanceMapping } from '../../adapters/contracts/graph-pod/instance-mapping';
import { type PodSettings } from '../../adapters/contracts/graph-pod/settings';
import { withNodeProperty, type GraphProperty } from './engine/graph-schema';
import { type LoadedGraph } from './loading/load-graph';

/** What this pod serves, as it changes over its life. */
export interface Instance {
  readonly settings: PodSettings;
  readonly startedAt: Date;
  readonly mapping: () => InstanceMapping | null;
  /** Null until the graph is loaded, and again while the pod is ending. */
  readonly graph: () => LoadedGraph | null;
  readonly stopping: () => boolean;
  readonly onMapping: (mapping: InstanceMapping) => void;
  readonly onLoaded: (graph: LoadedGraph) => void;
  readonly onNodeProperty: (label: string, property: GraphProperty) => void;
  readonly onStopping: () => void;
}

export const createInstance = (settings: PodSettings, startedAt: Date): Instance => {
  let mapping: InstanceMapping | null = null;
  let graph: LoadedGraph | null = null;
  let stopping = false;
  return {
    settings,
    startedAt,
    mapping: () => mapping,
    graph: () => (stopping ? null : graph),
    stopping: () => stopping,
    onMapping: (fetched) => {
      mapping = fetched;
    },
    onLoaded: (loaded) => {
      graph = loaded;
    },
    onNodeProperty: (label, property) => {
      if (graph !== null) graph = { ...graph, schema: withNodeProperty(graph.schema, label, property) };
    },
    onStopping: () => {
      stopping = true;
    },
  };
};

export const totalRows = (tables: readonly { readonly rowCount: number }[]): number =>
  tables.reduce((sum, { rowCount }) => sum + rowCount, 0);

export const rowCountOf = (
  tables: readonly { readonly name: string; readonly rowCount: number }[],
  name: string,
): number => tables.find((table) => table.name === name)?.rowCount ?? 0;
