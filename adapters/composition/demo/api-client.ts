/** Calls the running system over HTTP as one user, as any client would. */
export interface ApiClient {
  readonly get: (path: string) => Promise<unknown>;
  readonly post: (path: string, body: unknown) => Promise<unknown>;
}

/** An answer that was no success; the message is the API's own. */
export class ApiRefusal extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

export const apiClient = (baseUrl: string, username: string): ApiClient => {
  const call = async (method: string, path: string, body?: unknown): Promise<unknown> => {
    const response = await fetch(`${baseUrl}${path}`, {
      method,
      headers: { 'X-Username': username, ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const parsed: unknown = text === '' ? null : JSON.parse(text);
    if (!response.ok)
      throw new ApiRefusal(response.status, refusalText(parsed) ?? `${method} ${path}: ${response.status}`);
    return parsed;
  };
  return { get: (path) => call('GET', path), post: (path, body) => call('POST', path, body) };
};

const refusalText = (body: unknown): string | null => {
  const error = typeof body === 'object' && body !== null && 'error' in body ? body.error : null;
  return typeof error === 'object' && error !== null && 'message' in error && typeof error.message === 'string'
    ? error.message
    : null;
};
