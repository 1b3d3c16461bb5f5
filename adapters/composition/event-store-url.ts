import { type Either, isLeft, left, right } from 'fp-ts/Either';

/** A connection string of EventStoreDB, taken apart as far as rowgraph has to know it. */
export interface EventStoreUrl {
  readonly connectionString: string;
  /** Without user, password and options. */
  readonly address: string;
  readonly user: string | null;
  readonly hasPassword: boolean;
  readonly caFile: string | null;
}

const URL_PARTS =
  /^(?<scheme>esdb(?:\+discover)?:\/\/)(?:(?<user>[^:@/?#\s]+)(?::(?<password>[^:@/?#\s]*))?@)?(?<hosts>[^@/?#\s]+)\/?(?:\?(?<options>[^#\s]*))?$/;
const HOST = /^(?:[A-Za-z0-9_.-]+|\[[0-9A-Fa-f:.]+\])(?::(\d{1,5}))?$/;

/** Left: what is wrong with it, never with the password. */
export const parseEventStoreUrl = (url: string): Either<string, EventStoreUrl> => {
  const parts = URL_PARTS.exec(url)?.groups;
  if (parts === undefined) {
    return left(
      'must be esdb://host:port or esdb+discover://host:port, with user:password@ before the host if need be (percent-encoded) and options behind it, such as ?tls=false',
    );
  }
  const { scheme = '', user, password, hosts = '', options = '' } = parts;
  for (const host of hosts.split(',')) {
    const port = HOST.exec(host);
    if (port === null || Number(port[1] ?? 1) < 1 || Number(port[1] ?? 1) > 65_535) {
      return left(
        `has no host and port in ${JSON.stringify(host)}; it must be host:port, or several with commas between`,
      );
    }
  }
  for (const [what, part] of [
    ['user', user ?? ''],
    ['password', password ?? ''],
  ] as const) {
    if (!isPercentEncoded(part))
      return left(`has a ${what} that is not percent-encoded (% must be %25, @ must be %40)`);
  }
  const given = optionsOf(options);
  if (isLeft(given)) return given;
  return right({
    connectionString: url,
    address: `${scheme}${hosts}`,
    user: user ?? null,
    hasPassword: password !== undefined,
    caFile: given.right.get('tlscafile') ?? null,
  });
};

/** The connection string with this password for its user. */
export const withPassword = ({ connectionString }: EventStoreUrl, password: string): string =>
  connectionString.replace('@', () => `:${encodeURIComponent(password)}@`);

/** Options by name in lower case, as the client compares them. */
const optionsOf = (options: string): Either<string, ReadonlyMap<string, string>> => {
  const byName = new Map<string, string>();
  for (const option of options === '' ? [] : options.split('&')) {
    const [name = '', value = ''] = option.split('=');
    if (name === '' || value === '' || !isPercentEncoded(value)) {
      return left(`has an option that is not name=value: ${JSON.stringify(name)}`);
    }
    const key = name.toLowerCase();
    if (['tls', 'tlsverifycert', 'throwonappendfailure'].includes(key) && !/^(true|false)$/i.test(value)) {
      return left(`has the option ${name}, which must be true or false`);
    }
    byName.set(key, decodeURIComponent(value));
  }
  return right(byName);
};

const isPercentEncoded = (part: string): boolean => {
  try {
    decodeURIComponent(part);
    return true;
  } catch {
    return false;
  }
};
