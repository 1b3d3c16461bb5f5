import { Button, Group } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import { type AlgorithmRun, type RunResult } from '../../api/algorithm';
import { drawingQuery, useRunControl, useRunResult, useRuns } from '../../api/algorithms';
import { type GraphDetail, requestRun } from '../../api/graphs';
import { type Address } from '../../api/queries';
import { readStyle, writeStyle } from '../../graph/stored-style';
import { count, counted, digitsOf, duration, shortNumber } from '../../kit/format';
import { LazyChart } from '../../kit/lazy-chart';
import { RecordTable } from '../../kit/record-table';
import { ResultTable } from '../../kit/result-table';
import { Loaded, Problem, Section, Warnings } from '../../kit/view';
import { histogramOf } from './histogram-of';

interface RunsProps {
  readonly graph: GraphDetail;
  readonly address: Address;
  readonly runId: string | null;
  readonly onChoose: (runId: string) => void;
}

const lengthOf = ({ ms }: AlgorithmRun): string => (ms < 1000 ? `${Math.round(ms)} ms` : duration(ms));

/** The last runs, with the result of the selected one. */
export const Runs = ({ graph, address, runId, onChoose }: RunsProps) => {
  const runs = useRuns(address);
  const { cancel } = useRunControl(address);
  const cancelling = useMutation({ mutationFn: cancel, onSettled: () => runs.refetch() });
  return (
    <Section title="Runs">
      {cancelling.error !== null && <Problem error={cancelling.error} title="Not cancelled" />}
      <Loaded query={runs}>
        {(all) => {
          const chosen = all.find(({ id }) => id === runId);
          return (
            <>
              <RecordTable
                label="Runs of algorithms"
                rows={all}
                keyOf={({ id }) => id}
                columns={{
                  algorithm: ({ algorithm }) => algorithm,
                  state: ({ status, progress }) =>
                    progress === null ? status : `${status} ${Math.round(progress * 100)} %`,
                  time: lengthOf,
                  by: ({ username }) => username,
                  action: ({ id, status }) =>
                    status === 'running' ? (
                      <Button size="compact-xs" color="red" variant="light" onClick={() => cancelling.mutate(id)}>
                        Cancel
                      </Button>
                    ) : (
                      <Button
                        size="compact-xs"
                        variant="default"
                        aria-pressed={id === runId}
                        onClick={() => onChoose(id)}
                      >
                        Show
                      </Button>
                    ),
                }}
                empty="No runs since the graph started."
              />
              {chosen?.status === 'failed' && (
                <Problem error={new Error(chosen.error ?? 'No reason was reported.')} title="The run failed" />
              )}
              {chosen?.status === 'completed' && <Warnings texts={chosen.warnings} />}
              {chosen?.status === 'completed' && (
                <RunResultView key={chosen.id} run={chosen} graph={graph} address={address} />
              )}
            </>
          );
        }}
      </Loaded>
    </Section>
  );
};

interface RunResultViewProps {
  readonly run: AlgorithmRun;
  readonly graph: GraphDetail;
  readonly address: Address;
}

/** The result of a run: its values as a histogram and as a table, and in the drawing if they are stored. */
const RunResultView = ({ run, graph, address }: RunResultViewProps) => {
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
            {columns.at(-1) !== 'node' && rows.length > 1 && <Histogram rows={rows} />}
            <ResultTable columns={columns} rows={rows} />
          </section>
        );
      }}
    </Loaded>
  );
};

/** The values of the last column. */
const Histogram = ({ rows }: Pick<RunResult, 'rows'>) => {
  const { edges, counts, range } = useMemo(() => histogramOf(rows.map((row) => Number(row.at(-1)))), [rows]);
  const y = useMemo(() => [...counts, null], [counts]);
  const digits = useMemo(() => digitsOf(edges), [edges]);
  const formatX = useCallback(
    (value: number) => (Number.isInteger(value) ? count(value) : shortNumber(value, digits)),
    [digits],
  );
  if (range === null) return null;
  const label = `Histogram of the values from ${range.map(formatX).join(' to ')}`;
  return <LazyChart {...{ label, y, formatX }} x={edges} kind="bars" xName="Value" yName="Count" formatY={count} />;
};
