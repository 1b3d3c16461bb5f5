import { type Readable } from 'node:stream';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import * as t from 'io-ts';
import { type FieldsOf } from '../../domain/kernel/codecs';
import { INSTANCE_ENDPOINTS, type QueryBody } from '../contracts/graph-pod/endpoints';
import { EXPORT_FORMATS, type ExportFormat } from '../contracts/graph-pod/export-formats';
import { type ClientFailure, readAnswer } from './answer';
import { clientsOver, type InstanceKind, type InstanceOperations } from './clients';
import { nodeTransport, openExchange, wholeAnswer } from './exchange';
import { exactJson, parseExactJson } from './graph-answer';
import { type Identity, identityHeaders } from './sender';
import { requestTarget } from './transport';

const { apiClient, instanceClient } = clientsOver(nodeTransport);

/** The client of the public API for Node.js. */
export const createApiClient = apiClient;

/** The client of one instance for Node.js, with exports as streams. */
export type InstanceClient<K extends InstanceKind> = InstanceOperations<K> & {
  readonly exportRows: ReturnType<typeof exportRows>;
};

/** @param instanceUrl The `instance_url` of a running instance. */
export const createInstanceClient = <K extends InstanceKind>(
  kind: K,
  instanceUrl: string,
  identity: Identity,
): InstanceClient<K> => ({
  ...instanceClient(kind, instanceUrl, identity),
  exportRows: exportRows(instanceUrl, identity),
});

interface ExportRequest {
  readonly body: FieldsOf<(typeof QueryBody)['props']>;
  readonly format: ExportFormat;
  /** Timeout for the first row. */
  readonly timeoutMs: number;
}

interface Export {
  readonly rows: Readable;
  readonly warnings: readonly string[];
}

const Warnings = t.readonlyArray(t.string);

const warningsIn = (header: string | readonly string[] | undefined): readonly string[] => {
  const decoded = Warnings.decode(typeof header === 'string' ? parseExactJson(header) : []);
  return isLeft(decoded) ? [] : decoded.right;
};

/** All rows of a query as a stream; the stream fails if it ends before the last row. */
const exportRows =
  (instanceUrl: string, identity: Identity) =>
  async ({ body, format, timeoutMs }: ExportRequest): Promise<Either<ClientFailure, Export>> => {
    const endpoint = INSTANCE_ENDPOINTS.query;
    const url = requestTarget(instanceUrl, endpoint, {}, {});
    const { mediaType } = EXPORT_FORMATS[format];
    const opened = await openExchange({
      method: endpoint.method,
      url,
      headers: { ...identityHeaders(identity), Accept: mediaType },
      body: exactJson(body),
      timeoutMs,
    });
    if (isLeft(opened)) return opened;
    const response = opened.right;
    if (response.statusCode === 200 && response.headers['content-type']?.startsWith(mediaType) === true) {
      // The reader may pause, so the stream has no timeout.
      response.setTimeout(0);
      return right({ rows: response, warnings: warningsIn(response.headers['x-warnings']) });
    }
    const answer = await wholeAnswer(url, response);
    if (isLeft(answer)) return answer;
    const read = readAnswer(endpoint, url.href, answer.right);
    const { status, text } = answer.right;
    return isLeft(read) ? read : left({ kind: 'unreadable', url: url.href, status, excerpt: text.slice(0, 200) });
  };
