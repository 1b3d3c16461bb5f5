import { type ColumnType } from '../../graph-schema';

/**
 * Properties to fetch exactly, with their types. The key is the property's name, inside paths with its part of the
 * path: `nodes/since`, `rels/since`.
 */
export type PropertyNeeds = ReadonlyMap<string, ColumnType>;

/**
 * Columns of a query that need extra columns to be exact: the whole value cast, or single properties of the nodes and
 * relationships in it.
 */
export type ExactPlan = ReadonlyMap<number, 'whole' | PropertyNeeds>;

export interface ResultColumn {
  readonly name: string;
  readonly type: ColumnType;
}

/** The exact plan of a query, and its columns. */
export interface ExactColumns {
  readonly plan: ExactPlan;
  readonly columns: readonly ResultColumn[];
}

export const wholeColumnName = (column: number): string => `_exact_${column}`;
export const propertyColumnName = (column: number, key: string): string => `_exact_${column}_${key}`;

export const mergePlans = (a: ExactPlan, b: ExactPlan): ExactPlan => {
  const merged = new Map(a);
  for (const [column, need] of b) {
    const known = merged.get(column);
    const both = typeof known === 'object' && need !== 'whole';
    merged.set(column, both ? new Map([...known, ...need]) : need);
  }
  return merged;
};

/** Number of columns that a plan adds. */
export const addedColumns = (plan: ExactPlan): number =>
  [...plan.values()].reduce((sum, need) => sum + (need === 'whole' ? 1 : need.size), 0);
