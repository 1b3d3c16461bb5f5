import { type InstanceMapping } from '../../adapters/contracts/graph-pod/instance-mapping';
import { type PodSettings } from '../../adapters/contracts/graph-pod/settings';
import { withNodeProperty, type GraphProperty } from './engine/graph-schema';
import { type LoadedGraph } from './loading/load-graph';

/** What this pod serves, as it changes over its life. */
export class Instance {
  private fetched: InstanceMapping | null = null;
  private loaded: LoadedGraph | null = null;
  private isEnding = false;

  constructor(
    readonly settings: PodSettings,
    readonly startedAt: Date,
  ) {}

  readonly mapping = (): InstanceMapping | null => this.fetched;
  /** Null until the graph is loaded, and again while the pod is ending. */
  readonly graph = (): LoadedGraph | null => (this.isEnding ? null : this.loaded);
  readonly stopping = (): boolean => this.isEnding;

  onMapping(fetched: InstanceMapping): void {
    this.fetched = fetched;
  }

  onLoaded(loaded: LoadedGraph): void {
    this.loaded = loaded;
  }

  onNodeProperty(label: string, property: GraphProperty): void {
    if (this.loaded === null) return;
    this.loaded = { ...this.loaded, schema: withNodeProperty(this.loaded.schema, label, property) };
  }

  onStopping(): void {
    this.isEnding = true;
  }
}

export const totalRows = (tables: readonly { readonly rowCount: number }[]): number =>
  tables.reduce((sum, { rowCount }) => sum + rowCount, 0);

export const rowCountOf = (
  tables: readonly { readonly name: string; readonly rowCount: number }[],
  name: string,
): number => tables.find((table) => table.name === name)?.rowCount ?? 0;
