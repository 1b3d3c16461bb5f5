import { type Either, left } from 'fp-ts/Either';

/** Why an instance could not be loaded. */
export interface LoadFailure {
  readonly code:
    'STARTUP_FAILED' | 'MAPPING_FETCH_ERROR' | 'SCHEMA_CREATE_ERROR' | 'DATA_LOAD_ERROR' | 'DATABASE_ERROR';
  readonly phase: LoadPhase;
  readonly message: string;
}

export type LoadPhase =
  | 'starting'
  | 'fetching_mapping'
  | 'downloading'
  | 'checking'
  | 'creating_schema'
  | 'loading_nodes'
  | 'loading_edges'
  | 'ready';

export const failed = (code: LoadFailure['code'], phase: LoadPhase, message: string): Either<LoadFailure, never> =>
  left({ code, phase, message });

/** The code under which the control plane keeps a failure: FalkorDB has its own for what the database does. */
export const reportedCode = ({ code }: LoadFailure, kind: 'graphdb_a' | 'graphdb_b'): string =>
  kind === 'graphdb_b' && (code === 'DATABASE_ERROR' || code === 'SCHEMA_CREATE_ERROR') ? `GRAPHDB_B_${code}` : code;
