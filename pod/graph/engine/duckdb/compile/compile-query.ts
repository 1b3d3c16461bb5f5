import { type AnalysedQuery } from '../../cypher/analyse-query';
import { QueryFault } from '../../cypher/query-fault';
import { type GraphSchema } from '../../graph-schema';
import { type CompiledQuery } from './compiled-query';

type Parameters = Readonly<Record<string, unknown>>;

export interface CompileContext {
  readonly schema: GraphSchema;
  readonly parameters: Parameters;
  readonly walks: boolean;
}

/** Throws a `QueryFault` for a query that cannot be compiled. */
export const compileQuery: (analysed: AnalysedQuery, context: CompileContext) => CompiledQuery = () => {
  throw new QueryFault('This kind of instance does not read queries.', 0);
};

/** Equal for parameters with which a query is compiled in the same way. */
export const parameterKey = (analysed: AnalysedQuery, parameters: Parameters): string =>
  analysed.parameters.map((name) => typeof parameters[name]).join();
