import { type Sample } from '../http/public/public-dependencies';
import { bankMapping } from '../sample/bank-mapping';
import { RINGS_TO_DRAW } from '../sample/bank-questions';
import { addBankDatabase } from '../sample/build-demo-warehouse';

/** The sample for a warehouse of DuckDB files. Requests at the same time wait for one writing. */
export const sampleIn = (warehouseDirectory: string): Sample => {
  let writing: Promise<void> | null = null;
  const write = (): Promise<void> =>
    (writing ??= addBankDatabase(warehouseDirectory).finally(() => {
      writing = null;
    }));
  return { write, mapping: { ...bankMapping, query: RINGS_TO_DRAW } };
};
