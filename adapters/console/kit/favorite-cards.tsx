import { ActionIcon, Card, Group } from '@mantine/core';
import { type UseQueryResult } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode } from 'react';
import { Loaded, Problem, Rest } from './view';

interface Item {
  readonly id: number;
  readonly name: string;
}

interface FavoriteCardsProps<T> {
  readonly query: UseQueryResult<{ readonly data: readonly T[]; readonly page: { readonly total: number } | null }>;
  readonly favorites: ReadonlySet<number>;
  readonly setFavorite: (change: { readonly id: number; readonly on: boolean }) => void;
  readonly favoritesError: Error | null;
  readonly to: '/graphs/$id' | '/mappings/$id';
  /** Shown instead of an empty list. */
  readonly empty: string;
  /** The content of a card below its name. */
  readonly children: (item: T) => ReactNode;
}

/** A list of the API as cards, the user's favorites first. */
export const FavoriteCards = <T extends Item>(props: FavoriteCardsProps<T>) => {
  const { query, favorites, setFavorite, favoritesError, to, empty, children } = props;
  const rank = ({ id }: T): number => (favorites.has(id) ? 0 : 1);
  return (
    <Loaded query={query}>
      {({ data, page }) => (
        <>
          {favoritesError !== null && <Problem error={favoritesError} title="Failed to update favorites" />}
          {data.length === 0 && <p>{empty}</p>}
          <div className="cards">
            {[...data]
              .sort((a, b) => rank(a) - rank(b))
              .map((item) => (
                <Card key={item.id} withBorder component="article" className="graph-card" bg="var(--panel)">
                  <Group justify="space-between" align="start" gap={8} wrap="nowrap">
                    <h2>
                      <Link to={to} params={{ id: item.id }}>
                        <bdi>{item.name}</bdi>
                      </Link>
                    </h2>
                    <ActionIcon
                      variant="subtle"
                      color={favorites.has(item.id) ? 'yellow' : 'gray'}
                      aria-label={`Favorite: ${item.name}`}
                      aria-pressed={favorites.has(item.id)}
                      onClick={() => setFavorite({ id: item.id, on: !favorites.has(item.id) })}
                    >
                      {favorites.has(item.id) ? '★' : '☆'}
                    </ActionIcon>
                  </Group>
                  {children(item)}
                </Card>
              ))}
          </div>
          <Rest shown={data.length} page={page} />
        </>
      )}
    </Loaded>
  );
};
