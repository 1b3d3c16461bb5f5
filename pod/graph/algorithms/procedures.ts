import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { domainError, invalidField, type DomainError } from '../../../domain/kernel/errors';
import { type FieldsOf } from '../../../domain/kernel/codecs';
import { type ProcedureBody } from '../../../adapters/contracts/graph-pod/procedure-endpoints';
import { type EngineProcedures, type ProcedureFailure, type ProcedureName, type ProcedureRun } from '../engine/engine-procedures'; // prettier-ignore
import { type Instance } from '../instance';
import { type LoadedGraph } from '../loading/load-graph';
import { shownParameters } from './catalogue';
import { type Execution } from './executions';
import { type ValueType } from './kernel';
import { propertyRefusal, resultProperty } from './plan-run';
import { invalidParameters } from './run-request';
import { type Runs } from './runs';
import { decodeParameters, maxIter, type Parameter, whole, wholeOrNull } from './signature';

export interface Procedure {
  readonly name: ProcedureName;
  readonly displayName: string;
  readonly category: string;
  readonly description: string;
  readonly cypherProcedure: string;
  readonly defaultTimeoutMs: number;
  readonly valueType: ValueType;
  readonly parameters: Readonly<Record<string, Parameter<number> | Parameter<number | null>>>;
}

const FIVE_MINUTES_MS = 300_000;
const AN_HOUR_MS = 3_600_000;

/** What kind B's engine can run. */
export const PROCEDURES: readonly Procedure[] = [
  {
    name: 'pagerank',
    displayName: 'PageRank',
    category: 'centrality',
    description: 'Importance of each node by the importance of the nodes that point to it.',
    cypherProcedure: 'pagerank.stream',
    defaultTimeoutMs: FIVE_MINUTES_MS,
    valueType: 'DOUBLE',
    parameters: {},
  },
  {
    name: 'betweenness',
    displayName: 'Betweenness centrality',
    category: 'centrality',
    description: 'How many shortest paths between other nodes lead through a node, estimated from a sample.',
    cypherProcedure: 'algo.betweenness',
    defaultTimeoutMs: AN_HOUR_MS,
    valueType: 'DOUBLE',
    parameters: {
      sampling_size: whole({ default: 32, min: 1, max: 1_000_000, description: 'Number of nodes to start from.' }),
      sampling_seed: wholeOrNull({ default: null, max: 2 ** 31 - 1, description: 'Start of the random choice.' }),
    },
  },
  {
    name: 'wcc',
    displayName: 'Weakly connected components',
    category: 'community',
    description: 'Which nodes are joined by paths whose edges may be walked both ways.',
    cypherProcedure: 'algo.WCC',
    defaultTimeoutMs: FIVE_MINUTES_MS,
    valueType: 'INT64',
    parameters: {},
  },
  {
    name: 'cdlp',
    displayName: 'Community detection by label propagation',
    category: 'community',
    description: 'Communities whose nodes have the label most of their neighbours have.',
    cypherProcedure: 'algo.labelPropagation',
    defaultTimeoutMs: FIVE_MINUTES_MS,
    valueType: 'INT64',
    parameters: { max_iterations: { ...maxIter(10), aliases: [] } },
  },
];

/** A procedure as the discovery endpoints show it. */
export const catalogueOfProcedure = (procedure: Procedure) => ({
  name: procedure.name,
  display_name: procedure.displayName,
  category: procedure.category,
  description: procedure.description,
  cypher_procedure: procedure.cypherProcedure,
  supports_write_back: true,
  default_timeout_ms: procedure.defaultTimeoutMs,
  parameters: shownParameters(procedure.parameters),
});

export const findProcedure = (name: string): Either<DomainError, Procedure> => {
  const found = PROCEDURES.find((procedure) => procedure.name === name);
  if (found !== undefined) return right(found);
  const available = PROCEDURES.map((procedure) => procedure.name);
  const message = `There is no algorithm ${name}; available: ${available.join(', ')}.`;
  return left(domainError('QUERY_ERROR', message, { algorithm: name, available }));
};

type Body = FieldsOf<(typeof ProcedureBody)['props']>;

interface Parts {
  readonly instance: Instance;
  readonly procedures: EngineProcedures;
  readonly runs: Runs;
}

/** Checks a request against the graph, takes the lock and starts; the run goes on after the answer. */
export const startProcedure = (
  procedure: Procedure,
  body: Body,
  username: string,
  { instance, procedures, runs }: Parts,
): Either<DomainError, Execution> => {
  const graph = instance.graph();
  if (graph === null) {
    return left(domainError('SERVICE_UNAVAILABLE', 'The graph is not loaded; wait until /ready answers 200.'));
  }
  const planned = planProcedure(procedure, body, graph);
  if (isLeft(planned)) return planned;
  const { property, timeoutMs, nodeLabels } = planned.right;
  const request = {
    algorithm: procedure.name,
    type: 'native' as const,
    username,
    propertyName: body.result_property,
    writeBack: property !== null,
    timeoutMs,
  };
  return runs.start(request, async ({ signal }) => {
    const outcome = await procedures.run(planned.right, signal);
    if (isLeft(outcome)) return left(failureText(outcome.left));
    if (property !== null) {
      const labels = nodeLabels ?? graph.schema.nodeTables.map(({ label }) => label);
      for (const label of labels) instance.onNodeProperty(label, property);
    }
    return right({ kind: 'property', nodesUpdated: outcome.right });
  });
};

const planProcedure = (
  procedure: Procedure,
  body: Body,
  { schema }: LoadedGraph,
): Either<DomainError, ProcedureRun> => {
  const labels = schema.nodeTables.map(({ label }) => label);
  const types = schema.edgeTables.map(({ type }) => type);
  const unknownLabel = body.node_labels?.find((label) => !labels.includes(label));
  if (unknownLabel !== undefined) {
    return left(invalidField('node_labels', `has ${unknownLabel}; the labels of this graph are: ${labels.join(', ')}`));
  }
  const unknownType = body.relationship_types?.find((type) => !types.includes(type));
  if (unknownType !== undefined) {
    return left(
      invalidField('relationship_types', `has ${unknownType}; the types of this graph are: ${types.join(', ')}`),
    );
  }
  const parameters = decodeParameters(procedure.parameters, body.parameters ?? {});
  if (isLeft(parameters)) {
    const valid = Object.keys(procedure.parameters);
    return left(invalidParameters(procedure.name, parameters.left, valid, 'parameters.'));
  }
  const property = resultProperty(body.result_property, procedure.valueType);
  const stored = body.write_back ?? true;
  for (const table of stored ? schema.nodeTables : []) {
    if (body.node_labels !== undefined && !body.node_labels.includes(table.label)) continue;
    const refusal = propertyRefusal(table, property, 'result_property');
    if (refusal !== null) return left(refusal);
  }
  return right({
    name: procedure.name,
    nodeLabels: body.node_labels ?? null,
    relationshipTypes: body.relationship_types ?? null,
    // The signature has numbers and nulls only.
    parameters: parameters.right as ProcedureRun['parameters'],
    timeoutMs: body.timeout_ms ?? procedure.defaultTimeoutMs,
    property: stored ? property : null,
  });
};

const failureText = (failure: ProcedureFailure): string => {
  switch (failure.kind) {
    case 'timeout':
      return `The run took longer than its limit of ${failure.timeoutMs} ms; raise timeout_ms or choose fewer labels.`;
    case 'cancelled':
      return 'The run was cancelled.';
    case 'rejected':
    case 'crashed':
    case 'unavailable':
      return failure.reason;
  }
};
