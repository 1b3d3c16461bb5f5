import { type Completion, type CompletionContext, completeFromList, ifNotIn } from '@codemirror/autocomplete';
import { sql, type SQLNamespace, StandardSQL } from '@codemirror/lang-sql';
import { type Extension } from '@codemirror/state';

/** A table that queries may read. */
export interface KnownTable {
  readonly catalog: string;
  readonly schema: string;
  readonly table: string;
  /** How queries name it. */
  readonly fullName: string;
  /** Empty as long as the text does not name the table. */
  readonly columns: readonly string[];
}

/** The tables by their path, and each by its bare name, which is completed to the full one. */
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

/** SQL in the editor, with proposals of tables and of their columns. */
export const sqlOver = (tables: readonly KnownTable[]): Extension => {
  const columns = tables.flatMap(({ table, columns: names }) =>
    names.map((label): Completion => ({ label, type: 'property', detail: table })),
  );
  const listed = ifNotIn(['String', 'LineComment', 'BlockComment'], completeFromList(columns));
  // After a point the language proposes what is in the table, schema or catalog before it.
  const autocomplete = (context: CompletionContext) => (context.matchBefore(/\.\w*/) === null ? listed(context) : null);
  return [
    sql({ dialect: StandardSQL, schema: namespaceOf(tables), upperCaseKeywords: true }),
    StandardSQL.language.data.of({ autocomplete }),
  ];
};
