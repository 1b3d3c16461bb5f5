import { type ReactNode } from 'react';
import { Group, SegmentedControl, TextInput } from '@mantine/core';

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
    <TextInput
      aria-label="Search"
      placeholder="Search"
      defaultValue={search ?? ''}
      onChange={({ currentTarget }) => onChange({ search: currentTarget.value || undefined })}
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
