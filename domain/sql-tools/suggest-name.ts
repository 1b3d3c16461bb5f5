import { EDGE_TYPE, isReserved, MAX_NAME_LENGTH, NAME } from '../mapping';
import { namedTables } from '../sql/named-tables';

export interface SuggestedName {
  readonly name: string;
  /** False when the query contains its name. */
  readonly isInferred: boolean;
  readonly warnings: readonly string[];
}

/** A comment before the query: `-- name: Customer`. */
const NAME_COMMENT = /^\s*(?:--[^\r\n]*(?:\r\n|\r|\n)\s*)*?--[ \t]*name:[ \t]*([^\r\n]*?)[ \t]*(?:\r|\n|$)/i;

/**
 * A unique label or edge type for a query: from a leading comment `-- name: X`, else from the first table of the query,
 * reduced to valid characters.
 */
export const suggestName = (
  sql: string,
  kind: 'label' | 'type',
  number: number,
  taken: ReadonlySet<string>,
): SuggestedName => {
  const said = NAME_COMMENT.exec(sql)?.[1];
  const table = namedTables(sql)[0]?.at(-1);
  const wanted = (said === '' ? undefined : said) ?? table;
  const fallback = kind === 'label' ? `Node${number}` : `EDGE_${number}`;
  const admitted = wanted === undefined ? '' : admittedName(wanted, kind);
  const warnings: string[] = [];
  if (wanted === undefined) warnings.push(`the query does not name a table; the name is ${fallback}`);
  else if (admitted !== (said === undefined && kind === 'type' ? wanted.toUpperCase() : wanted)) {
    warnings.push(`"${wanted}" cannot be a ${kind === 'label' ? 'node label' : 'edge type'} as it is`);
  }
  const unique = untaken(admitted === '' ? fallback : admitted, taken);
  if (unique !== admitted && wanted !== undefined) warnings.push(`it is called ${unique}, choose another name`);
  return { name: unique, isInferred: said === undefined || unique !== said, warnings };
};

/** The nearest valid name, empty when no valid character remains. */
const admittedName = (text: string, kind: 'label' | 'type'): string => {
  const pattern = kind === 'label' ? NAME : EDGE_TYPE;
  const cased = kind === 'label' ? text : text.toUpperCase();
  const plain = pattern.test(cased)
    ? cased
    : cased
        .normalize('NFKD')
        .replaceAll(/\p{M}/gu, '')
        .replaceAll(/[^A-Za-z0-9_]+/g, '_')
        .replaceAll(/^_+|_+$/g, '')
        .replace(/^(?=\d)/, kind === 'label' ? 'N' : 'E')
        .slice(0, MAX_NAME_LENGTH);
  return isReserved(plain) ? `${plain}_` : plain;
};

const untaken = (name: string, taken: ReadonlySet<string>): string => {
  let candidate = name;
  for (let number = 2; taken.has(candidate.toLowerCase()); number += 1) {
    const suffix = `_${number}`;
    candidate = name.slice(0, MAX_NAME_LENGTH - suffix.length) + suffix;
  }
  return candidate;
};
