import { type AnalysedQuery } from '../../cypher/analyse-query';
import { itemTitles } from '../../cypher/column-titles';
import { type ColumnType, EMPTY_SCHEMA, type GraphSchema } from '../../graph-schema';
import { storedExpression } from '../storage';
import { compileQuery as compileRows } from './clauses';
import { type BoundParameter, type CompiledQuery } from './compiled-query';
import { Context } from './context';
import { compileExpression } from './expression';
import { type Compilers, Frame } from './frame';
import { jsonText } from './json-text';
import { withParameters } from './literal';
import { compileMatch } from './match';
import { mostRows } from './most-rows';
import { reachingSteps } from './reaching-steps';
import { answerName, nestedType, typed, typeOfColumn } from './type';

export { parameterKey } from './context';

const COMPILERS: Compilers = { expression: compileExpression, match: compileMatch, query: compileRows };

export interface CompileOptions {
  readonly schema: GraphSchema;
  /** The statement depends on their types only. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /** Whether a relationship may match several times in one MATCH. */
  readonly walks: boolean;
}

/** Compiles a query to one SQL statement. Throws a `QueryFault` for what SQL cannot express. */
export const compileQuery = (
  { text, query }: AnalysedQuery,
  { schema, parameters, walks }: CompileOptions,
): CompiledQuery => {
  const context = new Context(schema, text, walks, reachingSteps(query, schema), parameters);
  const rows = compileRows(query, new Frame(context, COMPILERS, null));
  const columns = [...rows.variables];
  const cells = columns.map(([, value], at) => `${jsonText(value, rows)} AS j${at}`);
  const titles = itemTitles(text, query);
  const shared = context.shared.length === 0 ? '' : `WITH ${context.shared.join(', ')} `;
  const { sql, parameters: bound } = withUsedParameters(
    `${shared}SELECT ${cells.join(', ')}${rows.source}${rows.orderBy}`,
    context.parameters,
  );
  return {
    sql,
    columns: columns.map(([name], at) => titles[at] ?? name),
    columnTypes: columns.map(([, { type }]) => answerName(type)),
    nestedTypes: columns.map(([, { type }]) => nestedType(type)),
    mostRows: mostRows(query, schema),
    parameters: bound,
  };
};

/** A statement must use all its parameters, and a value without effect is not part of it. */
const withUsedParameters = (sql: string, all: readonly BoundParameter[]) => {
  const parameters: BoundParameter[] = [];
  const used = withParameters(sql, (number) => {
    const parameter = all[number - 1];
    if (parameter === undefined) return undefined;
    if (!parameters.includes(parameter)) parameters.push(parameter);
    return `$${parameters.indexOf(parameter) + 1}`;
  });
  return { sql: used, parameters };
};

/** The JSON text of a value of a Parquet file, as in answers. */
export const jsonOfStored = (value: string, type: ColumnType): string => {
  const frame = new Frame(new Context(EMPTY_SCHEMA, '', false, new Set(), {}), COMPILERS, null);
  return jsonText(typed(typeOfColumn(type, false), storedExpression(value, type)), frame);
};
