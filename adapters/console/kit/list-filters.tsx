import { type ReactNode } from 'react';
import { Group, SegmentedControl } from '@mantine/core';
import { SearchField } from './search-field';

interface Filter {
  readonly search?: string | undefined;
  readonly owner?: string | undefined;
}

interface ListFiltersProps extends Filter {
  readonly username: string;
  readonly onChange: (change: Filter) => void;
  /** Other filters. */
  readonly children?: ReactNode;
}

/** Filters of a list by text and owner. */
export const ListFilters = ({ search, owner, username, onChange, children }: ListFiltersProps) => (
  <Group mb="lg" gap="sm" role="search">
    <SearchField
      aria-label="Search"
      placeholder="Search"
      text={search}
      onChange={(text) => onChange({ search: text })}
    />
    {children}
    <SegmentedControl
      aria-label="Owner"
      data={[
        { value: 'all', label: 'All' },
        { value: 'mine', label: 'Mine' },
      ]}
      value={owner === username ? 'mine' : 'all'}
      onChange={(value) => onChange({ owner: value === 'mine' ? username : undefined })}
    />
  </Group>
);
