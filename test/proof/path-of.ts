import { type AnyEndpoint, type OperationExample } from '../../adapters/http/kit';

/** Path and query of an example, below the base path. */
export const pathOf = ({ path }: AnyEndpoint, { params = {}, query = {} }: Partial<OperationExample>): string => {
  const search = new URLSearchParams(
    Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
  );
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name] ?? '')));
  return search.size === 0 ? filled : `${filled}?${search.toString()}`;
};
