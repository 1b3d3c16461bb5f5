import { ActionIcon } from '@mantine/core';

interface FavoriteButtonProps {
  readonly name: string;
  readonly isFavorite: boolean;
  readonly onChange: (on: boolean) => void;
}

/** Makes something a favorite of the user, or no longer. */
export const FavoriteButton = ({ name, isFavorite, onChange }: FavoriteButtonProps) => (
  <ActionIcon
    variant="subtle"
    color={isFavorite ? 'yellow' : 'gray'}
    aria-label={`Favorite: ${name}`}
    aria-pressed={isFavorite}
    onClick={() => onChange(!isFavorite)}
  >
    {isFavorite ? '★' : '☆'}
  </ActionIcon>
);
