import { type TableKind } from '../../graph-engine';
import { type GraphSchema } from '../../graph-schema';

/**
 * The names of tables in the engine. There a label and an edge type cannot have the same name, nor can two labels that
 * differ only in case; such tables get a space and a number after the name; labels and types never contain spaces.
 */
export interface TableNames {
  readonly tableOf: (kind: TableKind, name: string) => string;
  /** Whether the name of any table differs from its label or edge type. */
  readonly differ: boolean;
}

export const tableNames = ({ nodeTables, edgeTables }: GraphSchema): TableNames => {
  const names = [
    ...nodeTables.map(({ label }) => ({ kind: 'nodes', name: label })),
    ...edgeTables.map(({ type }) => ({ kind: 'edges', name: type })),
  ];
  const counts = new Map<string, number>();
  for (const { name } of names) counts.set(name.toLowerCase(), (counts.get(name.toLowerCase()) ?? 0) + 1);
  const others = new Map<string, string>();
  for (const [place, { kind, name }] of names.entries()) {
    if ((counts.get(name.toLowerCase()) ?? 0) > 1) others.set(`${kind} ${name}`, `${name} ${place}`);
  }
  return { tableOf: (kind, name) => others.get(`${kind} ${name}`) ?? name, differ: others.size > 0 };
};

/** The label or edge type of a table. */
export const shownName = (table: string): string => table.split(' ', 1)[0] ?? table;

/** A schema with the engine's table names. */
export const withTableNames = ({ nodeTables, edgeTables }: GraphSchema, { tableOf }: TableNames): GraphSchema => ({
  nodeTables: nodeTables.map((table) => ({ ...table, label: tableOf('nodes', table.label) })),
  edgeTables: edgeTables.map((table) => ({
    ...table,
    type: tableOf('edges', table.type),
    fromNode: tableOf('nodes', table.fromNode),
    toNode: tableOf('nodes', table.toNode),
  })),
});
