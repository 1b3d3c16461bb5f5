import { type Completion, type CompletionContext, completeFromList, ifNotIn } from '@codemirror/autocomplete';
import { sql, type SQLNamespace, StandardSQL } from '@codemirror/lang-sql';
import { type Extension } from '@codemirror/state';

/** A table that queries may read. */
export interface KnownTable {
  readonly catalog: string;
  readonly schema: string;
  readonly table: string;
  /** The full name in queries. */
  readonly fullName: string;
  /** Empty while the text does not contain the table's name. */
  readonly columns: readonly string[];
}

/** The tables by their path, and each by its bare name, which is completed to the full name. */
const namespaceOf = (tables: readonly KnownTable[]): SQLNamespace => {
  const bare: Record<string, SQLNamespace> = {};
  const paths: Record<string, Record<string, Record<string, SQLNamespace>>> = {};
  for (const { catalog, schema, table, fullName, columns } of tables) {
    const self: Completion = { label: table, type: 'class', detail: `${catalog}.${schema}`, apply: fullName };
    bare[table] = { self, children: columns };
    ((paths[catalog] ??= {})[schema] ??= {})[table] = columns;
  }
  return { ...bare, ...paths };
};

/** SQL for the editor, with proposals of tables and their columns. */
export const sqlOver = (tables: readonly KnownTable[]): Extension => {
  const columns = tables.flatMap(({ table, columns: names }) =>
    names.map((label): Completion => ({ label, type: 'property', detail: table })),
  );
  const listed = ifNotIn(['String', 'LineComment', 'BlockComment'], completeFromList(columns));
  // After a dot the language proposes the content of the table, schema or catalog before it.
  const autocomplete = (context: CompletionContext) => (context.matchBefore(/\.\w*/) === null ? listed(context) : null);
  return [
    sql({ dialect: StandardSQL, schema: namespaceOf(tables), upperCaseKeywords: true }),
    StandardSQL.language.data.of({ autocomplete }),
  ];
};
