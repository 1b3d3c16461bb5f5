/** Other words for what stands between two offsets of a text; where both are the same, words before it. */
export interface TextEdit {
  readonly start: number;
  readonly end: number;
  readonly words: string;
}

export const insertion = (at: number, words: string): TextEdit => ({ start: at, end: at, words });

/** The text between two offsets, with the edits that lie within. */
export const editedText = (text: string, edits: readonly TextEdit[], from = 0, to = text.length): string => {
  let result = '';
  let at = from;
  for (const { start, end, words } of [...edits].sort((a, b) => a.start - b.start)) {
    if (start < from || end > to) continue;
    result += text.slice(at, start) + words;
    at = end;
  }
  return result + text.slice(at, to);
};
