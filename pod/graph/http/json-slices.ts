/** The members of a JSON object or the elements of an array as the text spells them: numbers stay exact. */
export interface JsonSlice {
  /** Name of a member; empty for an element. */
  readonly name: string;
  readonly text: string;
}

/** Takes valid JSON text of an object or array apart by one level; anything else has no parts. */
export const jsonSlices = (text: string): readonly JsonSlice[] => {
  const isObject = text.startsWith('{');
  if (!isObject && !text.startsWith('[')) return [];
  const slices: JsonSlice[] = [];
  let name = '';
  let from = 1;
  let depth = 0;
  for (let at = 1; at < text.length; at++) {
    switch (text.charAt(at)) {
      case '"':
        at = endOfString(text, at);
        break;
      case '{':
      case '[':
        depth++;
        break;
      case ':':
        if (depth > 0 || !isObject) break;
        name = String(JSON.parse(text.slice(from, at)));
        from = at + 1;
        break;
      case ',':
        if (depth > 0) break;
        slices.push({ name, text: text.slice(from, at) });
        from = at + 1;
        break;
      case '}':
      case ']':
        if (depth-- > 0) break;
        if (at > from) slices.push({ name, text: text.slice(from, at) });
        break;
    }
  }
  return slices;
};

/** Index of the closing quote of the string that opens at `start`. */
const endOfString = (text: string, start: number): number => {
  let at = start + 1;
  while (text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at;
};
