import { Button, Group } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useFavorites } from '../../api/graphs';
import { useMappings } from '../../api/mappings';
import { useSession } from '../../api/session';
import { FavoriteCards } from '../../kit/favorite-cards';
import { age, counted } from '../../kit/format';
import { ListFilters } from '../../kit/list-filters';
import { PageTitle } from '../../kit/view';

const NONE =
  'No mappings yet. A mapping defines which rows of your tables become nodes and edges: build the first one.';

/** All mappings; the filters are in the URL. */
export const MappingsPage = () => {
  const { search, owner } = useSearch({ from: '/mappings' });
  const navigate = useNavigate();
  const { username } = useSession();
  const favorites = useFavorites('mapping');
  const isFiltered = search !== undefined || owner !== undefined;
  return (
    <>
      <Group justify="space-between" mb="md">
        <PageTitle>Mappings</PageTitle>
        <Button onClick={() => void navigate({ to: '/mappings/new' })}>New mapping</Button>
      </Group>
      <ListFilters username={username} />
      <FavoriteCards
        query={useMappings({ search, owner })}
        {...favorites}
        to="/mappings/$id"
        empty={isFiltered ? 'No mapping matches the filters.' : NONE}
      >
        {(mapping) => (
          <>
            <p className="facts">
              <bdi>{mapping.owner_username}</bdi>
              <span>version {mapping.current_version}</span>
              <span>{counted(mapping.snapshot_count, 'snapshot')}</span>
              <span>changed {age(mapping.updated_at)} ago</span>
            </p>
            <bdi className="description">{mapping.description}</bdi>
          </>
        )}
      </FavoriteCards>
    </>
  );
};
