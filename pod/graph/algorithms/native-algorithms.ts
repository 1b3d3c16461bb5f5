import { type Either } from 'fp-ts/Either';
import * as t from 'io-ts';
import { fields, integer, optional, text } from '../../../domain/kernel/codecs';
import { scalar, type ColumnType } from '../engine/column-type';
import { type CompactGraph } from './compact-graph';
import { pagerank } from './pagerank';

const between = (min: number, max: number): t.Type<number> => {
  const fits = (u: unknown): u is number => typeof u === 'number' && u >= min && u <= max;
  const words = `must be a number from ${min} to ${max}`;
  return new t.Type<number>('number', fits, (u, c) => (fits(u) ? t.success(u) : t.failure(u, c, words)), t.identity);
};

/** Fields of every request that stores a value per node. */
const target = {
  node_label: text({ min: 1, max: 64 }),
  property_name: text({
    min: 1,
    max: 64,
    pattern: {
      regexp: /^[A-Za-z][A-Za-z0-9_]*$/,
      words: 'must begin with a letter and consist of letters, digits and underscores',
    },
  }),
  edge_types: optional(t.readonlyArray(t.string)),
};

/** What a request asks for, the same for every algorithm that stores a value per node. */
export interface NodeValuesRun {
  readonly nodeLabel: string;
  readonly propertyName: string;
  /** Null: every edge type that joins nodes of the label. */
  readonly edgeTypes: readonly string[] | null;
  /** Given back to `compute` in the process the algorithm runs in; plain data. */
  readonly parameters: Readonly<Record<string, number>>;
}

/**
 * An algorithm that stores one value per node. `decode` reads the request in the pod, `compute` runs in a process of
 * its own. A new algorithm is one more entry of the table.
 */
export interface NativeAlgorithm {
  readonly name: string;
  readonly category: string;
  readonly description: string;
  readonly resultType: ColumnType;
  readonly resultTypeName: string;
  readonly decode: (body: unknown) => Either<t.Errors, NodeValuesRun>;
  readonly compute: (graph: CompactGraph, parameters: NodeValuesRun['parameters']) => Either<string, Float64Array>;
}

const PagerankBody = fields({
  ...target,
  damping: optional(between(0, 1)),
  max_iterations: optional(integer(1, 100_000)),
  tolerance: optional(between(0, 1)),
});

const PAGERANK: NativeAlgorithm = {
  name: 'pagerank',
  category: 'centrality',
  description: 'Importance of each node by the importance of the nodes that point to it.',
  resultType: scalar('DOUBLE'),
  resultTypeName: 'DOUBLE',
  decode: (body) => {
    const decoded = PagerankBody.decode(body);
    return decoded._tag === 'Left'
      ? decoded
      : {
          _tag: 'Right',
          right: {
            nodeLabel: decoded.right.node_label,
            propertyName: decoded.right.property_name,
            edgeTypes: decoded.right.edge_types ?? null,
            parameters: {
              damping: decoded.right.damping ?? 0.85,
              max_iterations: decoded.right.max_iterations ?? 100,
              tolerance: decoded.right.tolerance ?? 1e-6,
            },
          },
        };
  },
  compute: (graph, { damping = 0.85, max_iterations = 100, tolerance = 1e-6 }) =>
    pagerank(graph, { damping, max_iterations, tolerance }),
};

export const NATIVE_ALGORITHMS: ReadonlyMap<string, NativeAlgorithm> = new Map(
  [PAGERANK].map((algorithm) => [algorithm.name, algorithm]),
);
