/** A position in a text, both numbers from 1; the column in characters. */
export interface TextPlace {
  readonly line: number;
  readonly column: number;
}

/** The line at a position, cut to the width of a terminal, and a line of spaces with a caret below the position. */
export interface Excerpt {
  readonly line: string;
  readonly caret: string;
}

const WIDTH = 76;
const AFTER = 10;

/** Null if the text has no such line, or the line is empty. Tabs become spaces, so that the caret stays aligned. */
export const excerptAt = (text: string, { line, column }: TextPlace): Excerpt | null => {
  const characters = [...(text.split(/\r?\n/)[line - 1] ?? '').replaceAll('\t', ' ')];
  if (characters.every((character) => character === ' ')) return null;
  const start = Math.max(0, column - WIDTH + AFTER);
  const before = characters.slice(start, column - 1);
  return {
    line: characters.slice(start, start + WIDTH).join(''),
    caret: `${' '.repeat(before.reduce((sum, character) => sum + widthOf(character), 0))}^`,
  };
};

/** Width of a character in terminal columns. */
const widthOf = (character: string): number => {
  if (/[\p{Mark}\p{Cf}]/u.test(character)) return 0;
  return WIDE.test(character) ? 2 : 1;
};

const WIDE =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}\u3000-\u303f\uff01-\uff60]/u;
