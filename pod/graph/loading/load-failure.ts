/** Why an instance could not be loaded, as the control plane keeps it. */
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

export const dataFailure = (phase: LoadPhase, message: string): LoadFailure =>
  loadFailure('DATA_LOAD_ERROR', phase, message);
