/** What to change in a mapping against each kind of defect of its exported rows. */
const CURES = {
  missing_column: 'Name the columns of the query as the mapping does (AS).',
  wrong_column: 'Convert the column in the query (CAST), or give the property the type that is exported.',
  no_key: 'Exclude rows without a key in the query (WHERE … IS NOT NULL).',
  repeated_key: 'Return each key once from the query of the nodes (DISTINCT, GROUP BY), or choose another primary key.',
  missing_node:
    'Return from the query of the edges only rows whose nodes exist (INNER JOIN with the table of the nodes), or return the ' +
    'missing keys from the query of the nodes.',
  misfit: 'Convert the values in the query (CAST, TRY_CAST), or declare another type, such as STRING.',
  unstorable: "Remove the character in the query (replace(…, chr(0), '')).",
} as const;

/** A defect of the exported rows of a definition: its title, what is wrong, count and sample keys. */
export interface Defect {
  readonly kind: keyof typeof CURES;
  readonly what: string;
}

/** All defects, and once per kind what to change. */
export const reportDefects = (defects: readonly Defect[]): string => {
  const cures = new Set(defects.map(({ kind }) => CURES[kind]));
  return `The exported data does not fit the mapping. ${defects.map(({ what }) => what).join('; ')}. ${[...cures].join(' ')}`;
};
