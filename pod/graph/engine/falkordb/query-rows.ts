import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { type AnalysedQuery } from '../cypher/analyse-query';
import { columnTitles } from '../cypher/column-titles';
import { type TypeOf } from '../cypher/expression-types';
import { valueTypes } from '../cypher/scopes';
import { type Expression, type Query } from '../cypher/tree';
import { common, isNested, storedTime, UNKNOWN, type ValueType } from '../cypher/value-type';
import { type CallFailure, reasonOf } from '../engine-failure';
import { type ExportColumn } from '../export/row-writer';
import { MAX_BYTES, type QueryFailure, rowTooLarge } from '../graph-engine';
import {
  allProperties,
  type ColumnType,
  type GraphProperty,
  type GraphSchema,
  propertiesByTable,
} from '../graph-schema';
import { type Connection, items, type Reply, textOf } from './connection';
import { type NodeIds } from './node-ids';
import { type QueryPreparation } from './query-preparation';
import { columnsOfUnions } from './quirks/columns-of-unions';
import { type RunningServer } from './running-server';
import { type Storage, storageOf } from './storage';
import { ID_MARKS, VALUE, ValueEncoder } from './value-encoder';

/** The connection and the graph of a query. */
export interface QueryGraph {
  readonly schema: GraphSchema;
  readonly ids: NodeIds;
  readonly preparation: QueryPreparation;
}

/** The cells of a row as JSON texts. */
export type Row = readonly string[];

/** Size of one batch of rows. */
const BATCH_BYTES = 256 * 1024;

/** Reads the rows of one query in batches. The server waits while a batch is complete and not requested. */
export class QueryRows {
  private readonly encoder: ValueEncoder;
  private rows: Row[] = [];
  private size = 0;
  private rowCount = 0;
  private header: readonly Reply[] = [];
  private columns: readonly AnswerColumn[] = [];
  private end: Either<CallFailure, Reply> | null = null;
  /** Why its rows cannot be returned. */
  private fault: QueryFailure | null = null;
  private wake: () => void = () => undefined;

  constructor(
    private readonly server: RunningServer,
    private readonly connection: Connection,
    private readonly analysed: AnalysedQuery,
    private readonly graph: QueryGraph,
    private readonly failureOf: (failure: CallFailure) => QueryFailure,
  ) {
    this.encoder = new ValueEncoder(graph.schema, server.names);
  }

  /** Sends a command whose reply contains rows. */
  send(command: readonly string[]): void {
    const take = (row: Reply, header: Reply): void => {
      if (this.end !== null) return;
      if (this.header.length === 0) this.describe(items(header));
      this.take(row);
    };
    void this.connection.send(command, take).then((reply) => {
      this.end ??= reply;
      this.wake();
    });
  }

  /** Resolves when a batch is complete or the rows end; null, or the failure of the query. */
  async ready(): Promise<QueryFailure | null> {
    if (this.end === null && this.size < BATCH_BYTES) {
      await new Promise<void>((resolve) => {
        this.wake = resolve;
        this.connection.resume();
      });
    }
    if (this.fault !== null) return this.fault;
    return this.end !== null && isLeft(this.end) ? this.failureOf(this.end.left) : null;
  }

  /** The next rows, null after the last. */
  async next(): Promise<Either<QueryFailure, readonly Row[] | null>> {
    const failure = await this.ready();
    if (failure !== null) return left(failure);
    const { rows, end } = this;
    [this.rows, this.size] = [[], 0];
    return rows.length === 0 && end !== null ? right(null) : this.withIds(rows);
  }

  /** Known with the first rows; types are those of the values so far. */
  described(): readonly ExportColumn[] {
    if (this.header.length === 0 && this.end !== null && !isLeft(this.end)) {
      this.describe(items(items(this.end.right)[0]));
    }
    const names = this.header.map((column) => textOf(items(column)[1]));
    const { text, query } = this.analysed;
    return columnTitles(text, query, names).map((name, index) => ({
      name,
      type: this.columns[index]?.typeName() ?? 'ANY',
      nested: this.columns[index]?.nestedType() ?? null,
    }));
  }

  /** Discards rows that were not read. */
  close(): void {
    if (this.end === null) this.connection.close();
    this.server.release(this.connection);
  }

  private describe(header: readonly Reply[]): void {
    this.header = header;
    this.columns = answerColumns(header.length, this.analysed.query, this.graph.schema, this.encoder);
  }

  private take(row: Reply): void {
    try {
      const cells = items(row).map((cell, index) => {
        const [type, value] = items(cell);
        return this.columns[index]?.encode(Number(type), value ?? null) ?? 'null';
      });
      this.add(cells);
    } catch (error) {
      this.fail(reasonOf(error));
    }
    if (this.size < BATCH_BYTES) return;
    this.connection.pause();
    this.wake();
  }

  private add(cells: Row): void {
    this.rowCount++;
    const size = cells.reduce((sum, cell) => sum + Buffer.byteLength(cell) + 1, 2);
    if (size > MAX_BYTES) return this.fail(rowTooLarge(this.rowCount, size));
    this.rows.push(cells);
    this.size += size;
  }

  /** Edges contain the ids of their ends, which may not be in a row. */
  private async withIds(rows: readonly Row[]): Promise<Either<QueryFailure, readonly Row[]>> {
    const { needed, ids } = this.encoder.takeIds();
    if (needed.size === 0) return right(rows);
    const missing = [...needed].filter((number) => !ids.has(number));
    const found = await this.graph.ids.resolve(missing, this.server);
    if (isLeft(found)) return left(this.failureOf(found.left));
    const idOf = (_: string, number: string): string =>
      ids.get(Number(number)) ?? found.right.get(Number(number)) ?? 'null';
    return right(rows.map((row) => row.map((cell) => cell.replace(ID_MARKS, idOf))));
  }

  private fail(reason: string): void {
    this.fault = { kind: 'rejected', message: reason, position: null };
    this.end = left({ kind: 'rejected', reason });
    this.connection.close();
    this.wake();
  }
}

/** One column of an answer. Its type is derived from its expression and its values so far. */
type AnswerColumn = ReturnType<typeof answerColumn>;

const NAME_OF: Readonly<Record<number, string>> = {
  [VALUE.text]: 'STRING',
  [VALUE.integer]: 'INT64',
  [VALUE.boolean]: 'BOOL',
  [VALUE.double]: 'DOUBLE',
  [VALUE.list]: 'LIST',
  [VALUE.edge]: 'REL',
  [VALUE.node]: 'NODE',
  [VALUE.path]: 'PATH',
  [VALUE.map]: 'MAP',
};

const STORED_AS: Readonly<Record<Storage, number>> = {
  integer: VALUE.integer,
  double: VALUE.double,
  boolean: VALUE.boolean,
  text: VALUE.text,
  json: VALUE.text,
  list: VALUE.list,
};

/**
 * The columns of an answer. A column `x.name` has the type that the graph declares for that property; any other has the
 * type of its values. The engine stores dates and nested values as text.
 */
const answerColumns = (
  count: number,
  query: Query,
  schema: GraphSchema,
  encoder: ValueEncoder,
): readonly AnswerColumn[] => {
  const typeOf = valueTypes(query, schema);
  const parts = columnsOfUnions(query).parts.map((clauses) => {
    const last = clauses.at(-1);
    return last?.kind === 'return' && last.items.length === count ? last.items : [];
  });
  return Array.from({ length: count }, (_, index) => {
    const values = parts.flatMap((items) => items[index]?.value ?? []);
    if (values.length < parts.length) return answerColumn(null, UNKNOWN, encoder);
    const type = values.map(typeOf).reduce(common);
    const [property = null, ...properties] = values.map((value) => declaredProperty(value, schema, typeOf));
    const isSame = properties.every((other) => other?.declaredType === property?.declaredType);
    return answerColumn(isSame ? property : null, type, encoder);
  });
};

/** The names of columns without values. */
const NAME_OF_TYPE: Readonly<Partial<Record<ValueType['kind'], string>>> = {
  text: 'STRING',
  integer: 'INT64',
  boolean: 'BOOL',
  float: 'DOUBLE',
  list: 'LIST',
  relationship: 'REL',
  node: 'NODE',
  path: 'PATH',
  map: 'MAP',
};

const answerColumn = (property: GraphProperty | null, of: ValueType, encoder: ValueEncoder) => {
  const [time, isJson] = [storedTime(of), isNested(of)];
  const seen = new Set<number>();
  const storage = property === null ? null : storageOf(property.type);
  const expected = storage === null ? null : STORED_AS[storage];
  const declared = (): GraphProperty | null => ([...seen].every((type) => type === expected) ? property : null);
  return {
    encode: (type: number, value: Reply): string => {
      if (type !== VALUE.null) seen.add(type);
      return isJson && type === VALUE.text ? textOf(value) : encoder.encode(type, value);
    },
    nestedType: (): ColumnType | null => {
      const type = declared()?.type ?? null;
      return type?.kind === 'scalar' ? null : type;
    },
    typeName: (): string => {
      const found = declared();
      if (found !== null) return found.type.kind === 'scalar' ? found.declaredType : found.type.kind.toUpperCase();
      const [only, ...others] = [...seen].map((type) => NAME_OF[type] ?? 'ANY');
      return others.length > 0 ? 'ANY' : (time ?? only ?? NAME_OF_TYPE[of.kind] ?? 'ANY');
    },
  };
};

/** The property that an expression `x.name` reads, if all tables that x can be of declare it with one type. */
const declaredProperty = (value: Expression, schema: GraphSchema, typeOf: TypeOf): GraphProperty | null => {
  if (value.kind !== 'property' || value.of.kind !== 'variable') return null;
  const name = value.name.text;
  const of = typeOf(value.of);
  const possible =
    of.kind === 'node' || of.kind === 'relationship'
      ? [...propertiesByTable(schema, of.kind)].flatMap(([table, all]) => (of.tables.includes(table) ? all : []))
      : allProperties(schema);
  const found = possible.filter((property) => property.name === name);
  const [first] = found;
  const same = (property: GraphProperty): boolean =>
    property.declaredType === first?.declaredType && storageOf(property.type) === storageOf(first.type);
  return first !== undefined && found.every(same) ? first : null;
};
