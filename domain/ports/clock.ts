/** The time. Injected, so that tests can fix it and replays never depend on it. */
export interface Clock {
  now(): Date;
}
