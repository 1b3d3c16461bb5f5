import { Text, Title } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useChange } from '../../api/graphs';
import { startSample } from '../../api/sample';
import { useSession } from '../../api/session-context';
import { Choices } from '../../kit/choices';
import { requestRun } from '../../kit/requested-run';
import { type Kind } from '../../kit/kind-select';
import { Problem } from '../../kit/view';
import { FromMapping } from './from-mapping';

/** The ways to a graph: the sample, tables, and existing mappings. */
export const FirstUsePage = () => {
  const { role } = useSession();
  const navigate = useNavigate();
  // Not as a callback of `mutate`: as soon as there is a graph, the list replaces this page.
  const sample = useChange(async (api, kind: Kind) => {
    const { id, query } = await startSample(api, kind);
    requestRun(id, query);
    await navigate({ to: '/graphs/$id', params: { id } });
  });
  return (
    <div className="welcome">
      <Title order={1}>Start a graph</Title>
      <Text c="dimmed" maw={620}>
        A graph is a separate database that is loaded from your tables and deleted when unused.
      </Text>
      {sample.error !== null && <Problem error={sample.error} title="The sample could not be started" />}
      <Choices
        isBusy={sample.isPending}
        onSample={role === 'analyst' ? undefined : sample.mutate}
        onTables={() => void navigate({ to: '/tables' })}
      />
      <FromMapping />
    </div>
  );
};
