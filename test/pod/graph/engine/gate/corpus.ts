import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export type EngineKind = 'kuzu' | 'falkordb';

/** What the texts of a corpus name outside of the database: `<file>`, `<out>`, `<dir>`, `<url>`. */
export interface Outside {
  /** A file that can be read. */
  readonly file: string;
  /** A path where nothing is yet. */
  readonly out: string;
  readonly dir: string;
  /** An address where somebody listens. */
  readonly url: string;
}

/**
 * The texts of one corpus: those every engine gets and those in the words of one. A line is one statement, or `json `
 * and a JSON string where white space and control characters matter; `# …` says what the lines below it try.
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

/** The same statement spelled in other ways that change nothing. Strings, quoted names and comments stay. */
export const spellings = (text: string): readonly string[] => {
  // Another comment would close what is not closed.
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
