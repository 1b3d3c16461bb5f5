/** An example request. */
export interface ExampleRequest {
  /** Short description of the request and its result. */
  readonly summary: string;
  /** The caller; null: without identity. */
  readonly as: string | null;
  readonly params?: Readonly<Record<string, string | number>>;
  readonly query?: Readonly<Record<string, string | number | boolean>>;
  readonly body?: unknown;
  /** Status of the response. */
  readonly status: number;
}

/** The recorded response to an example. */
export interface RecordedAnswer {
  /** The content of the envelope: `data` of a success, `error` of an error; without an envelope, the body. */
  readonly answer?: unknown;
  /** Only of lists. */
  readonly page?: { readonly total: number; readonly offset: number; readonly limit: number };
}

/** A request and its response, shown in the API description and replayed by the tests against a running system. */
export interface OperationExample extends ExampleRequest, RecordedAnswer {}

/** By the name of their endpoint. */
export type ExampleRequests = Readonly<Record<string, readonly ExampleRequest[]>>;
export type OperationExamples = Readonly<Record<string, readonly OperationExample[]>>;
