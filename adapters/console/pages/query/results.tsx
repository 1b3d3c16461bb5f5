import { lazy, Suspense, useMemo, useState } from 'react';
import { Alert, Loader, ScrollArea, SegmentedControl, useComputedColorScheme } from '@mantine/core';
import { type GraphAnswer } from '../../api/queries';
import { graphOfRows } from '../../graph/drawn-graph';
import { count, exactText } from '../../kit/format';
import { ResultTable } from './result-table';

const GraphView = lazy(() =>
  import('../../graph/graph-view').then(({ GraphView: component }) => ({ default: component })),
);

/** So many nodes are drawn at first. */
const DRAWN = 300;
/** Above this many the browser is busy; it is asked for. */
const MANY = 5_000;
const MAX_JSON_ROWS = 500;

type View = 'graph' | 'table' | 'json';

/** The answer to a query: as a graph where it holds nodes, as a table, as JSON. */
export const Results = ({ answer }: { readonly answer: GraphAnswer }) => {
  const isDark = useComputedColorScheme('light') === 'dark';
  const [limit, setLimit] = useState(DRAWN);
  const graph = useMemo(() => graphOfRows(answer.rows, limit), [answer, limit]);
  const hasGraph = graph.total > 0;
  const [chosen, setChosen] = useState<View | null>(null);
  const view = chosen === 'graph' && !hasGraph ? 'table' : (chosen ?? (hasGraph ? 'graph' : 'table'));
  const { warnings = [], truncated, row_count, execution_time_ms } = answer;
  return (
    <section className="panel results" aria-label="Results">
      <div className="results-top">
        <SegmentedControl
          size="xs"
          aria-label="View"
          data={[
            { value: 'graph', label: 'Graph', disabled: !hasGraph },
            { value: 'table', label: 'Table' },
            { value: 'json', label: 'JSON' },
          ]}
          value={view}
          onChange={(value) => setChosen(value === 'json' || value === 'graph' ? value : 'table')}
        />
        <span className="dimmed" data-testid="summary">
          {count(row_count)} {row_count === 1 ? 'row' : 'rows'}, {count(execution_time_ms)} ms
          {truncated && ' · truncated: export all rows'}
        </span>
      </div>
      {warnings.map((warning) => (
        <Alert key={warning} color="yellow" variant="light" mb="xs" title="Warning">
          <bdi>{warning}</bdi>
        </Alert>
      ))}
      {view === 'graph' && (
        <Suspense fallback={<Loader size="sm" role="status" aria-label="Loading the drawing" />}>
          <GraphView graph={graph} isDark={isDark} />
          {graph.total > limit && (
            <button
              type="button"
              className="more"
              onClick={() => setLimit(limit < MANY ? Math.min(graph.total, MANY) : graph.total)}
            >
              Draw{' '}
              {limit < MANY ? Math.min(graph.total, MANY) : `all ${graph.total}, which may take the browser a while`}
            </button>
          )}
        </Suspense>
      )}
      {view === 'table' && <ResultTable columns={answer.columns} rows={answer.rows} />}
      {view === 'json' && (
        <ScrollArea h={480}>
          <pre className="json" tabIndex={0}>
            {exactText(answer.rows.slice(0, MAX_JSON_ROWS), 2)}
          </pre>
          {answer.rows.length > MAX_JSON_ROWS && <p className="dimmed">The first {MAX_JSON_ROWS} rows.</p>}
        </ScrollArea>
      )}
    </section>
  );
};
