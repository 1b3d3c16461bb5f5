import { readFileSync } from 'node:fs';
import { type IncomingMessage } from 'node:http';
import { Agent, request } from 'node:https';
import { isLeft } from 'fp-ts/Either';
import * as t from 'io-ts';
import { parse } from 'yaml';

export interface KubeAnswer<A> {
  readonly status: number;
  readonly body: A;
}

export interface KubeEvent<A> {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';
  readonly object: A;
}

/** The fields of every answer, including a Status. */
interface AnyAnswer {
  readonly message?: string;
  readonly reason?: string;
}

/** Direct access to the API server, without the client under test. Rejects only when no answer arrives. */
export interface KubeApi {
  readonly url: string;
  /** PEM of the authority that signed the server's certificate. */
  readonly authority: string;
  send<A = AnyAnswer>(method: string, path: string, body?: object, contentType?: string): Promise<KubeAnswer<A>>;
  /** The same for a request that must succeed. */
  call<A = unknown>(method: string, path: string, body?: object, contentType?: string): Promise<A>;
  /** Server-side apply of an object at its path. */
  apply(path: string, body: object): Promise<void>;
  /** Resolves when the server ends the watch, and rejects when the signal aborts. */
  watch<A>(path: string, onEvent: (event: KubeEvent<A>) => void, signal: AbortSignal): Promise<void>;
}

export const MERGE = 'application/merge-patch+json';
export const STRATEGIC = 'application/strategic-merge-patch+json';

const Kubeconfig = t.type({
  clusters: t.readonlyArray(t.type({ cluster: t.type({ server: t.string, 'certificate-authority-data': t.string }) })),
  users: t.readonlyArray(
    t.type({
      user: t.partial({ token: t.string, 'client-certificate-data': t.string, 'client-key-data': t.string }),
    }),
  ),
});

/** Reads a kubeconfig with one cluster and one user, whose credentials are in the file. */
export const openKubeApi = (kubeconfigPath: string): KubeApi => {
  const decoded = Kubeconfig.decode(parse(readFileSync(kubeconfigPath, 'utf8')));
  const [cluster, user] = isLeft(decoded) ? [] : [decoded.right.clusters[0]?.cluster, decoded.right.users[0]?.user];
  if (cluster === undefined || user === undefined) throw new Error(`${kubeconfigPath} is not a kubeconfig with data.`);
  const authority = fromBase64(cluster['certificate-authority-data']) ?? '';
  const agent = new Agent({
    ca: authority,
    cert: fromBase64(user['client-certificate-data']),
    key: fromBase64(user['client-key-data']),
    keepAlive: true,
  });
  const open = (
    method: string,
    path: string,
    {
      body,
      contentType,
      signal,
    }: { readonly body?: object; readonly contentType?: string; readonly signal?: AbortSignal },
  ): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      const text = body === undefined ? undefined : JSON.stringify(body);
      const headers = {
        Accept: 'application/json',
        ...(text === undefined
          ? {}
          : { 'Content-Type': contentType ?? 'application/json', 'Content-Length': Buffer.byteLength(text) }),
        ...(user.token === undefined ? {} : { Authorization: `Bearer ${user.token}` }),
      };
      const sent = request(new URL(path, cluster.server), { method, agent, headers, ...(signal ? { signal } : {}) });
      sent.on('response', resolve).on('error', reject);
      sent.end(text);
    });

  const send = async <A>(method: string, path: string, body?: object, contentType?: string): Promise<KubeAnswer<A>> => {
    const response = await open(method, path, { body, contentType, signal: AbortSignal.timeout(30_000) });
    let text = '';
    for await (const chunk of response.setEncoding('utf8')) text += chunk as string;
    const content: unknown = text.startsWith('{') ? JSON.parse(text) : { message: text };
    return { status: response.statusCode ?? 0, body: content as A };
  };
  const call = async <A>(method: string, path: string, body?: object, contentType?: string): Promise<A> => {
    const { status, body: content } = await send<A & AnyAnswer>(method, path, body, contentType);
    if (status >= 300) throw new Error(`${method} ${path} was answered ${status}: ${content.message}`);
    return content;
  };
  return {
    url: cluster.server,
    authority,
    send,
    call,
    apply: async (path, body) => {
      await call('PATCH', `${path}?fieldManager=test&force=true`, body, 'application/apply-patch+yaml');
    },
    watch: async <A>(path: string, onEvent: (event: KubeEvent<A>) => void, signal: AbortSignal) => {
      const response = await open('GET', path, { signal });
      let rest = '';
      for await (const chunk of response.setEncoding('utf8')) {
        const lines = (rest + (chunk as string)).split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines) onEvent(JSON.parse(line) as KubeEvent<A>);
      }
    },
  };
};

const fromBase64 = (text: string | undefined): string | undefined =>
  text === undefined ? undefined : Buffer.from(text, 'base64').toString('utf8');
