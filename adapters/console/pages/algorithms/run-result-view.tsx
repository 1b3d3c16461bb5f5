import { useMemo } from 'react';
import { Button, Group } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { type AlgorithmRun, type RunResult } from '../../api/algorithm';
import { drawingQuery, useRunResult } from '../../api/algorithms';
import { type GraphDetail } from '../../api/graphs';
import { type Address } from '../../api/queries';
import { count, counted } from '../../kit/format';
import { LazyChart } from '../../kit/lazy-chart';
import { readStyle, writeStyle } from '../../graph/stored-style';
import { requestRun } from '../../kit/requested-run';
import { ResultTable } from '../../kit/result-table';
import { Loaded } from '../../kit/view';
import { histogramOf } from './histogram-of';

interface RunResultViewProps {
  readonly run: AlgorithmRun;
  readonly graph: GraphDetail;
  readonly address: Address;
}

/** The result of a run: its values as a histogram and as a table, and in the drawing if they are stored. */
export const RunResultView = ({ run, graph, address }: RunResultViewProps) => {
  const result = useRunResult(address, run);
  const navigate = useNavigate();
  const { property } = run;
  return (
    <Loaded query={result}>
      {({ columns, rows, labels, isTruncated }) => {
        const draw = (by: string): void => {
          const isAmount = rows.some((row) => !Number.isInteger(Number(row.at(-1))));
          const style = readStyle(graph.mapping_id);
          writeStyle(graph.mapping_id, {
            ...style,
            layout: 'force',
            colourBy: by,
            sizeBy: isAmount ? by : null,
          });
          requestRun(graph.id, drawingQuery(labels, by));
          void navigate({ to: '/graphs/$id', params: { id: graph.id } });
        };
        return (
          <section aria-label={`Result of ${run.algorithm}`}>
            <Group justify="space-between" my="xs">
              <span className="dimmed">
                {counted(rows.length, columns.at(-1) === 'node' ? 'node' : 'value')}
                {columns.at(-1) !== 'node' && ', highest first'}
                {isTruncated && '; there are more'}
              </span>
              {property !== null && labels.length > 0 && (
                <Button size="compact-sm" onClick={() => draw(property)}>
                  Show {property} in the graph
                </Button>
              )}
            </Group>
            {columns.at(-1) !== 'node' && <Histogram rows={rows} />}
            <ResultTable columns={columns} rows={rows} />
          </section>
        );
      }}
    </Loaded>
  );
};

const short = (value = 0): string => (Number.isInteger(value) ? count(value) : value.toPrecision(3));

/** The values of the last column. */
const Histogram = ({ rows }: Pick<RunResult, 'rows'>) => {
  const { edges, counts } = useMemo(() => histogramOf(rows.map((row) => Number(row.at(-1)))), [rows]);
  const y = useMemo(() => [...counts, null], [counts]);
  if (counts.length === 0) return null;
  const label = `Histogram of the values from ${short(edges[0])} to ${short(edges.at(-1))}`;
  return (
    <LazyChart {...{ label, y }} x={edges} kind="bars" xName="Value" yName="Count" formatX={short} formatY={count} />
  );
};
