import { Button, Group } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { type AlgorithmRun } from '../../api/algorithm';
import { drawingQuery, useRunResult } from '../../api/algorithms';
import { type GraphDetail } from '../../api/graphs';
import { type Address } from '../../api/queries';
import { count } from '../../kit/format';
import { readStyle, writeStyle } from '../../kit/kept-style';
import { requestRun } from '../../kit/requested-run';
import { ResultTable } from '../../kit/result-table';
import { Loaded } from '../../kit/view';
import { type Bar, histogramOf } from './histogram-of';

interface RunResultViewProps {
  readonly run: AlgorithmRun;
  readonly graph: GraphDetail;
  readonly address: Address;
}

/** What a run found: its values as a histogram and as a table, and on the drawing where they are stored. */
export const RunResultView = ({ run, graph, address }: RunResultViewProps) => {
  const result = useRunResult(address, run);
  const navigate = useNavigate();
  const { property } = run;
  return (
    <Loaded query={result}>
      {({ columns, rows, labels, isTruncated }) => {
        const values = rows.map((row) => Number(row.at(-1)));
        const draw = (by: string): void => {
          const isAmount = values.some((value) => !Number.isInteger(value));
          const style = readStyle(graph.mapping_id);
          writeStyle(graph.mapping_id, {
            ...style,
            layout: 'force',
            colourBy: by,
            sizeBy: isAmount ? by : null,
          });
          requestRun(graph.id, drawingQuery(labels, by));
          void navigate({ to: '/graphs/$id', params: { id: String(graph.id) } });
        };
        return (
          <section className="run-result" aria-label={`Result of ${run.algorithm}`}>
            <Group justify="space-between" my="xs">
              <span className="dimmed">
                {count(rows.length)} {rows.length === 1 ? 'value' : 'values'}, highest first
                {isTruncated && '; there are more'}
              </span>
              {property !== null && labels.length > 0 && (
                <Button size="compact-sm" onClick={() => draw(property)}>
                  Draw by {property}
                </Button>
              )}
            </Group>
            <Histogram bars={histogramOf(values)} />
            <ResultTable columns={columns} rows={rows} />
          </section>
        );
      }}
    </Loaded>
  );
};

const short = (value: number): string => (Number.isInteger(value) ? count(value) : value.toPrecision(3));

const Histogram = ({ bars }: { readonly bars: readonly Bar[] }) => {
  const most = Math.max(...bars.map((bar) => bar.count));
  const [first, last] = [bars[0], bars.at(-1)];
  if (first === undefined || last === undefined) return null;
  return (
    <>
      <ol className="histogram" aria-label="How many nodes have which values">
        {bars.map(({ from, to, count: nodes }) => (
          <li key={from} title={`${short(from)} to ${short(to)}: ${count(nodes)}`}>
            <span className="bar" style={{ height: `${(100 * nodes) / most}%` }} />
            <span className="visually-hidden">
              {short(from)} to {short(to)}: {count(nodes)}
            </span>
          </li>
        ))}
      </ol>
      <p className="axis dimmed" aria-hidden="true">
        <span>{short(first.from)}</span>
        <span>{short(last.to)}</span>
      </p>
    </>
  );
};
