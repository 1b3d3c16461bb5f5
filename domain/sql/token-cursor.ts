import { type Token } from './tokenize';

/** Why a text is rejected. */
export interface Refusal {
  readonly message: string;
  /** Where the offending token begins, in UTF-16 units. */
  readonly start: number;
  /** True if no engine can parse the tokens, so that they are harmless in this dialect. */
  readonly isUnreadable?: true;
}

/**
 * A position in a list of tokens. The first refusal ends the parse: the cursor moves behind the last token, where every
 * loop over tokens ends.
 */
export class TokenCursor {
  protected at = 0;
  protected refusal: Refusal | null = null;
  /** The lower-case word for each token that can be a keyword: not one after `.` or AS, which is a name. */
  private readonly keywords: readonly (string | null)[];

  constructor(private readonly tokens: readonly Token[]) {
    const keywords: (string | null)[] = [];
    for (const [index, token] of tokens.entries()) {
      const isName = this.isSymbol('.', index - 1) || keywords[index - 1] === 'as';
      keywords.push(token.kind === 'word' && !isName ? token.text.toLowerCase() : null);
    }
    this.keywords = keywords;
  }

  protected refuse(message: string, at = this.at, more: Pick<Refusal, 'isUnreadable'> = {}): void {
    this.refusal ??= { message, start: (this.tokens[at] ?? this.tokens.at(-1))?.start ?? 0, ...more };
    this.at = this.tokens.length;
  }

  protected refuseUnreadable(message: string, at = this.at): void {
    this.refuse(message, at, { isUnreadable: true });
  }

  protected token(at = this.at): Token | undefined {
    return this.tokens[at];
  }

  protected keyword(at = this.at): string | null {
    return this.keywords[at] ?? null;
  }

  /** The lower-case word at the cursor, also where it is a name; empty when there is none. */
  protected word(): string {
    const token = this.token();
    return token?.kind === 'word' ? token.text.toLowerCase() : '';
  }

  protected symbol(): string {
    const token = this.token();
    return token?.kind === 'symbol' ? token.text : '';
  }

  protected isSymbol(symbol: string, at = this.at): boolean {
    const token = this.token(at);
    return token?.kind === 'symbol' && token.text === symbol;
  }

  /** A word or a quoted name. */
  protected isName(at = this.at): boolean {
    const kind = this.token(at)?.kind;
    return kind === 'word' || kind === 'quoted';
  }

  /** Consumes the keyword if it is the next token. */
  protected accept(keyword: string): boolean {
    const found = this.keyword() === keyword;
    if (found) this.at += 1;
    return found;
  }

  protected acceptSymbol(symbol: string): boolean {
    const found = this.isSymbol(symbol);
    if (found) this.at += 1;
    return found;
  }
}
