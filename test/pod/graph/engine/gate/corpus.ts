import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export type EngineKind = 'duckdb' | 'falkordb';

/** The outside resources that the texts of a corpus name: `<file>`, `<out>`, `<dir>`, `<url>`. */
export interface Outside {
  /** A readable file. */
  readonly file: string;
  /** A path that does not exist yet. */
  readonly out: string;
  readonly dir: string;
  /** The address of a listening server. */
  readonly url: string;
}

/**
 * The texts of one corpus: those for every engine and those in the dialect of one. A line is one statement, or `json `
 * and a JSON string where white space and control characters matter; `# …` describes what the lines below it try.
 */
export const readCorpus = (kind: EngineKind, name: 'attacks' | 'harmless', outside: Outside): readonly string[] =>
  [`shared-${name}.txt`, `${kind}-${name}.txt`].flatMap((file) =>
    readFileSync(join(__dirname, 'corpus', file), 'utf8')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('# '))
      .map((line) => (line.startsWith('json ') ? decoded(line.slice(5)) : line))
      .map((text) => withOutside(text, outside)),
  );

export const withOutside = (text: string, { file, out, dir, url }: Outside): string =>
  text.replaceAll('<file>', file).replaceAll('<out>', out).replaceAll('<dir>', dir).replaceAll('<url>', url);

const decoded = (json: string): string => {
  const text: unknown = JSON.parse(json);
  if (typeof text !== 'string') throw new Error(`Expected a JSON string after "json ", got ${json}.`);
  return text;
};

/** Equivalent spellings of a statement. Strings, quoted names and comments are unchanged. */
export const spellings = (text: string): readonly string[] => {
  // Another comment would close an unclosed one.
  if (text.includes('never closed')) return [text];
  const outside = (change: (part: string) => string): string =>
    text
      .split(/("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`[^`]*`|\/\/[^\n]*\n?|\/\*[^]*?\*\/)/)
      .map((part, index) => (index % 2 === 0 ? change(part) : part))
      .join('');
  return [
    text,
    outside((part) => part.replace(/ /g, '\n')),
    outside((part) => part.replace(/ /g, ' /* DELETE */ ')),
    outside((part) => part.replace(/ /g, '\t \r\n')),
    `/* RETURN */ ${text}`,
  ];
};
