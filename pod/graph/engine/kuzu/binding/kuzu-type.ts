import { scalar, sqlType, type ColumnType } from '../../graph-schema';

/**
 * Parses a type as printed by the engine: `INT64`, `STRING[][]`, `STRUCT(a INT64, b DATE[])`, `MAP(STRING, DOUBLE)`.
 */
export const parseKuzuType = (text: string): ColumnType => {
  const array = /^(.*)\[\d*\]$/s.exec(text);
  if (array?.[1] !== undefined) return { kind: 'list', item: parseKuzuType(array[1]) };
  const [, outer = text, inner = ''] = /^(\w+)\((.*)\)$/s.exec(text) ?? [];
  if (outer === 'STRUCT') return { kind: 'struct', fields: splitTopLevel(inner, ',').map(parseField) };
  if (outer === 'MAP') {
    const [key = 'STRING', value = 'STRING'] = splitTopLevel(inner, ',');
    return { kind: 'map', key: parseKuzuType(key), value: parseKuzuType(value) };
  }
  if (outer === 'NODE') return { kind: 'node' };
  if (outer === 'REL') return { kind: 'rel' };
  if (outer === 'RECURSIVE_REL') return { kind: 'path' };
  return scalar(outer);
};

/** Prints a type in the syntax of the engine's DDL and CAST. */
export const kuzuType = (type: ColumnType): string => sqlType(type, (name) => name, fieldName);

/** A name in backticks. This engine's Cypher does not support names that contain backticks. */
export const quoteName = (name: string): string => `\`${name}\``;

/** The engine treats the backticks of a quoted struct field as part of its name. */
const fieldName = (name: string): string => (/^[A-Za-z_]\w*$/.test(name) ? name : quoteName(name));

const parseField = (text: string): { readonly name: string; readonly type: ColumnType } => {
  const words = splitTopLevel(text, ' ');
  return { name: words.slice(0, -1).join(' '), type: parseKuzuType(words.at(-1) ?? '') };
};

/** Splits at separators outside parentheses and trims the parts. */
const splitTopLevel = (text: string, separator: string): readonly string[] => {
  const parts: string[] = [];
  let depth = 0;
  let from = 0;
  for (let index = 0; index < text.length; index++) {
    const character = text[index];
    if (character === '(') depth++;
    else if (character === ')') depth--;
    else if (character === separator && depth === 0) {
      parts.push(text.slice(from, index).trim());
      from = index + 1;
    }
  }
  return [...parts, text.slice(from).trim()].filter((part) => part !== '');
};

/**
 * The engine's Node.js binding rounds some values: integers beyond 2^53, dates beyond the year 275760, timestamps below
 * the millisecond, intervals and decimals. As text they are exact. For doubles it is the reverse: the binding is exact
 * and the text has six digits, so they are never cast.
 */
const ROUNDED_SOMETIMES = new Set(['INT64', 'UINT64', 'SERIAL', 'DATE']);
const ROUNDED_UNSEEN = /^(TIMESTAMP|INTERVAL$|DECIMAL)/;

/** The type to cast a value to so that it is not rounded, or null if such a cast does not exist. */
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

/** Whether the binding never rounds values of the type. */
export const isAlwaysExact = (type: ColumnType): boolean => type.kind === 'scalar' && ALWAYS_EXACT.has(type.name);

/** Whether the binding may round values of the type undetectably. */
export const mayRoundUnseen = (type: ColumnType): boolean => {
  if (type.kind === 'scalar') return ROUNDED_UNSEEN.test(type.name);
  if (type.kind === 'struct') return type.fields.some((field) => mayRoundUnseen(field.type));
  if (type.kind === 'list') return mayRoundUnseen(type.item);
  return type.kind === 'map' && mayRoundUnseen(type.value);
};
