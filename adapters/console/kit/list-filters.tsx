import { type ReactNode } from 'react';
import { Group, SegmentedControl } from '@mantine/core';
import { useSearch } from '@tanstack/react-router';
import { useSession } from '../api/session-context';
import { SearchField } from './search-field';
import { useFilter } from './use-filter';

/** Filters of a list by text and owner, in the URL. */
export const ListFilters = ({ children }: { readonly children?: ReactNode }) => {
  const { username } = useSession();
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
          ...(owner === '' || owner === username ? [] : [{ value: owner, label: `Of ${owner}` }]),
        ]}
        value={owner}
        onChange={(value) => filter({ owner: value || undefined })}
      />
    </Group>
  );
};
