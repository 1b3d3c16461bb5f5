/** Everything an algorithm's process needs: plain data, sent once. */
export interface AlgorithmJob {
  readonly algorithm: string;
  readonly parameters: Readonly<Record<string, number>>;
  /** Parquet files of the nodes; the key is their first column. */
  readonly nodes: { readonly files: readonly string[]; readonly keyColumn: string };
  /** Parquet files of each edge type, with the columns that hold the ends. */
  readonly edges: readonly {
    readonly files: readonly string[];
    readonly fromColumn: string;
    readonly toColumn: string;
  }[];
  /** Where the values go: a Parquet file with the columns `key` and `value`. */
  readonly resultFile: string;
  readonly scratchDirectory: string;
  readonly memoryBytes: number;
  readonly threads: number;
}

export type AlgorithmOutcome =
  { readonly ok: true; readonly values: number } | { readonly ok: false; readonly reason: string };
