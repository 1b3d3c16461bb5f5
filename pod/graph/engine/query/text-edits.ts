/** Replaces the text between two offsets; where both are the same, inserts before it. */
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

/** The offset in the original text for an offset in the edited text. */
export const offsetBefore = (edits: readonly TextEdit[], offset: number): number => {
  let moved = 0;
  for (const { start, end, words } of [...edits].sort((a, b) => a.start - b.start)) {
    const at = start + moved;
    if (offset < at) break;
    if (offset < at + words.length) return start;
    moved += words.length - (end - start);
  }
  return offset - moved;
};
