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

export const loadFailure = (code: LoadFailure['code'], phase: LoadPhase, message: string): LoadFailure => ({
  code,
  phase,
  message,
});

/** The code under which the control plane keeps a failure: FalkorDB has its own for what the database does. */
export const reportedCode = ({ code }: LoadFailure, kind: 'graphdb_a' | 'graphdb_b'): string =>
  kind === 'graphdb_b' && (code === 'DATABASE_ERROR' || code === 'SCHEMA_CREATE_ERROR') ? `GRAPHDB_B_${code}` : code;

export const dataFailure = (phase: LoadPhase, message: string): LoadFailure =>
  loadFailure('DATA_LOAD_ERROR', phase, message);
