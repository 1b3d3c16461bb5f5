import { useQuery } from '@tanstack/react-query';
import { isLeft } from 'fp-ts/Either';
import {
  exactJson,
  type GraphAnswer,
  identityHeaders,
  type InstanceKind,
  type JsonText,
  jsonText,
  readGraphAnswer,
  refusalOf,
} from '../../client/web';
import { EXPORT_FORMATS, type ExportFormat } from '../../contracts/graph-pod/export-formats';
import { ApiError, need } from './failure';
import { useChange } from './graphs';
import { reachable, useSession } from './session';
import { useAnswer } from './use-answer';

export { type GraphAnswer, type JsonText, jsonText };
/** File formats of results. */
export type FileFormat = ExportFormat | 'parquet';

export interface Address {
  readonly kind: InstanceKind;
  readonly url: string;
}

export interface GraphQuery {
  readonly query: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  /** Default: that of the instance. */
  readonly timeout_ms?: number;
}

/** The highest timeout that instances accept, for queries that the user can cancel. */
export const LONGEST_MS = 1_800_000;

/** Labels, types and properties of a running instance. */
export const useSchema = ({ kind, url }: Address) => {
  const session = useSession();
  return useQuery({
    queryKey: ['schema', url],
    queryFn: ({ signal }) => need(session.instance(kind, url).schema({ signal })),
  });
};

/** Functions, procedures and keywords of an instance. */
export const useLanguage = ({ kind, url }: Address) => {
  const session = useSession();
  return useQuery({
    queryKey: ['language', kind],
    staleTime: Infinity,
    queryFn: ({ signal }) => need(session.instance(kind, url).language({ signal })),
  });
};

/** Runs queries; when one is aborted or the page closes, the instance cancels it, too. */
export const useRunQuery = ({ kind, url }: Address) => {
  const session = useSession();
  return async (body: GraphQuery, signal: AbortSignal): Promise<GraphAnswer> => {
    // The instance ends the query before.
    const input = { body, signal, timeoutMs: 2 * LONGEST_MS };
    const text = await need(session.instance(kind, url).query(input));
    const answer = readGraphAnswer(text);
    if (isLeft(answer)) throw new Error(answer.left);
    return answer.right;
  };
};

/** The complete result of a query as a file. Rejects if it is cut off or aborted: a partial file is not returned. */
export const useExport = ({ url }: Address) => {
  const { identity } = useSession();
  return async (body: GraphQuery, format: FileFormat, signal: AbortSignal): Promise<Blob> => {
    const { mediaType } = EXPORT_FORMATS[format === 'parquet' ? 'arrow' : format];
    const response = await fetch(`${reachable(url)}/query`, {
      method: 'POST',
      headers: { ...identityHeaders(identity), Accept: mediaType, 'Content-Type': 'application/json' } as HeadersInit,
      body: exactJson({ ...body, timeout_ms: LONGEST_MS }),
      signal,
    });
    const { status, headers } = response;
    if (!response.ok)
      throw new ApiError(refusalOf({ status, headers: Object.fromEntries(headers), text: await response.text() }));
    return format === 'parquet' ? parquetOf(response) : response.blob();
  };
};

const parquetOf = async (response: Response): Promise<Blob> => {
  const { ByteWriter } = await import('hyparquet-writer');
  const { writeParquet } = await import('../../client/write-parquet');
  const writer = new ByteWriter();
  await writeParquet(piecesOf(response), writer);
  return new Blob([writer.getBuffer()]);
};

async function* piecesOf({ body }: Response): AsyncGenerator<Uint8Array> {
  const reader = body?.getReader();
  for (let piece = await reader?.read(); piece?.value !== undefined; piece = await reader?.read()) yield piece.value;
}

/** A query with its settings; `parameters` and `drawing` are JSON texts. */
interface QueryToSave {
  readonly name: string;
  readonly query: string;
  readonly parameters: string;
  readonly drawing?: string | null;
}

/** The user's saved queries of a mapping, and functions that change them. */
export const useSavedQueries = (mappingId: number) => {
  const saved = useAnswer(['saved-queries', mappingId], (api, signal) =>
    api.listSavedQueries({ params: { id: mappingId }, query: { limit: 100 }, signal }),
  );
  const save = useChange(async (api, { name, parameters, ...body }: QueryToSave) => {
    const given = parameters.trim() === '' ? {} : { parameters };
    const params = { id: mappingId, query_name: name };
    return need(api.saveQuery({ params, body: { ...body, ...given } }));
  });
  const remove = useChange((api, query_name: string) =>
    need(api.deleteSavedQuery({ params: { id: mappingId, query_name } })),
  );
  return { saved, save, remove };
};
