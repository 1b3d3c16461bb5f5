/** One question of the TCK, with the values of one line of its examples. */
export interface Scenario {
  /** `clauses/match/Match1.feature`. */
  readonly file: string;
  readonly name: string;
  readonly steps: readonly Step[];
}

export interface Step {
  /** Without its first word: Given, When, Then, And. */
  readonly text: string;
  /** The lines between its `"""`. */
  readonly block: string | null;
  readonly table: Table;
}

type Table = readonly (readonly string[])[];

/** The scenarios of a feature file, as far as the TCK uses Gherkin. */
export const readFeatureFile = (file: string, content: string): readonly Scenario[] => {
  const [head = '', ...parts] = content.split(/^(?=[ \t]*(?:Background|Scenario(?: Outline)?):)/m);
  const sections = [head, ...parts].map((text) => sectionOf(text.split('\n')));
  const background = sections.flatMap(({ title, steps }) => (title.startsWith('Background:') ? steps : []));
  return sections.flatMap(({ title, steps, examples }) => {
    const name = /^Scenario(?: Outline)?:\s*(.*)$/.exec(title)?.[1];
    if (name === undefined) return [];
    const all = [...background, ...steps];
    if (examples.length === 0) return [{ file, name, steps: all }];
    return examples.flatMap(([columns = [], ...rows]) =>
      rows.map((row) => ({ file, name, steps: all.map((step) => filled(step, columns, row)) })),
    );
  });
};

interface Section {
  readonly title: string;
  readonly steps: readonly Step[];
  readonly examples: readonly Table[];
}

const sectionOf = ([title = '', ...lines]: readonly string[]): Section => {
  const reader = new LineReader(lines);
  const steps: Step[] = [];
  const examples: Table[] = [];
  while (!reader.isAtEnd()) {
    const line = reader.take();
    const text = /^(?:Given|When|Then|And|But) (.*)$/.exec(line)?.[1];
    if (text !== undefined) steps.push({ text, block: reader.block(), table: reader.table() });
    else if (line.startsWith('Examples:')) examples.push(reader.table());
  }
  return { title: title.trim(), steps, examples };
};

const filled = ({ text, block, table }: Step, columns: readonly string[], row: readonly string[]): Step => {
  const fill = (given: string): string =>
    columns.reduce((all, column, at) => all.replaceAll(`<${column}>`, () => row[at] ?? ''), given);
  return { text: fill(text), block: block === null ? null : fill(block), table: table.map((cells) => cells.map(fill)) };
};

class LineReader {
  #at = 0;
  constructor(private readonly lines: readonly string[]) {}

  isAtEnd(): boolean {
    return this.#at >= this.lines.length;
  }

  take(): string {
    return (this.lines[this.#at++] ?? '').trim();
  }

  block(): string | null {
    if (this.lines[this.#at]?.trim() !== '"""') return null;
    const indent = this.lines[this.#at++]?.indexOf('"') ?? 0;
    const found: string[] = [];
    while (!this.isAtEnd() && this.lines[this.#at]?.trim() !== '"""')
      found.push((this.lines[this.#at++] ?? '').slice(indent));
    this.#at++;
    return found.join('\n');
  }

  table(): Table {
    const rows: (readonly string[])[] = [];
    while (!this.isAtEnd() && /^\s*(?:\||#|$)/.test(this.lines[this.#at] ?? '')) {
      const line = this.take();
      if (line.startsWith('|')) rows.push(cellsOf(line));
      else if (line === '' && rows.length > 0) break;
    }
    return rows;
  }
}

const cellsOf = (line: string): readonly string[] =>
  [...line.matchAll(/\|((?:[^|\\]|\\.)*)(?=\|)/g)].map(([, cell = '']) =>
    cell.trim().replace(/\\([\\|n])/g, (_, letter: string) => (letter === 'n' ? '\n' : letter)),
  );
