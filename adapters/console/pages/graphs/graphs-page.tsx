import { type ReactNode } from 'react';
import { Button, Group, Select, Title } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { type GraphSummary, useFavorites, useGraphs } from '../../api/graphs';
import { useSession } from '../../api/session-context';
import { ListFilters } from '../../kit/list-filters';
import { Rest } from '../../kit/rest';
import { Loaded } from '../../kit/view';
import { GraphCard } from './graph-card';

export interface GraphsSearch {
  readonly search?: string | undefined;
  readonly status?: string | undefined;
  readonly owner?: string | undefined;
}

interface GraphsProps {
  readonly search: GraphsSearch;
  /** Shown while the unfiltered list is empty. */
  readonly whenEmpty: ReactNode;
}

const STATES: Readonly<Record<GraphSummary['status'], string>> = {
  running: 'running',
  starting: 'starting',
  waiting_for_snapshot: 'exporting',
  stopping: 'stopping',
  failed: 'failed',
};
const isState = (text: string | undefined): text is GraphSummary['status'] => text !== undefined && text in STATES;

/** All graphs visible to the caller, polled; the filters are in the URL. */
export const GraphsPage = ({ search: { search, status, owner }, whenEmpty }: GraphsProps) => {
  const { username } = useSession();
  const navigate = useNavigate();
  const graphs = useGraphs({ search, owner, status: isState(status) ? status : undefined });
  const { favorites, setFavorite } = useFavorites('instance');
  const isFiltered = search !== undefined || status !== undefined || owner !== undefined;
  const filter = (change: GraphsSearch): void =>
    void navigate({ to: '/', search: { search, status, owner, ...change }, replace: true });
  if (graphs.data?.data.length === 0 && !isFiltered) return whenEmpty;
  return (
    <>
      <Group justify="space-between" mb="md">
        <Title order={1} size="h2">
          Graphs
        </Title>
        <Button onClick={() => void navigate({ to: '/start' })}>New graph</Button>
      </Group>
      <ListFilters search={search} owner={owner} username={username} onChange={filter}>
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
      <Loaded query={graphs}>
        {({ data, page }) => {
          const isFavorite = ({ id }: GraphSummary): number => (favorites.has(id) ? 0 : 1);
          const sorted = [...data].sort((a, b) => isFavorite(a) - isFavorite(b));
          return (
            <>
              {data.length === 0 && <p>No graph matches the filters.</p>}
              <div className="cards">
                {sorted.map((graph) => (
                  <GraphCard
                    key={graph.id}
                    graph={graph}
                    isFavorite={favorites.has(graph.id)}
                    onFavorite={(on) => setFavorite({ id: graph.id, on })}
                  />
                ))}
              </div>
              <Rest shown={data.length} page={page} />
            </>
          );
        }}
      </Loaded>
    </>
  );
};
