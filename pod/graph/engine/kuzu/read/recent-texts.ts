/** Texts by key, of which at least `count` that were used last are kept, and at most twice as many. */
export class RecentTexts {
  private recent = new Map<string, string>();
  private older: ReadonlyMap<string, string> = new Map();

  constructor(private readonly count: number) {}

  get(key: string): string | undefined {
    const text = this.recent.get(key) ?? this.older.get(key);
    if (text !== undefined && !this.recent.has(key)) this.set(key, text);
    return text;
  }

  set(key: string, text: string): void {
    if (this.recent.size >= this.count) {
      this.older = this.recent;
      this.recent = new Map();
    }
    this.recent.set(key, text);
  }
}
