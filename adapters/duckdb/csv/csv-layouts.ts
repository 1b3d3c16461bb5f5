import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import * as t from 'io-ts';
import { parseJson } from '../../../domain/kernel/codecs';
import { fromText, unlessErrno, writeDurably } from '../../filesystem/durable-write';
import { settlesWithin } from '../../system/time-limit';
import { readFailure } from '../duckdb-error';
import { type OpeningFiles } from '../opening-files';
import { compressionProblem } from './compression-problem';
import { type CsvFile, CsvLayout, REFRESH } from './csv-layout';
import { decideDescribedFile, descriptionPath, type DuckdbLimits, withDuckdb } from './decide-described-file';
import { isSameRow, readFirstRow } from './read-lines';

/** How each file is read, or why it cannot be. */
export type LayoutsByPath = ReadonlyMap<string, Either<string, CsvLayout>>;

export interface CsvLayoutSettings extends DuckdbLimits {
  /** The folder of the layouts. */
  readonly layoutDirectory: string;
  /**
   * Whether other processes use the folder as well, so that layouts stay as they are until a refresh. Otherwise no
   * refresh reaches this process, and the layout of a changed file is decided again.
   */
  readonly isLayoutShared: boolean;
  /** Time that a session waits for decisions; null: any. Then they continue, and the file is not a table yet. */
  readonly decideWithinMs: number | null;
  readonly opening: OpeningFiles;
}

const KeptLayout = t.readonly(
  t.intersection([
    /** Names, sizes and times of the files, and their description. */
    t.strict({ version: t.string }),
    t.union([t.strict({ layout: CsvLayout }), t.strict({ problem: t.string })]),
  ]),
);
type KeptLayout = t.TypeOf<typeof KeptLayout>;

/** Keeps the layouts of CSV files, and decides those that are missing. */
export class CsvLayouts {
  /** Decisions that are being made, by path and version. */
  readonly #deciding = new Map<string, Promise<Either<string, CsvLayout>>>();
  readonly #changedFiles = new Map<string, { readonly version: string; readonly problem: string | null }>();

  constructor(private readonly settings: CsvLayoutSettings) {}

  /** The layouts of files. With `refreshed` those of files that have changed are decided again. */
  async of(files: readonly CsvFile[], refreshed = false): Promise<LayoutsByPath> {
    const layouts = new Map<string, Either<string, CsvLayout>>();
    const { decideWithinMs } = this.settings;
    const until = refreshed || decideWithinMs === null ? null : performance.now() + decideWithinMs;
    for (const file of files) layouts.set(file.path, await this.#layoutOf(file, refreshed, until));
    return layouts;
  }

  async #layoutOf(file: CsvFile, refreshed: boolean, until: number | null): Promise<Either<string, CsvLayout>> {
    const description = await textOf(descriptionPath(file.path));
    const parts = await Promise.all(file.parts.map(versionOf));
    const version = `${parts.join(' ')} ${description}`;
    const kept = await this.#load(file.path);
    const isOutdated = kept?.version !== version;
    const isDecidedAgain = refreshed || !this.settings.isLayoutShared || (kept !== null && 'problem' in kept);
    if (kept === null || (isOutdated && isDecidedAgain)) {
      const decision = this.#decision(file, version, description);
      if (until === null || (await settlesWithin(decision, Math.max(0, until - performance.now())))) return decision;
      if (kept === null) return left(`the file ${file.path} is being read to decide its types; try again later`);
    }
    if ('problem' in kept) return left(kept.problem);
    const problem = isOutdated ? await this.#problemOfChanged(file, version, kept.layout) : null;
    return problem === null ? right(kept.layout) : left(problem);
  }

  #decision(...[file, version, description]: readonly [CsvFile, string, string | null]) {
    const key = JSON.stringify([file.path, version]);
    const running = this.#deciding.get(key);
    if (running !== undefined) return running;
    const decision = this.#decide(file, version, description)
      .catch((error: unknown) => left(`the file ${file.path} cannot be read: ${String(error)}`))
      .finally(() => this.#deciding.delete(key));
    this.#deciding.set(key, decision);
    return decision;
  }

  async #decide(file: CsvFile, version: string, yaml: string | null): Promise<Either<string, CsvLayout>> {
    const { opening } = this.settings;
    const layout = await opening.during(file.path, () => decideDescribedFile(file, yaml, this.settings));
    const kept: KeptLayout = isLeft(layout) ? { version, problem: layout.left } : { version, layout: layout.right };
    await writeDurably(this.#keptPath(file.path), fromText(JSON.stringify(kept)));
    return layout;
  }

  /** Why a changed file cannot be read by the layout it had. */
  async #problemOfChanged(file: CsvFile, version: string, layout: CsvLayout): Promise<string | null> {
    const checked = this.#changedFiles.get(file.path);
    if (checked?.version === version) return checked.problem;
    const problem = (await compressionProblem(file)) ?? (await this.#headerProblem(file, layout));
    this.#changedFiles.set(file.path, { version, problem });
    return problem;
  }

  /** DuckDB skips the header of a changed file, so that its values could get into columns of another name. */
  async #headerProblem(file: CsvFile, { dialect, columns, firstRow }: CsvLayout): Promise<string | null> {
    if (!dialect.hasHeader) return null;
    return withDuckdb(this.settings, async (connection) => {
      try {
        for (const part of file.parts) {
          const row = await readFirstRow(connection, { ...file, parts: [part] }, dialect, columns.length);
          if (!isSameRow(row, firstRow)) return `the header of the file ${part} has changed; ${REFRESH}`;
        }
        return null;
      } catch (error) {
        return readFailure(error).message;
      }
    });
  }

  async #load(path: string): Promise<KeptLayout | null> {
    const text = await textOf(this.#keptPath(path));
    const kept = KeptLayout.decode(text === null ? null : parseJson(text));
    return isLeft(kept) ? null : kept.right;
  }

  #keptPath(path: string): string {
    return join(this.settings.layoutDirectory, `${createHash('sha256').update(path).digest('hex')}.json`);
  }
}

const versionOf = async (path: string): Promise<string> => {
  const { size, mtimeMs } = await stat(path);
  return `${basename(path)} ${size} ${mtimeMs}`;
};

const textOf = (path: string): Promise<string | null> => unlessErrno(readFile(path, 'utf8'), 'ENOENT');
