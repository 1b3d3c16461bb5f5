/** A function of a type declaration file whose first parameter is a graph. */
export interface DeclaredFunction {
  /** Null for the default export. */
  readonly name: string | null;
  /** After the graph. */
  readonly parameters: readonly { readonly name: string; readonly type: string }[];
  readonly returns: string;
}

/** Finds the functions on graphs a `.d.ts` file declares: exported functions, and call signatures of interfaces. */
export const declaredFunctions = (source: string): readonly DeclaredFunction[] => {
  const text = source.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*/g, '');
  const found: DeclaredFunction[] = [];
  for (const match of text.matchAll(/(export default|export)? ?(?:declare )?function (\w+)/g)) {
    const isDefault = match[1] !== 'export' || new RegExp(`export default ${match[2] ?? ''};`).test(text);
    found.push(...signatureAt(text, match.index + match[0].length, isDefault ? null : (match[2] ?? null)));
  }
  for (const match of text.matchAll(/(?:interface \w+|declare const \w+:)[^{;]*\{/g)) {
    found.push(...signatureAt(text, match.index + match[0].length, null));
  }
  return found;
};

/** Simple options (numbers, booleans, text) of the type a parameter has, and whether weights are among them. */
export const declaredOptions = (source: string, typeName: string) => {
  const start = new RegExp(`(?:type|interface) ${typeName}\\b`).exec(source);
  if (start === null) return { options: [], weighted: false };
  const open = source.indexOf('{', skipped(source, start.index + start[0].length));
  const body = source.slice(open, closing(source, open));
  const options = [...body.matchAll(/(\w+)\??:\s*(number|boolean|string)\s*;/g)].map(([, name = '', type = '']) => ({
    name,
    type,
  }));
  return { options, weighted: /getEdgeWeight\??:/.test(body) };
};

const OPENING = '(<{[';
const CLOSING = ')>}]';

/** Index just after the bracket that closes the one at `open`; `=>` closes nothing. */
const closing = (text: string, open: number): number => {
  let depth = 0;
  for (let at = open; at < text.length; at++) {
    if (OPENING.includes(text.charAt(at))) depth++;
    else if (CLOSING.includes(text.charAt(at)) && text.charAt(at - 1) !== '=' && --depth === 0) return at + 1;
  }
  return text.length;
};

/** Index after white space and type parameters. */
const skipped = (text: string, from: number): number => {
  const at = from + (/^\s*/.exec(text.slice(from))?.[0].length ?? 0);
  return text.charAt(at) === '<' ? skipped(text, closing(text, at)) : at;
};

const signatureAt = (text: string, from: number, name: string | null): readonly DeclaredFunction[] => {
  const open = skipped(text, from);
  if (text.charAt(open) !== '(') return [];
  const end = closing(text, open);
  const returns = /^\s*:\s*([^;]+);/.exec(text.slice(end))?.[1]?.trim() ?? 'void';
  const [first, ...parameters] = commaSeparated(text.slice(open + 1, end - 1)).map((part) => {
    const colon = part.indexOf(':');
    return { name: part.slice(0, colon).replace('?', '').trim(), type: part.slice(colon + 1).trim() };
  });
  return first?.name === 'graph' ? [{ name, parameters, returns }] : [];
};

const commaSeparated = (text: string): readonly string[] => {
  const parts: string[] = [];
  let rest = text;
  for (let at = 0; at < rest.length; at++) {
    if (OPENING.includes(rest.charAt(at))) at = closing(rest, at) - 1;
    else if (rest.charAt(at) === ',') {
      parts.push(rest.slice(0, at));
      rest = rest.slice(at + 1);
      at = -1;
    }
  }
  return [...parts, rest].filter((part) => part.trim() !== '');
};
