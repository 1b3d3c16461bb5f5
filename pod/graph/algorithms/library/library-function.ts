/** A function of the graph library (graphology) that needs only a graph. */
export interface LibraryFunction {
  /** The function's name in snake case: `weighted_degree`. */
  readonly name: string;
  /**
   * Module, and export unless the module itself is the function:
   * `graphology-metrics/node/weighted-degree#weightedDegree`.
   */
  readonly path: string;
  readonly category: string;
  /** Arguments after the graph, in order. */
  readonly arguments: readonly ('source' | 'target' | 'each node' | 'weight' | 'options')[];
  /** Default null: the default of the library. */
  readonly options: readonly {
    readonly name: string;
    readonly type: 'number' | 'boolean' | 'string';
    readonly default: number | boolean | null;
  }[];
  readonly weighted: boolean;
  readonly answers: 'scalar' | 'path' | 'node_values' | 'edges';
  /** Declared type of its result. */
  readonly returns: string;
  readonly declaredIn: string;
}
