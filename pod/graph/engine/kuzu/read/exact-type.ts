import { scalar, type ColumnType } from '../../column-type';

/**
 * The engine's Node.js binding hands out some values rounded: integers beyond 2^53, dates beyond the year 275760,
 * timestamps below the millisecond, intervals and decimals. As text they are exact. Doubles are the other way round: the binding is exact and the text
 * keeps six digits, so they are never cast.
 */
const ROUNDED_SOMETIMES = new Set(['INT64', 'UINT64', 'SERIAL', 'DATE']);
const ROUNDED_UNSEEN = /^(TIMESTAMP|INTERVAL$|DECIMAL)/;

/** The type to cast a value to so that nothing is rounded on the way out, or null when no cast does that. */
export const exactType = (type: ColumnType): ColumnType | null => {
  switch (type.kind) {
    case 'scalar':
      return ROUNDED_SOMETIMES.has(type.name) || ROUNDED_UNSEEN.test(type.name) ? scalar('STRING') : type;
    case 'list': {
      const item = exactType(type.item);
      return item === null ? null : { kind: 'list', item };
    }
    case 'map': {
      const value = exactType(type.value);
      return value === null ? null : { ...type, value };
    }
    case 'struct': {
      const types = type.fields.map((field) => exactType(field.type));
      if (types.some((fieldType) => fieldType === null)) return null;
      return {
        kind: 'struct',
        fields: type.fields.map((field, index) => ({ name: field.name, type: types[index] ?? field.type })),
      };
    }
    case 'node':
    case 'rel':
    case 'path':
      return null;
  }
};

const ALWAYS_EXACT = new Set(['STRING', 'DOUBLE', 'FLOAT', 'BOOL', 'INT32', 'INT16', 'INT8', 'DATE', 'UUID', 'BLOB']);

/** Whether no value of a column of the type can come out rounded. */
export const isAlwaysExact = (type: ColumnType): boolean => type.kind === 'scalar' && ALWAYS_EXACT.has(type.name);

/** Whether values of the type may come out rounded without any sign of it. */
export const mayRoundUnseen = (type: ColumnType): boolean => {
  if (type.kind === 'scalar') return ROUNDED_UNSEEN.test(type.name);
  if (type.kind === 'struct') return type.fields.some((field) => mayRoundUnseen(field.type));
  if (type.kind === 'list') return mayRoundUnseen(type.item);
  return type.kind === 'map' && mayRoundUnseen(type.value);
};
