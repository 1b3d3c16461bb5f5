import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { type DomainError, domainError } from '../domain/kernel/errors';
import { type EngineColumn, type EngineInspector } from '../domain/ports/query-engine';
import { type AllowList, refuseForbidden } from '../domain/schema-cache';
import { checkQuery, refusalOfEngine } from '../domain/sql/check-query';
import { type DescribedQuery, suggestDefinitions, type SuggestedDefinitions } from '../domain/sql-tools';

export interface SqlInspection {
  readonly engine: EngineInspector;
  readonly allowList: AllowList;
}

type InspectionError = DomainError<'PERMISSION_DENIED' | 'SERVICE_UNAVAILABLE' | 'QUERYENGINE_ERROR'>;

export type InspectedQuery =
  | { readonly isValid: true; readonly sql: string; readonly columns: readonly EngineColumn[] }
  | {
      readonly isValid: false;
      readonly error: string;
      /** In the original text, 1-based; null if unknown. */
      readonly position: { readonly line: number; readonly column: number } | null;
    };

/**
 * Checks a query by the rules of mappings, then with the engine, without running it. Left: it names a table outside the
 * allow-list, or the engine is unavailable or failed.
 */
export const inspectQuery = async (
  { engine, allowList }: SqlInspection,
  sql: string,
): Promise<Either<InspectionError, InspectedQuery>> => {
  const checked = checkQuery(sql);
  if (isLeft(checked)) {
    const { message, line, column } = checked.left;
    return right({ isValid: false, error: message, position: { line, column } });
  }
  const refusal = await refuseForbiddenTables({ engine, allowList }, checked.right);
  if (refusal !== null) return refusal;
  const described = await engine.describe(checked.right);
  if (!isLeft(described)) return right({ isValid: true, sql: checked.right, columns: described.right });
  const error = described.left;
  if (error.kind === 'invalid_sql') return right({ isValid: false, error: error.message, position: error.position });
  return left(refusalOfEngine(error, 'The query could not be checked'));
};

/**
 * A short name may resolve to several tables, and a common table may shadow a table of the same name: every possible
 * table counts as read.
 */
const refuseForbiddenTables = async (
  { engine, allowList }: SqlInspection,
  sql: string,
): Promise<Either<InspectionError, never> | null> => {
  if (allowList.isUnrestricted) return null;
  const tables = await engine.tablesOf(sql);
  if (isLeft(tables)) return left(refusalOfEngine(tables.left, 'The tables of the query could not be looked up'));
  for (const { catalog, schema, path } of tables.right) {
    const refusal = refuseForbidden(allowList, catalog, schema);
    const isNamed = path.slice(0, -1).some((part) => part.toLowerCase() === catalog.toLowerCase());
    if (refusal !== null) return isNamed ? refusal : refuseTable(path);
  }
  return null;
};

/** The message contains the name as written, so that it does not reveal the catalog. */
const refuseTable = (path: readonly string[]): Either<InspectionError, never> => {
  const message = `The table ${path.join('.')} is not allowed. Ask an administrator to allow it, or choose another table.`;
  return left(domainError('PERMISSION_DENIED', message));
};

/**
 * Suggests definitions for a mapping from queries, asking the engine for their columns. Left: queries are invalid (all
 * are listed), a table is not allowed, or the engine failed. `signal` stops between two queries.
 */
export const parseQueries = async (
  inspection: SqlInspection,
  queries: { readonly node_queries: readonly string[]; readonly edge_queries: readonly string[] },
  signal: AbortSignal,
): Promise<Either<InspectionError | DomainError<'VALIDATION_FAILED'>, SuggestedDefinitions>> => {
  const errors: { readonly field: string; readonly message: string }[] = [];
  const describeAll = async (
    list: 'node_queries' | 'edge_queries',
  ): Promise<Either<InspectionError, readonly DescribedQuery[]>> => {
    const described: DescribedQuery[] = [];
    for (const [index, sql] of queries[list].entries()) {
      if (signal.aborted) {
        const message = `The query engine took too long up to ${list}.${index}. Send fewer or simpler queries.`;
        return left(domainError('QUERYENGINE_ERROR', message));
      }
      const inspected = await inspectQuery(inspection, sql);
      if (isLeft(inspected)) return inspected;
      if (inspected.right.isValid) described.push(inspected.right);
      else errors.push({ field: `${list}.${index}`, message: complaintOf(inspected.right) });
    }
    return right(described);
  };
  const nodes = await describeAll('node_queries');
  if (isLeft(nodes)) return nodes;
  const edges = await describeAll('edge_queries');
  if (isLeft(edges)) return edges;
  if (errors.length === 0) return right(suggestDefinitions(nodes.right, edges.right));
  const message = errors.map((error) => `${error.field} ${error.message}`).join('; ');
  const [first] = errors;
  const field = errors.length === 1 && first !== undefined ? { field: first.field } : {};
  return left(domainError('VALIDATION_FAILED', `${message}.`, { ...field, errors }));
};

const complaintOf = ({ error, position }: InspectedQuery & { isValid: false }): string =>
  `is not a valid query: ${error}${position === null ? '' : ` (line ${position.line}, column ${position.column})`}`;
