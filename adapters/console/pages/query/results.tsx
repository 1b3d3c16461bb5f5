import { Group, Loader, ScrollArea, SegmentedControl } from '@mantine/core';
import { lazyRouteComponent } from '@tanstack/react-router';
import { Suspense, useMemo, useState } from 'react';
import { type Address, type GraphAnswer, type useSchema } from '../../api/queries';
import { graphIn } from '../../graph/exploration';
import { count, counted, exactText, truncate } from '../../kit/format';
import { ResultTable } from '../../kit/result-table';
import { Warnings } from '../../kit/view';

const LazyExplorePanel = lazyRouteComponent(() => import('./explore/explore-panel'), 'ExplorePanel');

const MAX_JSON_ROWS = 500;
/** The browser takes seconds to lay out a longer text. */
const MAX_JSON = 500_000;

type View = 'graph' | 'table' | 'json';

interface ResultsProps {
  readonly address: Address;
  readonly mappingId: number;
  readonly schema: ReturnType<typeof useSchema>['data'];
  readonly answer: GraphAnswer;
}

/** The result of a query: as a graph if it contains nodes, as a table, and as JSON. */
export const Results = ({ answer, ...of }: ResultsProps) => {
  const hasGraph = useMemo(() => graphIn(answer.rows).nodes.length > 0, [answer]);
  const [chosen, setChosen] = useState<View | null>(null);
  const view = chosen === 'graph' && !hasGraph ? 'table' : (chosen ?? (hasGraph ? 'graph' : 'table'));
  const { warnings = [], truncated, row_count, execution_time_ms } = answer;
  const isJson = view === 'json';
  const json = useMemo(() => (isJson ? exactText(answer.rows.slice(0, MAX_JSON_ROWS), 2) : ''), [answer, isJson]);
  return (
    <section className="panel results" aria-label="Results">
      <Group justify="space-between" gap={8} mb={10} fz={14}>
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
          {counted(row_count, 'row')}, {count(execution_time_ms)} ms
          {truncated && ' · truncated: export all rows'}
        </span>
      </Group>
      <Warnings texts={warnings} />
      {view === 'graph' && (
        <Suspense fallback={<Loader size="sm" role="status" aria-label="Loading the drawing" />}>
          <LazyExplorePanel answer={answer} {...of} />
        </Suspense>
      )}
      {view === 'table' && <ResultTable columns={answer.columns} rows={answer.rows} />}
      {isJson && (
        <ScrollArea h={480}>
          <pre className="json" tabIndex={0}>
            {truncate(json, MAX_JSON)}
          </pre>
          {(answer.rows.length > MAX_JSON_ROWS || json.length > MAX_JSON) && (
            <p className="dimmed">
              The first {MAX_JSON_ROWS} rows, at most {count(MAX_JSON)} characters; export all rows for the others.
            </p>
          )}
        </ScrollArea>
      )}
    </section>
  );
};
