import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type AlgorithmRun } from '../../api/algorithm';
import { useRunControl, useRuns } from '../../api/algorithms';
import { type GraphDetail } from '../../api/graphs';
import { type Address } from '../../api/queries';
import { duration } from '../../kit/format';
import { RecordTable } from '../../kit/record-table';
import { Section } from '../../kit/section';
import { Loaded, Problem } from '../../kit/view';
import { RunResultView } from './run-result-view';

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
