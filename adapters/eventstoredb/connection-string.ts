import { type Either, left, right } from 'fp-ts/Either';

export interface NodeAddress {
  readonly address: string;
  readonly port: number;
}

/** The content of a connection string. Paths are those of PEM files. */
export interface ConnectionSettings {
  readonly nodes: readonly NodeAddress[];
  /** The only address is a DNS name that resolves to the nodes of a cluster. */
  readonly discover: boolean;
  readonly credentials?: { readonly username: string; readonly password: string };
  readonly tls: boolean;
  readonly tlsCaFile?: string;
  readonly userCertFile?: string;
  readonly userKeyFile?: string;
  readonly connectionName?: string;
  /** Milliseconds; default: that of the client. */
  readonly keepAliveInterval?: number;
  readonly keepAliveTimeout?: number;
  readonly discoveryInterval?: number;
}

const FORM = /^esdb(\+discover)?:\/\/(?:([^:@/?]*):([^@/?]*)@)?([^@/?]+)\/?(?:\?([^@]*))?$/;
const NUMBERS = ['keepAliveInterval', 'keepAliveTimeout', 'discoveryInterval'] as const;
const TEXTS = ['tlsCaFile', 'userCertFile', 'userKeyFile', 'connectionName'] as const;
/** Options of the server's other clients; this adapter sets their values itself. */
const WITHOUT_EFFECT = [
  'nodePreference',
  'defaultDeadline',
  'throwOnAppendFailure',
  'gossipTimeout',
  'maxDiscoverAttempts',
];

/**
 * Parses `esdb://user:password@host:2113,host:2113?tls=true&tlsCaFile=…`; user and password are percent-encoded. The
 * error does not contain any text of the part with the password.
 */
export const parseConnectionString = (text: string): Either<string, ConnectionSettings> => {
  const [matched, discover, user, password, hosts = '', query = ''] = FORM.exec(text.trim()) ?? [];
  if (matched === undefined) {
    return left(
      'It is not of the form esdb://user:password@host:2113,host:2113?tls=true&tlsCaFile=/path (user and password percent-encoded).',
    );
  }
  const nodes = hosts.split(',').map(parseNode);
  const badNode = hosts.split(',').find((_, index) => nodes[index] === null);
  if (badNode !== undefined) return left(`"${badNode}" is not a host or host:port of a node.`);
  const username = decode(user);
  const secret = decode(password);
  if (username === null || secret === null) return left('User or password is not percent-encoded as it should be.');
  const options = parseOptions(query);
  if (typeof options === 'string') return left(options);
  return right({
    ...options,
    nodes: nodes.flatMap((node) => node ?? []),
    discover: discover !== undefined,
    ...(username === undefined || secret === undefined ? {} : { credentials: { username, password: secret } }),
  });
};

/** The connection string for logs, errors and metrics, with *** instead of the password. */
export const withoutPassword = (connectionString: string): string =>
  connectionString.replace(/^([^:]*:\/\/[^:@/?]*):.*@/s, '$1:***@').replace(/\?.*/s, '');

const parseNode = (text: string): NodeAddress | null => {
  const [matched, address, port = '2113'] = /^([A-Za-z0-9._-]+)(?::(\d{1,5}))?$/.exec(text) ?? [];
  const isPort = Number(port) >= 1 && Number(port) <= 65_535;
  return matched === undefined || address === undefined || !isPort ? null : { address, port: Number(port) };
};

/** Null for invalid percent-encoding. */
const decode = (text: string | undefined): string | null | undefined => {
  try {
    return text === undefined ? undefined : decodeURIComponent(text);
  } catch {
    return null;
  }
};

/** The options, or the error of the first invalid one. */
const parseOptions = (query: string): string | Omit<ConnectionSettings, 'nodes' | 'discover' | 'credentials'> => {
  let options: Omit<ConnectionSettings, 'nodes' | 'discover' | 'credentials'> = { tls: true };
  for (const pair of query === '' ? [] : query.split('&')) {
    const [name = '', raw = ''] = pair.split('=', 2);
    const value = decode(raw) ?? '';
    const flat = flatten(name);
    const number = NUMBERS.find((known) => flatten(known) === flat);
    const text = TEXTS.find((known) => flatten(known) === flat);
    if (value === '') return `The option "${name}" has no value.`;
    if (text !== undefined) options = { ...options, [text]: value };
    else if (number !== undefined) {
      if (!/^\d+$/.test(value)) return `The option "${name}" is "${value}" and must be a number of milliseconds.`;
      options = { ...options, [number]: Number(value) };
    } else if (flat === 'tls' || flat === 'tlsverifycert') {
      if (value !== 'true' && value !== 'false') return `The option "${name}" is "${value}" and must be true or false.`;
      if (flat === 'tls') options = { ...options, tls: value === 'true' };
      else if (value === 'false') return 'tlsVerifyCert=false is not supported: name the authority with tlsCaFile.';
    } else if (!WITHOUT_EFFECT.some((known) => flatten(known) === flat)) {
      return `The option "${name}" is unknown. Known: tls, tlsVerifyCert, ${[...TEXTS, ...NUMBERS].join(', ')}.`;
    }
  }
  return options;
};

/** Names of options are compared as in the server's own clients. */
const flatten = (name: string): string => name.toLowerCase().replace(/[_-]/g, '');
