import { Button, Table, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type AlgorithmRun } from '../../api/algorithm';
import { useRunControl, useRuns } from '../../api/algorithms';
import { type GraphDetail } from '../../api/graphs';
import { type Address } from '../../api/queries';
import { duration } from '../../kit/format';
import { Loaded, Problem } from '../../kit/view';
import { RunResultView } from './run-result-view';

interface RunsProps {
  readonly graph: GraphDetail;
  readonly address: Address;
  readonly runId: string | null;
  readonly onChoose: (runId: string) => void;
}

const lengthOf = ({ ms }: AlgorithmRun): string => (ms < 1000 ? `${Math.round(ms)} ms` : duration(ms));

/** The last runs, with the result of the one that is chosen. */
export const Runs = ({ graph, address, runId, onChoose }: RunsProps) => {
  const runs = useRuns(address);
  const { cancel } = useRunControl(address);
  const cancelling = useMutation({ mutationFn: cancel, onSettled: () => runs.refetch() });
  return (
    <section className="panel" aria-labelledby="runs">
      <Title order={2} size="h4" id="runs" mb="xs">
        Runs
      </Title>
      {cancelling.error !== null && <Problem error={cancelling.error} title="Not cancelled" />}
      <Loaded query={runs}>
        {(all) => {
          const chosen = all.find(({ id }) => id === runId);
          return all.length === 0 ? (
            <p className="dimmed">Nothing has run on this graph since it started.</p>
          ) : (
            <>
              <div className="table-scroller" tabIndex={0} role="region" aria-label="Runs of algorithms">
                <Table>
                  <Table.Thead>
                    <Table.Tr>
                      <Table.Th>Algorithm</Table.Th>
                      <Table.Th>State</Table.Th>
                      <Table.Th>Time</Table.Th>
                      <Table.Th>By</Table.Th>
                      <Table.Th>Action</Table.Th>
                    </Table.Tr>
                  </Table.Thead>
                  <Table.Tbody>
                    {all.map((run) => (
                      <Table.Tr key={run.id} aria-selected={run.id === runId}>
                        <Table.Td>{run.algorithm}</Table.Td>
                        <Table.Td>
                          {run.status}
                          {run.progress !== null && ` ${Math.round(run.progress * 100)} %`}
                        </Table.Td>
                        <Table.Td>{lengthOf(run)}</Table.Td>
                        <Table.Td>
                          <bdi>{run.username}</bdi>
                        </Table.Td>
                        <Table.Td>
                          {run.status === 'running' ? (
                            <Button
                              size="compact-xs"
                              color="red"
                              variant="light"
                              onClick={() => cancelling.mutate(run.id)}
                            >
                              Cancel
                            </Button>
                          ) : (
                            <Button size="compact-xs" variant="default" onClick={() => onChoose(run.id)}>
                              Show
                            </Button>
                          )}
                        </Table.Td>
                      </Table.Tr>
                    ))}
                  </Table.Tbody>
                </Table>
              </div>
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
    </section>
  );
};
