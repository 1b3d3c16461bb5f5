import { ActionIcon } from '@mantine/core';

interface FavoriteButtonProps {
  readonly name: string;
  readonly isFavorite: boolean;
  readonly onChange: (on: boolean) => void;
}

/** Adds or removes a favorite of the user. */
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
