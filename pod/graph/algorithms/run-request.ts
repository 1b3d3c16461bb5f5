import { type Either, isLeft, left, right } from 'fp-ts/Either';
import * as t from 'io-ts';
import { fieldErrors, fields, integer, optional, text } from '../../../domain/kernel/codecs';
import { domainError, invalidField, type DomainError } from '../../../domain/kernel/errors';
import { type CatalogueEntry } from './catalogue';
import { decodeParameters, type InvalidParameter } from './signature';

/** What a request asks for, the same whichever endpoint it came in by; still to be checked against the graph. */
export interface RunRequest {
  readonly entry: CatalogueEntry;
  /** Null: all nodes. */
  readonly nodeLabel: string | null;
  /** Null: all edges between the nodes. */
  readonly edgeTypes: readonly string[] | null;
  /** Null: the result is answered, not stored. */
  readonly propertyName: string | null;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly directed: boolean;
  readonly weightProperty: string | null;
  readonly source: string | null;
  readonly target: string | null;
  readonly timeoutMs: number;
  /** One of kind A's own algorithms: its path has the shape of those. */
  readonly native: boolean;
}

export const DEFAULT_TIMEOUT_MS = 3_600_000;
const MOST_TIMEOUT_MS = 7_200_000;

/** The primary key of a node, as text or as the number it is. */
export const NodeKey = new t.Type<string, string>(
  'node key',
  (u): u is string => typeof u === 'string',
  (u, context) =>
    (typeof u === 'string' && u !== '') || (typeof u === 'number' && Number.isFinite(u))
      ? t.success(String(u))
      : t.failure(u, context, 'must be the primary key of a node'),
  t.identity,
);

export const PropertyName = text({
  min: 1,
  max: 64,
  pattern: {
    regexp: /^[A-Za-z][A-Za-z0-9_]*$/,
    words: 'must begin with a letter and consist of letters, digits and underscores',
  },
});
export const Label = text({ min: 1, max: 64 });
export const Timeout = integer(1_000, MOST_TIMEOUT_MS);

/** The body of `POST /graphlib/{name}`. */
const GraphlibBody = fields({
  node_label: optional(Label),
  edge_types: optional(t.readonlyArray(t.string)),
  property_name: optional(PropertyName),
  params: optional(t.UnknownRecord),
  directed: optional(t.boolean),
  weight_property: optional(Label),
  source: optional(NodeKey),
  target: optional(NodeKey),
  timeout_ms: optional(Timeout),
});

export const graphlibRequest = (entry: CatalogueEntry, body: unknown): Either<DomainError, RunRequest> => {
  const decoded = decodeBody(GraphlibBody, body);
  if (isLeft(decoded)) return decoded;
  const sent = decoded.right;
  const parameters = decodeParameters(entry.parameters, sent.params ?? {});
  if (isLeft(parameters))
    return left(invalidParameters(entry.name, parameters.left, Object.keys(entry.parameters), 'params.'));
  if (sent.directed !== undefined && entry.graph !== 'either' && sent.directed !== (entry.graph === 'directed')) {
    return left(
      invalidField('directed', `must be ${!sent.directed}: ${entry.name} is defined on ${entry.graph} graphs`),
    );
  }
  const needed = { source: entry.ends.startsWith('source'), target: entry.ends === 'source and target' };
  for (const field of ['source', 'target'] as const) {
    if (needed[field] && sent[field] === undefined) return left(invalidField(field, `is required by ${entry.name}`));
  }
  if (sent.property_name !== undefined && (entry.valueType === null || entry.returns !== 'node_values')) {
    const words = `must be left out: ${entry.name} answers ${entry.returns}, not a value per node`;
    return left(invalidField('property_name', words));
  }
  if (sent.weight_property !== undefined && !entry.weighted) {
    return left(invalidField('weight_property', `must be left out: ${entry.name} does not use weights`));
  }
  return right({
    entry,
    nodeLabel: sent.node_label ?? null,
    edgeTypes: sent.edge_types ?? null,
    propertyName: sent.property_name ?? null,
    parameters: parameters.right,
    directed: sent.directed ?? entry.graph === 'directed',
    weightProperty: sent.weight_property ?? null,
    source: sent.source ?? null,
    target: sent.target ?? null,
    timeoutMs: sent.timeout_ms ?? DEFAULT_TIMEOUT_MS,
    native: false,
  });
};

/** Reads a body; all that is wrong with it becomes one refusal. */
export const decodeBody = <A>(codec: t.Type<A, unknown>, body: unknown): Either<DomainError, A> => {
  const decoded = codec.decode(body);
  if (!isLeft(decoded)) return decoded;
  const errors = fieldErrors(decoded.left).map(({ field, message }) => ({ field: field || 'body', message }));
  const message = `${errors.map(({ field, message: words }) => `${field} ${words}`).join('; ')}.`;
  return left(domainError('VALIDATION_FAILED', message, { errors }));
};

/** `place`: where in the body the parameters stand. */
export const invalidParameters = (
  name: string,
  invalid: readonly InvalidParameter[],
  valid: readonly string[],
  place: 'params.' | 'parameters.' | '',
): DomainError => {
  const wrong = invalid.map((parameter) => `${parameter.name} ${parameter.reason}`).join('; ');
  const known = valid.length === 0 ? `${name} takes none` : `${name} takes ${valid.join(', ')}`;
  return domainError('VALIDATION_FAILED', `The parameters are not right: ${wrong}. ${known}.`, {
    algorithm: name,
    invalid_params: invalid.map((parameter) => parameter.name),
    valid_params: valid,
    errors: invalid.map((parameter) => ({ field: place + parameter.name, message: parameter.reason })),
  });
};
