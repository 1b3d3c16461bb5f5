import { type Either, isLeft, left, right } from 'fp-ts/Either';
import * as t from 'io-ts';
import { ResultProperty } from '../../../adapters/contracts/graph-pod/execution-endpoints';
import { ProcedureBody } from '../../../adapters/contracts/graph-pod/procedure-endpoints';
import {
  type FieldError,
  fieldErrors,
  fields,
  type FieldsOf,
  integer,
  optional,
  text,
} from '../../../domain/kernel/codecs';
import { type DomainError, domainError, invalidField, invalidFields } from '../../../domain/kernel/errors';
import { nearestNames } from '../../../domain/kernel/nearest-names';
import { type Algorithm, type Kernel, type LibraryAlgorithm } from './algorithm';
import { type DuckdbAlgorithm, type FalkordbAlgorithm } from './native-algorithms';
import { decodeParameters, findParameter, NodeKey } from './signature';

/** A decoded request of any endpoint; not yet checked against the graph. */
export interface AlgorithmRequest {
  readonly algorithm: Algorithm;
  /** The requested name. */
  readonly name: string;
  /** `native`: an algorithm of the instance's kind; `graphlib`: one of the graph library. */
  readonly type: 'native' | 'graphlib';
  /** The names of its fields, for messages. */
  readonly fields: FieldNames;
  /** Null: all nodes. */
  readonly nodeLabels: readonly string[] | null;
  /** Null: all edges between the nodes. */
  readonly edgeTypes: readonly string[] | null;
  /** Null: the result is returned, not stored. */
  readonly propertyName: string | null;
  readonly writeBack: boolean;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly directed: boolean;
  readonly weightProperty: string | null;
  readonly source: string | null;
  readonly target: string | null;
  readonly timeoutMs: number;
  /** Number of returned values, highest first; null: all. */
  readonly top: number | null;
  /** Warnings about probable mistakes. */
  readonly warnings: readonly string[];
}

type FieldNames = Readonly<Record<'label' | 'types' | 'property', string>>;

const DUCKDB_FIELDS: FieldNames = { label: 'node_label', types: 'edge_types', property: 'property_name' };
const FALKORDB_FIELDS: FieldNames = {
  label: 'node_labels',
  types: 'relationship_types',
  property: 'result_property',
};

type Refused = DomainError<'VALIDATION_FAILED'>;

const Label = text({ min: 1, max: 64 });

const GRAPH_FIELDS = {
  node_label: optional(Label),
  edge_types: optional(t.readonlyArray(t.string)),
  property_name: optional(ResultProperty),
  directed: optional(t.boolean),
  weight_property: optional(Label),
  timeout_ms: optional(integer(1_000, 7_200_000)),
};

/** The body of `POST /graphlib/{name}`. */
const GraphlibBody = fields({
  ...GRAPH_FIELDS,
  params: optional(t.UnknownRecord),
  source: optional(NodeKey),
  target: optional(NodeKey),
  top: optional(integer(1, 100_000)),
});

export const graphlibRequest = (
  algorithm: Kernel | LibraryAlgorithm,
  body: unknown,
): Either<Refused, AlgorithmRequest> => {
  const decoded = decodeBody(GraphlibBody, body);
  if (isLeft(decoded)) return decoded;
  const sent = decoded.right;
  const parameters = readParameters(algorithm, sent.params, 'params.');
  if (isLeft(parameters)) return parameters;
  const misfit = misfitOf(algorithm, sent);
  if (misfit !== null) return left(misfit);
  return right({
    ...requestOf(algorithm, sent, parameters.right),
    type: 'graphlib',
    warnings: unknownFieldWarnings(body, Object.keys(GraphlibBody.props), algorithm, 'params'),
  });
};

/** The first field that the algorithm does not support, or a missing field that it requires. */
const misfitOf = (
  { name, graph, ends, returns, valueType, weights }: Algorithm,
  { directed, source, target, property_name: property, top, weight_property: weight }: SentFields,
): Refused | null => {
  const isRequired = `is required by ${name}`;
  const notPerNode = `must be left out: ${name} answers ${returns}, not a value per node`;
  const rules: readonly (readonly [isBroken: boolean, field: keyof SentFields, message: string])[] = [
    [
      directed !== undefined && graph !== 'either' && directed !== (graph === 'directed'),
      'directed',
      `must be ${!directed}: ${name} is defined on ${graph} graphs`,
    ],
    [ends.startsWith('source') && source === undefined, 'source', isRequired],
    [ends === 'source and target' && target === undefined, 'target', isRequired],
    [source !== undefined && ends === 'none', 'source', `must be left out: ${name} does not use it`],
    [
      target !== undefined && (ends === 'none' || ends === 'source'),
      'target',
      `must be left out: ${name} does not use it`,
    ],
    [target !== undefined && source === undefined, 'source', 'is required by target'],
    [property !== undefined && (valueType === null || returns !== 'node_values'), 'property_name', notPerNode],
    [top !== undefined && returns !== 'node_values', 'top', notPerNode],
    [
      top !== undefined && property !== undefined,
      'top',
      'must be left out with property_name: all values are stored, none is returned',
    ],
    [weight !== undefined && weights === null, 'weight_property', `must be left out: ${name} does not use weights`],
  ];
  const broken = rules.find(([isBroken]) => isBroken);
  return broken === undefined ? null : invalidField(broken[1], broken[2]);
};

/** The body of `POST /algo/{name}` on DuckDB; the parameters of the algorithm are additional fields. */
const DuckdbBody = fields({ ...GRAPH_FIELDS, source_id: optional(NodeKey), target_id: optional(NodeKey) });

export const duckdbRequest = (
  { name, algorithm, fields: declared, directed }: DuckdbAlgorithm,
  body: Readonly<Record<string, unknown>>,
): Either<Refused, AlgorithmRequest> => {
  const valid = [...declared.map((field) => field.name), 'timeout_ms'];
  const unknown = Object.keys(body).filter((field) => !valid.includes(field));
  if (unknown.length > 0) {
    const wrong = unknown.map((field) => ({ field, message: 'is not a parameter' }));
    return left(invalidParameters(name, wrong, valid, ''));
  }
  const missing = declared.filter((field) => field.required && body[field.name] === undefined);
  if (missing.length > 0) {
    return left(invalidFields(missing.map((field) => ({ field: field.name, message: 'is required' }))));
  }
  const decoded = decodeBody(DuckdbBody, body);
  if (isLeft(decoded)) return decoded;
  const { source_id: source, target_id: target, ...sent } = decoded.right;
  const others = Object.entries(body).filter(([field]) => !(field in DuckdbBody.props));
  const parameters = readParameters(algorithm, Object.fromEntries(others), '', name, valid);
  if (isLeft(parameters)) return parameters;
  return right({
    ...requestOf(algorithm, { ...sent, directed: sent.directed ?? directed, source, target }, parameters.right),
    name,
  });
};

export const falkordbRequest = (
  algorithm: FalkordbAlgorithm,
  body: FieldsOf<typeof ProcedureBody.props>,
): Either<Refused, AlgorithmRequest> => {
  const parameters = readParameters(algorithm, body.parameters, 'parameters.');
  if (isLeft(parameters)) return parameters;
  const { relationship_types: edge_types, result_property: property_name, timeout_ms } = body;
  return right({
    ...requestOf(algorithm, { edge_types, property_name, timeout_ms }, parameters.right),
    fields: FALKORDB_FIELDS,
    nodeLabels: body.node_labels ?? null,
    writeBack: body.write_back ?? true,
    warnings: unknownFieldWarnings(body, Object.keys(ProcedureBody.props), algorithm, 'parameters'),
  });
};

type SentFields = Omit<FieldsOf<typeof GraphlibBody.props>, 'params'>;

/** A request of a native algorithm, with defaults for absent fields. */
const requestOf = (
  algorithm: Algorithm,
  sent: SentFields,
  parameters: AlgorithmRequest['parameters'],
): AlgorithmRequest => ({
  algorithm,
  name: algorithm.name,
  type: 'native',
  fields: DUCKDB_FIELDS,
  nodeLabels: sent.node_label === undefined ? null : [sent.node_label],
  edgeTypes: sent.edge_types ?? null,
  propertyName: sent.property_name ?? null,
  writeBack: sent.property_name !== undefined,
  parameters,
  directed: sent.directed ?? algorithm.graph === 'directed',
  weightProperty: sent.weight_property ?? null,
  source: sent.source ?? null,
  target: sent.target ?? null,
  timeoutMs: sent.timeout_ms ?? algorithm.defaultTimeoutMs,
  top: sent.top ?? null,
  warnings: [],
});

/** Decodes a body; all its problems become one error. */
const decodeBody = <A>(codec: t.Type<A, unknown>, body: unknown): Either<Refused, A> => {
  const decoded = codec.decode(body);
  if (!isLeft(decoded)) return decoded;
  return left(
    invalidFields(fieldErrors(decoded.left).map(({ field, message }) => ({ field: field || 'body', message }))),
  );
};

/** `place`: the field of the body that contains the parameters. */
const readParameters = (
  algorithm: Algorithm,
  sent: Readonly<Record<string, unknown>> = {},
  place: 'params.' | 'parameters.' | '',
  name = algorithm.name,
  valid: readonly string[] = Object.keys(algorithm.parameters),
): Either<Refused, AlgorithmRequest['parameters']> => {
  const decoded = decodeParameters(algorithm.parameters, sent);
  return isLeft(decoded) ? left(invalidParameters(name, decoded.left, valid, place)) : decoded;
};

const invalidParameters = (
  name: string,
  invalid: readonly FieldError[],
  valid: readonly string[],
  place: string,
): Refused => {
  const wrong = invalid.map(({ field, message }) => `${field} ${message}`).join('; ');
  const known = valid.length === 0 ? `${name} takes none` : `${name} takes ${valid.join(', ')}`;
  return domainError('VALIDATION_FAILED', `Invalid parameters: ${wrong}. ${known}.`, {
    algorithm: name,
    invalid_params: invalid.map(({ field }) => field),
    valid_params: valid,
    errors: invalid.map(({ field, message }) => ({ field: place + field, message })),
  });
};

/** Names of the same field in the requests of different algorithms. */
const CALLED_ELSEWHERE: readonly (readonly string[])[] = [
  ['params', 'parameters'],
  ['node_label', 'node_labels'],
  ['edge_types', 'relationship_types'],
  ['property_name', 'result_property'],
];

/** Warns of an unknown field, which is ignored, and suggests a known one. `place`: the field for parameters. */
const unknownFieldWarnings = (
  body: unknown,
  known: readonly string[],
  { name, parameters }: Algorithm,
  place: string,
): readonly string[] =>
  Object.keys(body ?? {})
    .filter((field) => !known.includes(field))
    .map((field) => {
      if (findParameter(parameters, field) !== undefined) {
        return `${field} is a parameter of ${name} and was ignored among the fields of the run; put it into ${place}.`;
      }
      const same = CALLED_ELSEWHERE.find((names) => names.includes(field))?.find((other) => known.includes(other));
      const nearest = same ?? nearestNames(field, known)[0];
      const hint = nearest === undefined ? `valid fields: ${known.join(', ')}` : `did you mean ${nearest}?`;
      return `${field} is not a field of a run and was ignored; ${hint}`;
    });
