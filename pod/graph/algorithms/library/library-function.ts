/** One function of the graph library (graphology) that can be run on a graph alone. */
export interface LibraryFunction {
  /** Snake case of the function's name: `weighted_degree`. */
  readonly name: string;
  /** Module, and export unless the module itself is the function: `graphology-metrics/node/weighted-degree#weightedDegree`. */
  readonly path: string;
  readonly category: string;
  /** Arguments after the graph, in order. */
  readonly arguments: readonly ('source' | 'target' | 'each node' | 'weight' | 'options')[];
  /** A null default: the library's own. */
  readonly options: readonly {
    readonly name: string;
    readonly type: 'number' | 'boolean' | 'string';
    readonly default: number | boolean | null;
  }[];
  readonly weighted: boolean;
  readonly answers: 'scalar' | 'path' | 'node_values';
  /** The declared type of its answer. */
  readonly returns: string;
  readonly declaredIn: string;
}
