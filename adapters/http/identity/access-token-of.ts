import { type Request } from 'express';

const PARAMETER = 'access_token=';

/** Path and query of an address. */
const halvesOf = (url: string): readonly [string, readonly string[]] => {
  const [path = '', ...query] = url.split('?');
  return [path, query.length === 0 ? [] : query.join('?').split('&')];
};

/** The access token a request carries, in its query or as bearer; null for none. */
export const accessTokenOf = (request: Pick<Request, 'url' | 'get'>): string | null => {
  const [, parameters] = halvesOf(request.url);
  const given = parameters.find((parameter) => parameter.startsWith(PARAMETER));
  if (given !== undefined) return given.slice(PARAMETER.length);
  return /^Bearer +(rgt_\S*) *$/i.exec(request.get('Authorization') ?? '')?.[1] ?? null;
};

/** An address as it may be passed on and written down: without the access token in its query. */
export const withoutTokenInQuery = (url: string): string => {
  const [path, parameters] = halvesOf(url);
  const others = parameters.filter((parameter) => !parameter.startsWith(PARAMETER));
  if (others.length === parameters.length) return url;
  return others.length === 0 ? path : `${path}?${others.join('&')}`;
};
