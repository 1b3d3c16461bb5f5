/**
 * A request somebody might send, and its answer. Examples are shown in the API description and replayed by the tests
 * against a running system.
 */
export interface OperationExample {
  /** What is asked and what comes of it, in a few words. */
  readonly summary: string;
  /** Who asks; null: without identity. */
  readonly as: string | null;
  readonly params?: Readonly<Record<string, string | number>>;
  readonly query?: Readonly<Record<string, string | number | boolean>>;
  readonly body?: unknown;
  readonly status: number;
  /** What the envelope carries: `data` of a success, `error` of a refusal; the body where there is no envelope. */
  readonly answer?: unknown;
  /** Only of lists. */
  readonly page?: { readonly total: number; readonly offset: number; readonly limit: number };
}

/** Examples by the name of their endpoint. */
export type OperationExamples = Readonly<Record<string, readonly OperationExample[]>>;
