import * as t from 'io-ts';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { ResultProperty } from '../../../adapters/contracts/graph-pod/execution-endpoints';
import { ProcedureBody } from '../../../adapters/contracts/graph-pod/procedure-endpoints';
import { fieldErrors, type FieldsOf, fields, integer, optional, text } from '../../../domain/kernel/codecs';
import { domainError, invalidField, invalidFields, type DomainError } from '../../../domain/kernel/errors';
import { type Algorithm, type Kernel, type LibraryAlgorithm, type ProcedureAlgorithm } from './algorithm';
import { type KuzuAlgorithm } from './kuzu-algorithms';
import { decodeParameters, type InvalidParameter, NodeKey, findParameter } from './signature';
import { nearestNames } from './catalogue';

/** A decoded request of any endpoint; not yet checked against the graph. */
export interface AlgorithmRequest<A = Algorithm> {
  readonly algorithm: A;
  /** The name it was asked for by. */
  readonly name: string;
  /** `native`: an algorithm of the instance's kind; `graphlib`: one of the graph library. */
  readonly type: 'native' | 'graphlib';
  /** Null: all nodes. */
  readonly nodeLabels: readonly string[] | null;
  /** Null: all edges between the nodes. */
  readonly edgeTypes: readonly string[] | null;
  /** Null: the result is answered, not stored. */
  readonly propertyName: string | null;
  readonly writeBack: boolean;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly directed: boolean;
  readonly weightProperty: string | null;
  readonly source: string | null;
  readonly target: string | null;
  readonly timeoutMs: number;
  /** How many values of nodes are answered, highest first; null: all. */
  readonly top: number | null;
  /** Warnings about probable mistakes. */
  readonly warnings: readonly string[];
}

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
  const { name } = algorithm;
  const decoded = decodeBody(GraphlibBody, body);
  if (isLeft(decoded)) return decoded;
  const sent = decoded.right;
  const parameters = decodeParameters(algorithm.parameters, sent.params ?? {});
  if (isLeft(parameters)) {
    return left(invalidParameters(name, parameters.left, Object.keys(algorithm.parameters), 'params.'));
  }
  const misfit = misfitOf(algorithm, sent);
  if (misfit !== null) return left(misfit);
  return right({
    ...chosenGraph(algorithm, sent),
    name,
    type: 'graphlib',
    parameters: parameters.right,
    directed: sent.directed ?? algorithm.graph === 'directed',
    source: sent.source ?? null,
    target: sent.target ?? null,
    top: sent.top ?? null,
    warnings: unknownFieldWarnings(body, Object.keys(GraphlibBody.props), algorithm, 'params'),
  });
};

/** A field that the algorithm does not support, or a missing one that it requires. */
const misfitOf = (
  { name, graph, ends, returns, valueType, weighted }: Algorithm,
  sent: FieldsOf<typeof GraphlibBody.props>,
): Refused | null => {
  if (sent.directed !== undefined && graph !== 'either' && sent.directed !== (graph === 'directed')) {
    return invalidField('directed', `must be ${!sent.directed}: ${name} is defined on ${graph} graphs`);
  }
  const needed = { source: ends.startsWith('source'), target: ends === 'source and target' };
  for (const end of ['source', 'target'] as const) {
    if (needed[end] && sent[end] === undefined) return invalidField(end, `is required by ${name}`);
  }
  if (sent.property_name !== undefined && (valueType === null || returns !== 'node_values')) {
    return invalidField('property_name', `must be left out: ${name} answers ${returns}, not a value per node`);
  }
  if (sent.top !== undefined && returns !== 'node_values') {
    return invalidField('top', `must be left out: ${name} answers ${returns}, not a value per node`);
  }
  if (sent.top !== undefined && sent.property_name !== undefined) {
    return invalidField('top', 'must be left out with property_name: all values are stored, none is returned');
  }
  return sent.weight_property !== undefined && !weighted
    ? invalidField('weight_property', `must be left out: ${name} does not use weights`)
    : null;
};

/** The body of `POST /algo/{name}` on Kuzu; the parameters of the algorithm are more fields of it. */
const KuzuBody = fields({ ...GRAPH_FIELDS, source_id: optional(NodeKey), target_id: optional(NodeKey) });

export const kuzuRequest = (
  { name, algorithm, fields: declared, parameters: names, directed }: KuzuAlgorithm,
  body: Readonly<Record<string, unknown>>,
): Either<Refused, AlgorithmRequest> => {
  const valid = [...declared.map((field) => field.name), 'timeout_ms'];
  const unknown = Object.keys(body).filter((sent) => !valid.includes(sent));
  if (unknown.length > 0) {
    const wrong = unknown.map((sent) => ({ name: sent, reason: 'is not a parameter of it' }));
    return left(invalidParameters(name, wrong, valid, ''));
  }
  const missing = declared.filter((field) => field.required && body[field.name] === undefined);
  if (missing.length > 0) {
    return left(invalidFields(missing.map((field) => ({ field: field.name, message: 'is required' }))));
  }
  const decoded = decodeBody(KuzuBody, body);
  if (isLeft(decoded)) return decoded;
  const sent = Object.entries(body).filter(([field]) => names.includes(field));
  const parameters = decodeParameters(algorithm.parameters, Object.fromEntries(sent));
  if (isLeft(parameters)) return left(invalidParameters(name, parameters.left, valid, ''));
  return right({
    ...chosenGraph(algorithm, decoded.right),
    name,
    type: 'native',
    parameters: parameters.right,
    directed: decoded.right.directed ?? directed,
    source: decoded.right.source_id ?? null,
    target: decoded.right.target_id ?? null,
    top: null,
    warnings: [],
  });
};

const chosenGraph = <A extends Algorithm>(algorithm: A, sent: FieldsOf<typeof GRAPH_FIELDS>) => ({
  algorithm,
  nodeLabels: sent.node_label === undefined ? null : [sent.node_label],
  edgeTypes: sent.edge_types ?? null,
  propertyName: sent.property_name ?? null,
  writeBack: sent.property_name !== undefined,
  weightProperty: sent.weight_property ?? null,
  timeoutMs: sent.timeout_ms ?? algorithm.defaultTimeoutMs,
});

export const falkordbRequest = (
  algorithm: ProcedureAlgorithm,
  body: FieldsOf<typeof ProcedureBody.props>,
): Either<Refused, AlgorithmRequest> => {
  const { name } = algorithm;
  const parameters = decodeParameters(algorithm.parameters, body.parameters ?? {});
  if (isLeft(parameters)) {
    return left(invalidParameters(name, parameters.left, Object.keys(algorithm.parameters), 'parameters.'));
  }
  return right({
    algorithm,
    name,
    type: 'native',
    nodeLabels: body.node_labels ?? null,
    edgeTypes: body.relationship_types ?? null,
    propertyName: body.result_property,
    writeBack: body.write_back ?? true,
    parameters: parameters.right,
    directed: true,
    weightProperty: null,
    source: null,
    target: null,
    top: null,
    warnings: unknownFieldWarnings(body, Object.keys(ProcedureBody.props), algorithm, 'parameters'),
    timeoutMs: body.timeout_ms ?? algorithm.defaultTimeoutMs,
  });
};

/** Reads a body; all that is wrong with it becomes one refusal. */
const decodeBody = <A>(codec: t.Type<A, unknown>, body: unknown): Either<Refused, A> => {
  const decoded = codec.decode(body);
  if (!isLeft(decoded)) return decoded;
  return left(
    invalidFields(fieldErrors(decoded.left).map(({ field, message }) => ({ field: field || 'body', message }))),
  );
};

/** `place`: where in the body the parameters stand. */
const invalidParameters = (
  name: string,
  invalid: readonly InvalidParameter[],
  valid: readonly string[],
  place: 'params.' | 'parameters.' | '',
): Refused => {
  const wrong = invalid.map((parameter) => `${parameter.name} ${parameter.reason}`).join('; ');
  const known = valid.length === 0 ? `${name} takes none` : `${name} takes ${valid.join(', ')}`;
  return domainError('VALIDATION_FAILED', `Invalid parameters: ${wrong}. ${known}.`, {
    algorithm: name,
    invalid_params: invalid.map((parameter) => parameter.name),
    valid_params: valid,
    errors: invalid.map((parameter) => ({ field: place + parameter.name, message: parameter.reason })),
  });
};

/** What the same field is called in the requests of other algorithms. */
const CALLED_ELSEWHERE: readonly (readonly string[])[] = [
  ['params', 'parameters'],
  ['node_label', 'node_labels'],
  ['edge_types', 'relationship_types'],
  ['property_name', 'result_property'],
];

/** Warns of an unknown field, which is ignored, and suggests a known one. `place`: where parameters belong. */
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
      const [nearest = same] = same === undefined ? nearestNames(field, known) : [same];
      const hint = nearest === undefined ? `valid fields: ${known.join(', ')}` : `did you mean ${nearest}?`;
      return `${field} is not a field of a run and was ignored; ${hint}`;
    });
