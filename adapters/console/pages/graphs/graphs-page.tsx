import { Button, Group, Select } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type ReactNode } from 'react';
import { type GraphSummary, useFavorites, useGraphs } from '../../api/graphs';
import { useSession } from '../../api/session';
import { FavoriteCards } from '../../kit/favorite-cards';
import { age, bytes, cores, until } from '../../kit/format';
import { kindName } from '../../kit/kind-select';
import { ListFilters, useFilter } from '../../kit/list-filters';
import { StateBadge } from '../../kit/state-badge';
import { PageTitle } from '../../kit/view';

const STATES: Readonly<Record<GraphSummary['status'], string>> = {
  running: 'running',
  starting: 'starting',
  waiting_for_snapshot: 'exporting',
  stopping: 'stopping',
  failed: 'failed',
};
const isState = (text: string): text is GraphSummary['status'] => Object.hasOwn(STATES, text);

/** All graphs visible to the caller, polled; the filters are in the URL. The unfiltered list is never shown empty. */
export const GraphsPage = ({ emptyState }: { readonly emptyState: ReactNode }) => {
  const { search, status: given = '', owner } = useSearch({ from: '/' });
  const status = isState(given) ? given : undefined;
  const navigate = useNavigate();
  const filter = useFilter();
  const { username } = useSession();
  const favorites = useFavorites('instance');
  const graphs = useGraphs({ search, owner, status });
  const isFiltered = search !== undefined || status !== undefined || owner !== undefined;
  if (graphs.data?.data.length === 0 && !isFiltered) return emptyState;
  return (
    <>
      <Group justify="space-between" mb="md">
        <PageTitle>Graphs</PageTitle>
        <Button onClick={() => void navigate({ to: '/start' })}>New graph</Button>
      </Group>
      <ListFilters username={username}>
        <Select
          aria-label="State"
          placeholder="Any state"
          clearable
          clearButtonProps={{ 'aria-label': 'Any state' }}
          data={Object.entries(STATES).map(([value, label]) => ({ value, label }))}
          value={status ?? null}
          onChange={(value) => filter({ status: value ?? undefined })}
          w={150}
        />
      </ListFilters>
      <FavoriteCards query={graphs} {...favorites} to="/graphs/$id" empty="No graph matches the filters.">
        {(graph) => <GraphFacts graph={graph} />}
      </FavoriteCards>
    </>
  );
};

/** The state of a graph in the list. */
const GraphFacts = ({ graph }: { readonly graph: GraphSummary }) => {
  const { status, wrapper_type, owner_username, created_at, expires_at, error_message } = graph;
  return (
    <>
      <p className="facts">
        <StateBadge status={status} /> <span>{kindName(wrapper_type)}</span> <bdi>{owner_username}</bdi>
      </p>
      {status === 'failed' && (
        <p className="reason">
          <bdi>{error_message ?? 'The start failed without a reason; see the log.'}</bdi>
        </p>
      )}
      <dl className="figures">
        <div>
          <dt>age</dt>
          <dd>{age(created_at)}</dd>
        </div>
        <div>
          <dt>remaining</dt>
          <dd>{expires_at === null ? 'no limit' : until(expires_at)}</dd>
        </div>
        <div>
          <dt>memory</dt>
          <dd>
            {graph.memory_usage_bytes === null ? '–' : bytes(graph.memory_usage_bytes)}
            {graph.memory_gb !== null && ` of ${graph.memory_gb} GB`}
          </dd>
        </div>
        <div>
          <dt>CPU</dt>
          <dd>{cores(graph)}</dd>
        </div>
      </dl>
    </>
  );
};
