import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { type QueryEngine } from '../../domain/ports/query-engine';
import { createDuckdbQueryEngine } from '../duckdb/duckdb-query-engine';
import { type Closers } from './closers';
import { type Settings } from './settings';

/** Only looks at catalogs and checks queries; exports run in the workers, with memory of their own. */
const LIMITS = { memoryLimitMb: 256, threads: 1 };

/** The control plane's own access to the query engine. */
export const openQueryEngine = async (
  { warehouseDirectory, dataDirectory }: Settings,
  closers: Closers,
): Promise<Either<{ readonly message: string }, QueryEngine>> => {
  const scratchDirectory = join(dataDirectory, 'query-engine');
  // What a control plane that was killed left there.
  rmSync(scratchDirectory, { recursive: true, force: true });
  mkdirSync(warehouseDirectory, { recursive: true });
  const engine = await createDuckdbQueryEngine({ warehouseDirectory, scratchDirectory, ...LIMITS });
  if (isLeft(engine)) return left({ message: `The query engine could not be opened: ${engine.left.message}.` });
  closers.add('query engine', () => engine.right.close());
  return right(engine.right);
};
