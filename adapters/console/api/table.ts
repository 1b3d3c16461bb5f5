/** A table of the warehouse, with its columns. */
export interface Table {
  readonly catalog: string;
  readonly schema: string;
  readonly table: string;
  readonly columns: readonly Column[];
}

export interface Column {
  readonly name: string;
  readonly type: string;
  readonly isNullable: boolean;
}

export type TableName = Omit<Table, 'columns'>;
