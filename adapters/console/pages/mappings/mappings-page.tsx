import { Button, Card, Group, Title } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import { useFavorites } from '../../api/graphs';
import { type MappingFilter, type MappingSummary, useMappings } from '../../api/mappings';
import { useSession } from '../../api/session-context';
import { FavoriteButton } from '../../kit/favorite-button';
import { age, counted } from '../../kit/format';
import { ListFilters } from '../../kit/list-filters';
import { Rest } from '../../kit/rest';
import { Loaded } from '../../kit/view';

/** All mappings; the filters are in the URL. */
export const MappingsPage = ({ search: { search, owner } }: { readonly search: MappingFilter }) => {
  const { username } = useSession();
  const navigate = useNavigate();
  const mappings = useMappings({ search, owner });
  const { favorites, setFavorite } = useFavorites('mapping');
  const isFiltered = search !== undefined || owner !== undefined;
  const filter = (change: MappingFilter): void =>
    void navigate({ to: '/mappings', search: { search, owner, ...change }, replace: true });
  return (
    <>
      <Group justify="space-between" mb="md">
        <Title order={1} size="h2">
          Mappings
        </Title>
        <Button onClick={() => void navigate({ to: '/mappings/new' })}>New mapping</Button>
      </Group>
      <ListFilters search={search} owner={owner} username={username} onChange={filter} />
      <Loaded query={mappings}>
        {({ data, page }) => {
          const rank = ({ id }: MappingSummary): number => (favorites.has(id) ? 0 : 1);
          return (
            <>
              {data.length === 0 && (
                <p>
                  {isFiltered
                    ? 'No mapping matches the filters.'
                    : 'No mappings yet. A mapping defines which rows of your tables become nodes and edges: build the first one.'}
                </p>
              )}
              <div className="cards">
                {[...data]
                  .sort((a, b) => rank(a) - rank(b))
                  .map((mapping) => (
                    <MappingCard
                      key={mapping.id}
                      mapping={mapping}
                      isFavorite={favorites.has(mapping.id)}
                      onFavorite={(on) => setFavorite({ id: mapping.id, on })}
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

interface MappingCardProps {
  readonly mapping: MappingSummary;
  readonly isFavorite: boolean;
  readonly onFavorite: (on: boolean) => void;
}

const MappingCard = ({ mapping, isFavorite, onFavorite }: MappingCardProps) => (
  <Card withBorder component="article" className="graph-card">
    <div className="graph-card-top">
      <h2>
        <Link to="/mappings/$id" params={{ id: String(mapping.id) }}>
          <bdi>{mapping.name}</bdi>
        </Link>
      </h2>
      <FavoriteButton name={mapping.name} isFavorite={isFavorite} onChange={onFavorite} />
    </div>
    <p className="facts">
      <bdi>{mapping.owner_username}</bdi>
      <span>version {mapping.current_version}</span>
      <span>{counted(mapping.snapshot_count, 'snapshot')}</span>
      <span>changed {age(mapping.updated_at)} ago</span>
    </p>
    <bdi className="description">{mapping.description}</bdi>
  </Card>
);
