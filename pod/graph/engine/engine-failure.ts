/** Loading or writing failed. `reason` is for people. */
export interface EngineFailure {
  /** `unavailable`: this machine cannot run the engine at all. */
  readonly kind: 'rejected' | 'crashed' | 'unavailable';
  readonly reason: string;
}
