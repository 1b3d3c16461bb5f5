import { type Either, isLeft, left, right } from 'fp-ts/Either';
import * as t from 'io-ts';
import { fields, optional } from '../../../domain/kernel/codecs';
import { type DomainError } from '../../../domain/kernel/errors';
import { findEntry } from './catalogue';
import { decodeBody, DEFAULT_TIMEOUT_MS, invalidParameters, Label, NodeKey, PropertyName, Timeout, type RunRequest } from './run-request'; // prettier-ignore
import { decodeParameters, type InvalidParameter } from './signature';

/** One of kind A's own algorithms: a kernel with the request fields and the meaning of the graph the API gives it. */
export interface NativeAlgorithm {
  readonly name: string;
  readonly kernel: string;
  /** Parameters of the kernel that are fields of the body, by the name the body has for them. */
  readonly parameters: Readonly<Record<string, string>>;
  /** The result is a path, not a property. */
  readonly path: boolean;
  readonly directed: boolean;
}

const storing = (name: string, kernel: string, parameters: NativeAlgorithm['parameters'], directed = false) => ({
  name,
  kernel,
  parameters,
  path: false,
  directed,
});

export const NATIVE_ALGORITHMS: readonly NativeAlgorithm[] = [
  storing('pagerank', 'pagerank', { damping: 'alpha', max_iterations: 'max_iter', tolerance: 'tol' }, true),
  storing('connected_components', 'connected_components', {}),
  { name: 'shortest_path', kernel: 'shortest_path', parameters: {}, path: true, directed: false },
  storing('louvain', 'louvain_communities', { resolution: 'resolution' }),
  storing('label_propagation', 'label_propagation_communities', { max_iterations: 'max_iter' }),
  storing('triangle_count', 'triangles', {}),
];

const StoringBody = fields({
  node_label: Label,
  property_name: PropertyName,
  edge_types: optional(t.readonlyArray(t.string)),
  timeout_ms: optional(Timeout),
});

const PathBody = fields({
  node_label: optional(Label),
  source_id: NodeKey,
  target_id: NodeKey,
  weight_property: optional(Label),
  directed: optional(t.boolean),
  edge_types: optional(t.readonlyArray(t.string)),
  timeout_ms: optional(Timeout),
});

/** The kernel behind a native algorithm. */
export const entryOf = ({ kernel }: NativeAlgorithm) => {
  const entry = findEntry(kernel);
  if (entry === null) throw new Error(`There is no kernel ${kernel}.`);
  return entry;
};

export const nativeRequest = (algorithm: NativeAlgorithm, body: unknown): Either<DomainError, RunRequest> => {
  const entry = entryOf(algorithm);
  const given = t.UnknownRecord.is(body) ? body : {};
  const valid = [...nativeParameters(algorithm).map(({ name }) => name), 'timeout_ms'];
  const refuse = (invalid: readonly InvalidParameter[]) => left(invalidParameters(algorithm.name, invalid, valid, ''));
  const unknown = Object.keys(given).filter((name) => !valid.includes(name));
  if (unknown.length > 0) return refuse(unknown.map((name) => ({ name, reason: 'is not a parameter of it' })));
  const shared = { entry, native: true };
  if (algorithm.path) {
    const decoded = decodeBody(PathBody, body);
    if (isLeft(decoded)) return decoded;
    const sent = decoded.right;
    return right({
      ...shared,
      parameters: {},
      nodeLabel: sent.node_label ?? null,
      edgeTypes: sent.edge_types ?? null,
      propertyName: null,
      directed: sent.directed ?? algorithm.directed,
      weightProperty: sent.weight_property ?? null,
      source: sent.source_id,
      target: sent.target_id,
      timeoutMs: sent.timeout_ms ?? DEFAULT_TIMEOUT_MS,
    });
  }
  const decoded = decodeBody(StoringBody, body);
  if (isLeft(decoded)) return decoded;
  const named = Object.entries(algorithm.parameters).filter(([name]) => given[name] !== undefined);
  const values = Object.fromEntries(named.map(([name, parameter]) => [parameter, given[name]]));
  const parameters = decodeParameters(entry.parameters, values);
  if (isLeft(parameters)) {
    const bodyName = (wrong: string): string => named.find(([, parameter]) => parameter === wrong)?.[0] ?? wrong;
    return refuse(parameters.left.map(({ name, reason }) => ({ name: bodyName(name), reason })));
  }
  return right({
    ...shared,
    parameters: parameters.right,
    nodeLabel: decoded.right.node_label,
    edgeTypes: decoded.right.edge_types ?? null,
    propertyName: decoded.right.property_name,
    directed: algorithm.directed,
    weightProperty: null,
    source: null,
    target: null,
    timeoutMs: decoded.right.timeout_ms ?? DEFAULT_TIMEOUT_MS,
  });
};

const shownOf = (algorithm: NativeAlgorithm) =>
  Object.entries(algorithm.parameters).flatMap(([name, parameter]) => {
    const declared = entryOf(algorithm).parameters[parameter];
    return declared === undefined ? [] : [[name, declared] as const];
  });

/** Fields of the request as discovery shows them. */
export const nativeParameters = (algorithm: NativeAlgorithm) => {
  const field = (name: string, type: string, required: boolean, description: string) => ({
    name,
    type,
    required,
    default: null as unknown,
    description,
  });
  const own = shownOf(algorithm).map(([name, { type, fallback, description }]) => ({
    name,
    type,
    required: false,
    default: fallback,
    description,
  }));
  const edges = field('edge_types', 'array of string', false, 'Edge types to use; default: all between the nodes.');
  return algorithm.path
    ? [
        field('source_id', 'string', true, 'Primary key of the node the path begins at.'),
        field('target_id', 'string', true, 'Primary key of the node the path ends at.'),
        field('weight_property', 'string', false, 'Numeric edge property to add up; default: every edge counts 1.'),
        { ...field('directed', 'boolean', false, 'Follow edges in their direction only.'), default: false },
        field('node_label', 'string', false, 'Label of the nodes; default: all.'),
        edges,
      ]
    : [
        field('node_label', 'string', true, 'Label of the nodes.'),
        field('property_name', 'string', true, 'Property the values are stored in.'),
        edges,
        ...own,
      ];
};
