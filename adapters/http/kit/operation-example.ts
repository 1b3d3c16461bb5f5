/** An example request. */
export interface ExampleRequest {
  /** What is asked and what comes of it, in a few words. */
  readonly summary: string;
  /** Who asks; null: without identity. */
  readonly as: string | null;
  readonly params?: Readonly<Record<string, string | number>>;
  readonly query?: Readonly<Record<string, string | number | boolean>>;
  readonly body?: unknown;
  /** Status of the answer. */
  readonly status: number;
}

/** What was answered to an example when it was last recorded. */
export interface RecordedAnswer {
  /** What the envelope carries: `data` of a success, `error` of a refusal; the body without an envelope. */
  readonly answer?: unknown;
  /** Only of lists. */
  readonly page?: { readonly total: number; readonly offset: number; readonly limit: number };
}

/** A request and its answer, shown in the API description and replayed by the tests against a running system. */
export interface OperationExample extends ExampleRequest, RecordedAnswer {}

/** By the name of their endpoint. */
export type ExampleRequests = Readonly<Record<string, readonly ExampleRequest[]>>;
export type OperationExamples = Readonly<Record<string, readonly OperationExample[]>>;
