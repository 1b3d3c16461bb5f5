import { scalar, type ColumnType } from '../../graph-schema';

/** Reads a type as the engine writes it: `INT64`, `STRING[][]`, `STRUCT(a INT64, b DATE[])`, `MAP(STRING, DOUBLE)`. */
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

/** Writes a type as the engine's DDL and CAST accept it. */
export const kuzuType = (type: ColumnType): string => {
  switch (type.kind) {
    case 'scalar':
      return type.name;
    case 'list':
      return `${kuzuType(type.item)}[]`;
    case 'map':
      return `MAP(${kuzuType(type.key)}, ${kuzuType(type.value)})`;
    case 'struct':
      return `STRUCT(${type.fields.map((field) => `${fieldName(field.name)} ${kuzuType(field.type)}`).join(', ')})`;
    case 'node':
    case 'rel':
    case 'path':
      return type.kind.toUpperCase();
  }
};

/** A name in backticks. This engine's Cypher cannot express names that contain backticks. */
export const quoteName = (name: string): string => `\`${name}\``;

/** The engine reads the backticks of a quoted struct field as part of its name. */
const fieldName = (name: string): string => (/^[A-Za-z_]\w*$/.test(name) ? name : quoteName(name));

/** A string literal. */
export const quoteString = (text: string): string => `'${text.replace(/[\\']/g, '\\$&')}'`;

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
