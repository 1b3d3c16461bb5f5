import { type EdgeTable, type GraphProperty, type GraphSchema, type NodeTable } from '../../graph-schema';
import { quoted } from '../../literal';
import { kuzuType, quoteName } from '../binding/kuzu-type';
import { isNaNText } from './statements';
import { shownName } from './table-names';

/** Runs a statement whose result is a number. */
type Count = (statement: string) => Promise<number>;

/** The values that the engine has not stored as they were loaded; null if it has stored all. */
export const findLostValues = async (
  { nodeTables, edgeTables }: GraphSchema,
  parquetFiles: ReadonlyMap<string, readonly string[]>,
  count: Count,
): Promise<string | null> => {
  for (const table of [...nodeTables, ...edgeTables]) {
    const isNode = 'label' in table;
    const title = isNode ? `node ${shownName(table.label)}` : `edge ${shownName(table.type)}`;
    for (const property of table.properties) {
      if (isNode && property.holds?.includes('NaN') && (await losesNumbers(table, property, parquetFiles, count))) {
        return `${title}: ${property.name} has NaN next to other values in an order that this graph database cannot store exactly; export NULL instead of NaN.`;
      }
      if (property.holds?.includes('great UUID') && !(await isReadable(table, property, count))) {
        return (
          `${title}: ${property.name} has NULL next to UUIDs from c0000000-… on, which this graph database ` +
          'cannot read; declare it as STRING, or export another value instead of NULL.'
        );
      }
    }
  }
  return null;
};

/**
 * A block of a column that begins with NaN, or contains NaN and one number, is stored as that one value: comparisons
 * with NaN are neither less nor greater, so the engine considers all values equal. Counts the nodes whose value wrongly
 * is NaN, or wrongly is not.
 */
const losesNumbers = async (
  { label, primaryKey }: NodeTable,
  { name }: GraphProperty,
  parquetFiles: ReadonlyMap<string, readonly string[]>,
  count: Count,
): Promise<boolean> => {
  const files = parquetFiles.get(label) ?? [];
  const [key, value] = [quoteName(primaryKey.name), quoteName(name)];
  const lost = await count(
    `LOAD FROM [${files.map(quoted).join(', ')}] MATCH (_stored:${quoteName(label)}) ` +
      `WHERE _stored.${key} = CAST(${key} AS ${kuzuType(primaryKey.type)}) ` +
      `AND ${isNaNText(`_stored.${value}`)} <> ${isNaNText(value)} RETURN count(*)`,
  );
  return lost > 0;
};

/**
 * The engine adds the smallest UUID of a block to the compressed values, including those of nulls, and fails if the sum
 * exceeds 128 bits. An edge is stored once for each of its ends.
 */
const isReadable = async (table: NodeTable | EdgeTable, { name }: GraphProperty, count: Count): Promise<boolean> => {
  const statements =
    'label' in table
      ? [`MATCH (x:${quoteName(table.label)})`]
      : ['(a JOIN x) JOIN b', 'a JOIN (x JOIN b)'].map(
          (hint) => `MATCH (a)-[x:${quoteName(table.type)}]->(b) HINT ${hint}`,
        );
  try {
    for (const statement of statements) await count(`${statement} RETURN count(x.${quoteName(name)})`);
    return true;
  } catch {
    return false;
  }
};
