import { type AnyEndpoint } from '../http/kit';

type Values = Readonly<Record<string, unknown>>;

/** The address of an operation below a base URL, its parameters put in. Absent query parameters are left out. */
export const requestTarget = (baseUrl: string, endpoint: AnyEndpoint, params: Values, query: Values): URL => {
  const path = endpoint.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(textOf(params[name])));
  const url = new URL(`${baseUrl.replace(/\/+$/, '')}${path}`);
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) url.searchParams.set(name, textOf(value));
  }
  return url;
};

const textOf = (value: unknown): string => (value instanceof Date ? value.toISOString() : String(value));
