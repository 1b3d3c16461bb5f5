import { Suspense, useMemo } from 'react';
import { Loader } from '@mantine/core';
import { lazyRouteComponent } from '@tanstack/react-router';
import { type useSqlCheck } from '../../api/check-sql';
import { placed } from '../../api/failure';
import { fullName } from '../../api/guess-graph';
import { useTableNames, useTables } from '../../api/tables';
import { Problem } from '../../kit/view';

const LazyCodeEditor = lazyRouteComponent(() => import('../../language/code-editor'), 'CodeEditor');

interface SqlFieldProps {
  readonly name: string;
  readonly sql: string;
  readonly check: ReturnType<typeof useSqlCheck>;
  readonly onChange: (sql: string) => void;
}

/** Maximum number of tables in a query whose columns are proposed. */
const MOST_TABLES = 12;

/** The editor of a query, with the result of the query engine's check. */
export const SqlField = ({ name, sql, check: { query, isCurrent }, onChange }: SqlFieldProps) => {
  const language = useSql(sql);
  const { problem = null, warnings = [], columns = [] } = (isCurrent && query.data) || {};
  return (
    <div>
      <Suspense fallback={<Loader size="sm" role="status" aria-label="Loading the editor" />}>
        <LazyCodeEditor
          text={sql}
          language={language}
          label={`SQL of ${name || 'the definition'}`}
          hint="SELECT id, name FROM catalog.schema.table"
          errorPosition={problem?.place ?? null}
          onChange={onChange}
        />
      </Suspense>
      <div className="checked" role="status">
        {sql.trim() !== '' && !isCurrent && <span className="dimmed">Checking …</span>}
        {problem !== null && <bdi className="reason">{placed(problem.message, problem.place)}</bdi>}
        {columns.length > 0 && <span className="dimmed">Valid: {columns.map((column) => column.name).join(', ')}</span>}
        {warnings.map((warning) => (
          <bdi key={warning}>{warning}</bdi>
        ))}
      </div>
      {isCurrent && query.error !== null && <Problem error={query.error} title="The query cannot be checked" />}
    </div>
  );
};

/** SQL with all tables, and the columns of those in the query. */
const useSql = (sql: string) => {
  const { data: names } = useTableNames();
  const text = sql.toLowerCase();
  const named = (names ?? []).filter(({ table }) => text.includes(table.toLowerCase())).slice(0, MOST_TABLES);
  const { data: tables } = useTables(named);
  return useMemo(() => {
    const columnsOf = (full: string): readonly string[] =>
      tables?.find((table) => fullName(table) === full)?.columns.map((column) => column.name) ?? [];
    const known = (names ?? []).map((one) => ({ ...one, fullName: fullName(one), columns: columnsOf(fullName(one)) }));
    return { name: 'sql' as const, tables: known };
  }, [names, tables]);
};
