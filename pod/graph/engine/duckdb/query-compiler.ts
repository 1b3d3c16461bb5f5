import { type Either, isLeft } from 'fp-ts/Either';
import { LRUCache } from 'lru-cache';
import { type AnalysedQuery, type Refusal, refusing } from '../cypher/analyse-query';
import { checkRegularExpressions } from '../cypher/regular-expressions';
import { foldConstants } from '../evaluate/fold-constants';
import { type GraphQuery } from '../graph-engine';
import { EMPTY_SCHEMA, type GraphSchema } from '../graph-schema';
import { compileQuery, parameterKey } from './compile/compile-query';
import { type BoundParameter, type CompiledQuery } from './compile/compiled-query';
import { shortLiteral, withParameters } from './compile/literal';
import { type BoundSelect } from './database-calls';

const MAX_COMPILED = 500;

/** Compiles queries for the schema of the graph, each text once for the types of its parameters. */
export class QueryCompiler {
  private current = EMPTY_SCHEMA;
  private readonly compiled = new LRUCache<string, Either<Refusal, CompiledQuery>>({ max: MAX_COMPILED });

  constructor(private readonly compile = compileQuery) {}

  get schema(): GraphSchema {
    return this.current;
  }

  set schema(schema: GraphSchema) {
    this.current = schema;
    this.compiled.clear();
  }

  /** The SELECT of a query with the values of its parameters. */
  select(analysed: AnalysedQuery, query: GraphQuery): Either<Refusal, BoundSelect> {
    const { query: folded, names, parameters: sent } = foldConstants(analysed, query.parameters);
    const whole = { ...analysed, query: folded, parameters: [...analysed.parameters, ...names] };
    const compiled = this.compiledFor(whole, { ...query, parameters: sent });
    if (isLeft(compiled)) return compiled;
    const { parameters, ...select } = compiled.right;
    return refusing(analysed.text, () => {
      if (analysed.text.includes('=~')) checkRegularExpressions(folded, sent);
      return { ...select, ...boundValues(select.sql, parameters, sent) };
    });
  }

  private compiledFor(analysed: AnalysedQuery, { parameters, walks = false }: GraphQuery) {
    const types = parameterKey(analysed, parameters);
    const key = [walks, types, ...analysed.parameters, analysed.text].join('\n');
    const cached = this.compiled.get(key);
    if (cached !== undefined) return cached;
    const { schema } = this;
    const made = refusing(analysed.text, () => this.compile(analysed, { schema, parameters, walks }));
    this.compiled.set(key, made);
    return made;
  }
}

/** Short values become literals: DuckDB runs a text in one call, and a lookup takes little longer than a call. */
const boundValues = (
  sql: string,
  parameters: readonly BoundParameter[],
  sent: Readonly<Record<string, unknown>>,
): Pick<BoundSelect, 'sql' | 'values'> => {
  const values = parameters.map(({ type, value }) => ({ type, value: value(sent) }));
  const literals = values.flatMap(({ value }) => shortLiteral(value) ?? []);
  if (literals.length < values.length) return { sql, values };
  return { sql: withParameters(sql, (number) => literals[number - 1]), values: [] };
};
