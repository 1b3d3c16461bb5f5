/** A place in a text, both from 1; the column in characters. */
export interface TextPlace {
  readonly line: number;
  readonly column: number;
}

/** The line of a place, cut to what fits on a screen, and blanks with a caret that stands below the place. */
export interface Excerpt {
  readonly line: string;
  readonly caret: string;
}

const WIDTH = 76;
const AFTER = 10;

/** Null where the text has no such line, or it is empty. Tabs become blanks, so that the caret does not move. */
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

/** How many columns of a terminal a character takes. */
const widthOf = (character: string): number => {
  if (/[\p{Mark}\p{Cf}]/u.test(character)) return 0;
  return WIDE.test(character) ? 2 : 1;
};

const WIDE =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}\u3000-\u303f\uff01-\uff60]/u;
