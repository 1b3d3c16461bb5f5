import { Group, SegmentedControl } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type ReactNode } from 'react';
import { SearchField } from './field';

interface ListFiltersProps {
  /** The signed-in user. */
  readonly username: string;
  readonly children?: ReactNode;
}

/** Filters of a list by text and owner, in the URL. */
export const ListFilters = ({ username, children }: ListFiltersProps) => {
  const { search, owner = '' } = useSearch({ strict: false });
  const filter = useFilter();
  return (
    <Group mb="lg" gap="sm" role="search">
      <SearchField
        aria-label="Search"
        placeholder="Search"
        text={search}
        onChange={(text) => filter({ search: text })}
      />
      {children}
      <SegmentedControl
        aria-label="Owner"
        data={[
          { value: '', label: 'All' },
          { value: username, label: 'Mine' },
          ...(owner === '' || owner === username ? [] : [{ value: owner, label: `Owner: ${owner}` }]),
        ]}
        value={owner}
        onChange={(value) => filter({ owner: value || undefined })}
      />
    </Group>
  );
};

/** Changes search parameters of the page; `undefined` removes one. */
export const useFilter = () => {
  const navigate = useNavigate();
  return (change: Readonly<Record<string, string | undefined>>): void =>
    void navigate({ to: '.', search: (before) => ({ ...before, ...change }), replace: true });
};
