import { type InstanceMapping } from '../../adapters/contracts/graph-pod/instance-mapping';
import { type PodSettings } from '../../adapters/contracts/graph-pod/settings';
import { type GraphProperty, withNodeProperty } from './engine/graph-schema';
import { type LoadedGraph } from './loading/load-graph';

/** The mutable state of this pod. */
export class Instance {
  /** Null until it is fetched. */
  mapping: InstanceMapping | null = null;
  loaded: LoadedGraph | null = null;
  isEnding = false;

  constructor(
    readonly settings: PodSettings,
    readonly startedAt: Date,
  ) {}

  /** Null until the graph is loaded, and again while the pod is ending. */
  get graph(): LoadedGraph | null {
    return this.isEnding ? null : this.loaded;
  }

  addNodeProperty(label: string, property: GraphProperty): void {
    if (this.loaded === null) return;
    this.loaded = { ...this.loaded, schema: withNodeProperty(this.loaded.schema, label, property) };
  }
}

export const totalRows = (tables: readonly { readonly rowCount: number }[]): number =>
  tables.reduce((sum, { rowCount }) => sum + rowCount, 0);

export const rowCountOf = (
  tables: readonly { readonly name: string; readonly rowCount: number }[],
  name: string,
): number => tables.find((table) => table.name === name)?.rowCount ?? 0;
