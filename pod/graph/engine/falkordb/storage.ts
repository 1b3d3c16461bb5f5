import { dayText, finiteText } from '../../duckdb/day-text';
import { jsonOfStored } from '../duckdb/compile/compile-query';
import { type Moment } from '../evaluate/temporal/moment';
import { allProperties, type ColumnType, type GraphProperty, type GraphSchema } from '../graph-schema';

/** How the engine stores a property: as a 64-bit integer, double, boolean, text or flat list of them. */
export type Storage = 'integer' | 'double' | 'boolean' | 'text' | 'list' | 'json';

/** `json`: the JSON text of a value for which the engine does not have a type; answers contain the value itself. */
export const storageOf = (type: ColumnType): Storage => {
  if (type.kind === 'list') return type.item.kind === 'scalar' ? 'list' : 'json';
  if (type.kind !== 'scalar') return 'json';
  if (/^INT\d+$/.test(type.name)) return 'integer';
  if (type.name === 'DOUBLE' || type.name === 'FLOAT') return 'double';
  return type.name === 'BOOL' ? 'boolean' : 'text';
};

/** Whether the engine stores it as text. */
export const isText = (storage: Storage): boolean => storage === 'text' || storage === 'json';

/**
 * DuckDB SQL for the value as it is stored. Times are ISO 8601 text with the same number of digits in the whole graph,
 * so text order is time order.
 */
export const storedExpression = (column: string, { type, wholeMilliseconds }: StoredType): string => {
  if (type.kind === 'list' && type.item.kind === 'scalar') {
    const item = storedExpression('item', { type: type.item, wholeMilliseconds: false });
    return item === 'item' ? column : `list_transform(${column}, lambda item: ${item})`;
  }
  if (type.kind !== 'scalar') return jsonOfStored(column, type);
  switch (type.name) {
    case 'DATE':
      return finiteText(column, dayText(column));
    case 'TIMESTAMP': {
      const time = `strftime(${column}, 'T%H:%M:%S.${wholeMilliseconds ? '%g' : '%f'}Z')`;
      return finiteText(column, `${dayText(column)} || ${time}`);
    }
    case 'BLOB':
      return `base64(${column})`;
    case 'UUID':
      return `CAST(${column} AS VARCHAR)`;
    case 'FLOAT':
      return `CAST(${column} AS DOUBLE)`;
    default:
      return column;
  }
};

export type StoredType = Pick<GraphProperty, 'type' | 'wholeMilliseconds'>;

/** The format of the values of a property: all times of a graph have the same number of digits. */
export type StoredForm = 'DATE' | 'MILLISECONDS' | 'MICROSECONDS';

/** A schema whose times have one format, because their texts are compared, also those of several properties. */
export const withOneForm = (schema: GraphSchema): GraphSchema => {
  if (!allProperties(schema).some((property) => storedForm(property) === 'MICROSECONDS')) return schema;
  const exact = (property: GraphProperty): GraphProperty => ({ ...property, wholeMilliseconds: false });
  return {
    nodeTables: schema.nodeTables.map(({ primaryKey, properties, ...table }) => ({
      ...table,
      primaryKey: exact(primaryKey),
      properties: properties.map(exact),
    })),
    edgeTables: schema.edgeTables.map((table) => ({ ...table, properties: table.properties.map(exact) })),
  };
};

/** Null for a property without dates or times. */
export const storedForm = ({ type, wholeMilliseconds }: GraphProperty): StoredForm | null => {
  const item = type.kind === 'list' ? type.item : type;
  if (item.kind !== 'scalar') return null;
  if (item.name === 'DATE') return 'DATE';
  if (item.name !== 'TIMESTAMP') return null;
  return type.kind === 'scalar' && wholeMilliseconds ? 'MILLISECONDS' : 'MICROSECONDS';
};

/**
 * The text that equals the stored text of the same moment and sorts correctly among the others: if a format has too few
 * digits, the text sorts directly after the one without the additional digits.
 */
export const storedText = ({ utc }: Moment, form: StoredForm): string => {
  const exact = utc.toString({ fractionalSecondDigits: 6 });
  if (form === 'DATE') return exact.replace(/T00:00:00\.0+$/, '');
  return form === 'MICROSECONDS' ? `${exact}Z` : `${exact.slice(0, -3)}Z${exact.slice(-3)}`.replace(/Z000$/, 'Z');
};
