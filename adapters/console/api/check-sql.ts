import { useDebouncedValue } from '@mantine/hooks';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { type ApiClient } from '../../client/web';
import { need, type Place } from './failure';
import { type Definitions } from './graphs';
import { useSession } from './session';

export type TypedColumn = NonNullable<Definitions['node_definitions'][number]['properties']>[number];

/** The query engine's check of a query: its columns with their graph types, or the error. */
export interface CheckedSql {
  readonly problem: { readonly message: string; readonly place: Place | null } | null;
  readonly columns: readonly TypedColumn[];
  readonly warnings: readonly string[];
}

const CHECKED_AFTER_MS = 400;
/** Sets the name of the definition, because a guessed name would be reported as a warning. */
const NAMED = '-- name: Checked\n';

export const checkSql = async (api: ApiClient, sql: string, signal?: AbortSignal): Promise<CheckedSql> => {
  const checked = await need(api.validateSql({ body: { sql }, signal }));
  if (!checked.valid)
    return { problem: { message: checked.error, place: checked.position }, columns: [], warnings: [] };
  const body = { node_queries: [NAMED + sql] };
  const { node_definitions, warnings } = await need(api.parseSql({ body, signal }));
  return {
    problem: null,
    columns: node_definitions.flatMap(({ primary_key, properties }) => [primary_key, ...properties]),
    warnings: warnings.map((warning) => warning.replace(/^node_queries\.0: /, '')),
  };
};

export const sqlCheck = (api: ApiClient, sql: string) =>
  queryOptions({
    queryKey: ['check-sql', sql],
    queryFn: ({ signal }) => checkSql(api, sql, signal),
    staleTime: 60_000,
  });

/** Checks a query while it is typed. `isCurrent`: the check is for the current text. */
export const useSqlCheck = (sql: string) => {
  const { api } = useSession();
  const [settled] = useDebouncedValue(sql, CHECKED_AFTER_MS);
  const query = useQuery({ ...sqlCheck(api, settled), enabled: settled.trim() !== '' });
  return { query, isCurrent: settled === sql && !query.isFetching };
};
