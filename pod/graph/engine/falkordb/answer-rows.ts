import { MAX_BYTES, MAX_ROWS, rowTooLarge } from '../answer-limits';
import { type GraphAnswer } from '../graph-engine';
import { type GraphSchema } from '../graph-schema';
import { type AnalysedQuery } from '../query/analyse-query';
import { columnTitles } from '../query/column-titles';
import { answerColumns, type AnswerColumn } from './answer-columns';
import { unknownNames } from './query-text';
import { items, textOf, type Reply } from './resp';
import { ID_MARKS, type ValueEncoder } from './value-encoder';
import { walkWarnings } from './walk-warnings';

/** Takes the rows of an answer as they come, up to what an answer may hold. */
export class AnswerRows {
  private readonly rows: string[] = [];
  private header: readonly Reply[] = [];
  private columns: readonly AnswerColumn[] = [];
  private bytes = 0;
  private truncated = false;
  private error: Error | null = null;
  /** Why the query is refused: a row that no answer can hold. */
  refusal: string | null = null;

  /** `stop`: what is still to come is of no use, and may be much. */
  constructor(
    private readonly query: AnalysedQuery,
    private readonly schema: GraphSchema,
    private readonly encoder: ValueEncoder,
    private readonly stop: () => void,
  ) {}

  /** What it throws would be thrown into the connection; `throwError` throws it. */
  take(row: Reply, header: Reply): void {
    if (this.truncated || this.encoder.lacksName || this.error !== null) return;
    if (this.rows.length === 0) this.describe(items(header));
    try {
      this.add(row);
    } catch (error) {
      this.error = error instanceof Error ? error : new Error(String(error));
    }
  }

  throwError(): void {
    if (this.error !== null) throw this.error;
  }

  isFull(): boolean {
    return this.bytes > MAX_BYTES;
  }

  /** Numbers of the nodes whose ids the answer needs and does not have. */
  missingIds(): readonly number[] {
    return [...this.encoder.needed].filter((number) => !this.encoder.ids.has(number));
  }

  /** `header`: of an answer without rows; `ids`: those of the nodes that are not in the answer. */
  answer(header: readonly Reply[], ids: ReadonlyMap<number, string>): GraphAnswer {
    const { encoder, rows, schema } = this;
    if (this.header.length === 0) this.describe(header);
    const idOf = (_: string, number: string): string =>
      encoder.ids.get(Number(number)) ?? ids.get(Number(number)) ?? 'null';
    const complete = encoder.needed.size === 0 ? rows : rows.map((row) => row.replace(ID_MARKS, idOf));
    const warnings = answerWarnings(this.query, schema);
    return {
      columns: columnTitles(
        this.query,
        this.header.map((column) => textOf(items(column)[1])),
      ),
      columnTypes: this.columns.map((column) => column.typeName()),
      rowsJson: `[${complete.join(',')}]`,
      rowCount: rows.length,
      truncated: this.truncated,
      ...(warnings.length === 0 ? {} : { warnings }),
    };
  }

  private describe(header: readonly Reply[]): void {
    this.header = header;
    this.columns = answerColumns(header.length, this.query.result, this.schema, this.encoder);
  }

  private add(row: Reply): void {
    const cells = items(row).map((cell, index) => {
      const [type, value] = items(cell);
      return this.columns[index]?.encode(Number(type), value ?? null) ?? 'null';
    });
    const json = `[${cells.join(',')}]`;
    const bytes = Buffer.byteLength(json) + 1;
    if (bytes > MAX_BYTES) this.refusal = rowTooLarge(this.rows.length + 1, bytes);
    this.bytes += bytes;
    this.truncated = this.rows.length === MAX_ROWS || this.isFull();
    if (!this.truncated) this.rows.push(json);
    if (this.isFull()) this.stop();
  }
}

/** What people should know of any answer to a query. */
export const answerWarnings = (query: AnalysedQuery, schema: GraphSchema): readonly string[] => [
  ...unknownNameWarnings(query, schema),
  ...walkWarnings(query),
];

const unknownNameWarnings = ({ tokens }: AnalysedQuery, { nodeTables, edgeTables }: GraphSchema): readonly string[] => {
  const labels = nodeTables.map(({ label }) => label);
  const types = edgeTables.map(({ type }) => type);
  return unknownNames(tokens, new Set([...labels, ...types])).map(
    (name) =>
      `There is no label or edge type ${name} in this graph, so nothing matches it. ` +
      `Labels: ${labels.join(', ')}; edge types: ${types.join(', ')}.`,
  );
};
