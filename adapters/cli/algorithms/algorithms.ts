import { type Either } from 'fp-ts/Either';
import { type ResultOf } from '../../client';
import { type GRAPHDB_A_ENDPOINTS } from '../../contracts/graph-pod/endpoints';
import { type CommandInput } from '../action';
import { type CliFailure } from '../failure';

/** An algorithm to run; each kind of instance has its own body for the options. */
export interface AlgorithmRequest {
  readonly name: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly timeoutMs: number | undefined;
  /** Number of values to return; undefined: all. */
  readonly top: number | undefined;
  readonly input: CommandInput;
}

export type NativeAlgorithm = ResultOf<typeof GRAPHDB_A_ENDPOINTS.listAlgorithms>['algorithms'][number];

/** `native`: built into the instance, not from the graph library. */
export type ListedAlgorithm = Pick<NativeAlgorithm, 'name' | 'category' | 'returns' | 'description'> & {
  readonly native: boolean;
};

/** A run in the form of `graphdb_a`. `data`: in the form of its own instance; `isPartition`: its values are groups. */
export type Run = ResultOf<typeof GRAPHDB_A_ENDPOINTS.algorithmStatus> & {
  readonly data: object;
  readonly isPartition?: boolean;
};
/** The fields depend on the algorithm. */
export type RunResult = NonNullable<Run['result']>;

export const STATES = ['running', 'completed', 'failed', 'cancelled'] as const;

export type Answer<A> = Promise<Either<CliFailure, A>>;

export interface Algorithms {
  readonly list: () => Answer<readonly ListedAlgorithm[]>;
  readonly show: (
    name: string,
    fromLibrary: boolean,
  ) => Answer<{ readonly data: object; readonly parameters: NativeAlgorithm['parameters'] }>;
  readonly start: (
    request: AlgorithmRequest,
  ) => Answer<{ readonly execution_id: string; readonly warnings?: readonly string[] }>;
  readonly look: (id: string) => Answer<Run>;
  readonly cancel: (id: string) => Answer<object>;
  readonly history: (query: {
    readonly limit?: number;
    readonly status_filter?: (typeof STATES)[number];
  }) => Answer<{ readonly data: object; readonly runs: readonly Run[] }>;
}
