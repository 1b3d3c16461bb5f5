import { nearestNames } from '../../../../domain/kernel/nearest-names';
import { asciiUpper } from './cypher-tokens';
import { QueryFault } from './query-fault';
import { checkArguments } from './signatures';
import { type Expression, type Query } from './tree';
import { clausesIn, expressionsIn } from './walk';

/** The functions and procedures that queries may call in an engine. Names in upper case, procedures with their dots. */
export interface QueryVocabulary {
  readonly functions: ReadonlySet<string>;
  /** Functions that the pod computes from values; an engine may lack them. */
  readonly computed: ReadonlySet<string>;
  readonly procedures: ReadonlySet<string>;
  /** Procedures that queries must not call, with alternatives. */
  readonly elsewhere: ReadonlyMap<string, string>;
}

/** The words of a text, which is in upper case. */
export const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/**
 * Throws a `QueryFault` for forbidden calls. Only reading clauses can be parsed; an engine's read-only transaction
 * prevents writes to the graph, but not reading files, exporting or changing settings, which are all calls.
 */
export const checkCalls = (query: Query, vocabulary: QueryVocabulary): void => {
  for (const clause of clausesIn(query)) {
    if (clause.kind === 'call_procedure') checkProcedure(clause.name, clause.start, vocabulary);
  }
  for (const value of expressionsIn(query)) {
    if (value.kind !== 'call') continue;
    checkFunction(value.name, value.start, vocabulary);
    checkArguments(value);
  }
};

const checkProcedure = (name: string, start: number, { procedures, elsewhere }: QueryVocabulary): void => {
  if (procedures.has(asciiUpper(name))) return;
  const place = elsewhere.get(asciiUpper(name));
  const known = [...procedures].map((procedure) => procedure.toLowerCase()).join(', ');
  const message =
    place === undefined
      ? `Unknown procedure ${name}; CALL accepts ${known}.`
      : `${name.toLowerCase()} does not observe the timeout of a query: ${place}.`;
  throw new QueryFault(message, start);
};

/** What answers the question of a function that only Neo4j has. */
const INSTEAD: ReadonlyMap<string, string> = new Map([
  ['VALUETYPE', 'GET /schema, or rowgraph schema, lists the types of properties.'],
]);

const checkFunction = (name: string, start: number, { functions, computed, procedures }: QueryVocabulary): void => {
  const upper = asciiUpper(name);
  if (functions.has(upper) || computed.has(upper) || procedures.has(upper)) return;
  const known = [...functions, ...computed].map((one) => one.toLowerCase());
  const [nearest] = nearestNames(name, known);
  const hint = nearest === undefined ? 'GET /language, or rowgraph language, lists all.' : `did you mean ${nearest}?`;
  throw new QueryFault(`Unknown function ${name}; ${INSTEAD.get(upper) ?? hint}`, start);
};

/** Why an engine rejects a function that the pod computes. */
export const onlyInPod = (name: string): string =>
  `${name} is not possible in this part of a query: it can be used without MATCH, or in a clause after MATCH … WITH.`;

/** Throws a `QueryFault` for functions that the pod computes, but the engine lacks. */
export const checkEngineCalls = (values: readonly Expression[], { functions, computed }: QueryVocabulary): void => {
  for (const value of values) {
    if (value.kind !== 'call') continue;
    const upper = asciiUpper(value.name);
    if (!computed.has(upper) || functions.has(upper)) continue;
    throw new QueryFault(onlyInPod(value.name), value.start);
  }
};

/** The keywords of reading queries, in upper case. */
export const KEYWORDS = words(`
  MATCH OPTIONAL WHERE RETURN WITH UNWIND AS ORDER BY SKIP LIMIT ASC DESC DISTINCT AND OR XOR NOT IN CONTAINS STARTS ENDS
  IS NULL TRUE FALSE CASE WHEN THEN ELSE END UNION ALL CALL YIELD EXISTS COUNT ANY NONE SINGLE EXPLAIN PROFILE`);
