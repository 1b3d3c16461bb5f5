import { type AnalysedQuery } from '../../cypher/analyse-query';
import { missingParameter, QueryFault } from '../../cypher/query-fault';
import { rowCount } from '../../cypher/row-counts';
import { type Expression, type Parameter, type StepPattern } from '../../cypher/tree';
import { clausesIn, expressionsIn, isProjection } from '../../cypher/walk';
import { Duration } from '../../evaluate/temporal/duration';
import { Moment } from '../../evaluate/temporal/moment';
import { type GraphSchema, propertiesByTable } from '../../graph-schema';
import { propertyColumn } from '../storage';
import { type BoundParameter, type PlainValue } from './compiled-query';
import { durationLiteral } from './duration-value';
import {
  ANY,
  BOOLEAN,
  FINITE,
  INTEGER,
  KEYS,
  listOf,
  NULL,
  simple,
  SMALL_INTEGER,
  sqlTypeName,
  TEXT,
  type Type,
  typeOfColumn,
  unify,
  type Value,
} from './type';

const NANOSECONDS =
  'A time without a date, or with nanoseconds, is not possible here; for a column, write toString(…) around it.';

/** The state of one compilation. */
export class Context {
  readonly parameters: BoundParameter[] = [];
  readonly shared: string[] = [];
  readonly #numbers = new Map<string, Value>();
  readonly #columns: Readonly<Record<'node' | 'relationship', readonly (readonly StoredColumn[])[]>>;
  #names = 0;

  constructor(
    readonly schema: GraphSchema,
    readonly text: string,
    /** Whether a relationship may match several times in one MATCH. */
    readonly walks: boolean,
    /** The steps of which only the nodes matter that they reach. */
    readonly reaching: ReadonlySet<StepPattern>,
    private readonly values: Readonly<Record<string, unknown>>,
  ) {
    this.#columns = { node: storedColumnsOf(schema, 'node'), relationship: storedColumnsOf(schema, 'relationship') };
  }

  /** Names rows that the statement reads in several places. */
  share(rows: string): string {
    const name = this.name('w');
    this.shared.push(`${name} AS (${rows})`);
    return name;
  }

  /** A new name for an alias or a column. */
  name(prefix: string): string {
    return `${prefix}${++this.#names}`;
  }

  /** The columns of the properties of a table. */
  storedColumns(kind: 'node' | 'relationship', table: number): readonly StoredColumn[] {
    return this.#columns[kind][table] ?? [];
  }

  /** The label of a table of nodes, or the type of one of relationships. */
  tableName(kind: 'node' | 'relationship', table: number): string {
    const { nodeTables, edgeTables } = this.schema;
    return (kind === 'node' ? nodeTables[table]?.label : edgeTables[table]?.type) ?? '';
  }

  refuse(message: string, { start }: { readonly start: number }): never {
    throw new QueryFault(message, start);
  }

  parameter({ name, start }: Parameter): Value {
    if (!Object.hasOwn(this.values, name)) this.refuse(missingParameter(name), { start });
    const bound = this.#numbers.get(name);
    if (bound !== undefined) return bound;
    const held = this.values[name];
    if (held instanceof Moment && momentType(held) === ANY) this.refuse(NANOSECONDS, { start });
    const value =
      held instanceof Duration
        ? (durationLiteral(held) ?? this.refuse(NANOSECONDS, { start }))
        : this.#bind(name, typeOfParameter(held));
    this.#numbers.set(name, value);
    return value;
  }

  /** The text of a literal, or of a parameter that is part of the statement; null for others. */
  textOf(of: Expression): string | null {
    const value = of.kind === 'parameter' ? this.values[of.name] : of.kind === 'literal' ? of.value : null;
    return typeof value === 'string' ? value : null;
  }

  /** The number of SKIP or LIMIT. */
  count(value: Expression, word: 'SKIP' | 'LIMIT'): string {
    return rowCount(value, word, this.values);
  }

  #bind(name: string, type: Type): Value {
    if (type.kind === 'null') return NULL;
    this.parameters.push({ type, value: (parameters) => boundValue(parameters[name], type) });
    return simple(type, `CAST($${this.parameters.length} AS ${sqlTypeName(type)})`);
  }
}

interface StoredColumn {
  readonly name: string;
  readonly column: string;
  readonly type: Type;
}

const storedColumnsOf = (schema: GraphSchema, kind: 'node' | 'relationship'): readonly (readonly StoredColumn[])[] =>
  [...propertiesByTable(schema, kind).values()].map((properties) =>
    properties.map(({ name, type, holds }, at) => ({
      name,
      column: propertyColumn(at),
      type: typeOfColumn(type, holds?.includes('not finite') !== true),
    })),
  );

/** The parameters of SKIP and LIMIT, whose values are part of the statement. */
const countNamesOf = ({ query }: AnalysedQuery): readonly string[] =>
  clausesIn(query)
    .filter(isProjection)
    .flatMap(({ skip, limit }) => [skip, limit].flatMap((value) => (value?.kind === 'parameter' ? [value.name] : [])));

/** The parameters whose texts are part of the statement: of `n[$name]` and `date.truncate($unit, …)`. */
const textNamesOf = ({ query }: AnalysedQuery): readonly string[] =>
  expressionsIn(query).flatMap((value) => {
    const isUnit = value.kind === 'call' && /truncate$/i.test(value.name);
    const text = value.kind === 'index' ? value.at : isUnit ? value.arguments[0] : undefined;
    return text?.kind === 'parameter' ? [text.name] : [];
  });

/** What the statement of a query depends on: the types of its parameters, numbers of SKIP and LIMIT, and texts. */
export const parameterKey = (analysed: AnalysedQuery, values: Readonly<Record<string, unknown>>): string =>
  analysed.parameters.length === 0
    ? ''
    : JSON.stringify([
        analysed.parameters.map((name) => typeOfParameter(values[name])),
        countNamesOf(analysed).map((name) => String(values[name])),
        textNamesOf(analysed).map((name) => (typeof values[name] === 'string' ? values[name] : null)),
      ]);

const typeOfParameter = (value: unknown): Type => {
  if (typeof value === 'boolean') return BOOLEAN;
  if (typeof value === 'string') return TEXT;
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? SMALL_INTEGER : INTEGER;
  if (typeof value === 'number') return FINITE;
  if (typeof value !== 'object' || value === null) return NULL.type;
  if (value instanceof Moment) return momentType(value);
  if (value instanceof Duration) return { kind: 'duration', duration: String(value) };
  if (Array.isArray(value)) return listOf(value.map(typeOfParameter).reduce(unify, NULL.type));
  return { kind: 'map', fields: Object.entries(value).map(([name, item]) => ({ name, type: typeOfParameter(item) })) };
};

/** Without parts below microseconds, which stored times do not have. */
const momentType = ({ type, local, zone }: Moment): Type => {
  if (type === 'DATE') return { kind: 'date' };
  const isStored = type !== 'TIME' && type !== 'LOCALTIME' && local.nanosecond === 0;
  if (!isStored) return ANY;
  const isOther = zone !== null && (zone.offset !== 0 || zone.name !== null);
  return {
    kind: 'timestamp',
    isConstant: true,
    ...(type === 'LOCALDATETIME' ? { isLocal: true } : isOther ? { isZoned: true } : {}),
  };
};

/** A value of a type that `typeOfParameter` found, or a null. */
const boundValue = (value: unknown, type: Type): PlainValue => {
  if (value === null || value === undefined) return null;
  if (type.kind === 'any') return jsonText(value);
  if (value instanceof Moment) return String(value.utc).replace(/^\+/, '');
  if (type.kind === 'float') return Number(value);
  if (type.kind === 'list' && Array.isArray(value)) return value.map((item) => boundValue(item, type.item));
  if (type.kind === 'map' && typeof value === 'object') {
    const entries = new Map<string, unknown>(Object.entries(value));
    return type.fields.map(({ name, type: ofField }) =>
      boundValue(name === KEYS ? [...entries.keys()].sort() : entries.get(name), ofField),
    );
  }
  return typeof value === 'bigint' || typeof value === 'string' || typeof value === 'boolean' ? value : null;
};

/** JSON text as the statement writes it. */
const jsonText = (value: unknown): string => {
  if (typeof value === 'bigint') return String(value);
  if (Array.isArray(value)) return `[${value.map(jsonText).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value ?? null);
  return `{${Object.entries(value)
    .map(([name, item]) => `${JSON.stringify(name)}:${jsonText(item)}`)
    .join(',')}}`;
};
