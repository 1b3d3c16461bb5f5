import { useState } from 'react';
import { Modal, Select } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { useNavigate } from '@tanstack/react-router';
import { useGraphs } from '../api/graphs';
import { useMappings } from '../api/mappings';
import { useSession } from '../api/session-context';

const PAGES = [
  { value: '/', label: 'Graphs' },
  { value: '/start', label: 'New graph' },
  { value: '/tables', label: 'Use my tables' },
  { value: '/data', label: 'Data' },
  { value: '/mappings', label: 'Mappings' },
  { value: '/mappings/new', label: 'New mapping' },
];

/** Opens a page, graph or mapping by its name: Ctrl-K, also from a text field. */
export const Palette = () => {
  const [isOpen, setOpen] = useState(false);
  useHotkeys([['mod+K', () => setOpen(true)]], [], true);
  return (
    <Modal opened={isOpen} onClose={() => setOpen(false)} withCloseButton={false} transitionProps={{ duration: 0 }}>
      <Modal.Title mb="xs">Go to</Modal.Title>
      {isOpen && <Places onChosen={() => setOpen(false)} />}
    </Modal>
  );
};

const Places = ({ onChosen }: { readonly onChosen: () => void }) => {
  const navigate = useNavigate();
  const graphs = useGraphs({}).data?.data ?? [];
  const { role } = useSession();
  const administration = role === 'analyst' ? [] : [{ value: '/administration', label: 'Administration' }];
  const mappings = useMappings({}).data?.data ?? [];
  return (
    <Select
      data-autofocus
      searchable
      defaultDropdownOpened
      aria-label="Page, graph or mapping"
      placeholder="Page, graph or mapping"
      nothingFoundMessage="No results."
      comboboxProps={{ withinPortal: false }}
      withScrollArea={false}
      styles={{ options: { maxHeight: 260, overflowY: 'auto', overflowWrap: 'anywhere' } }}
      renderOption={({ option }) => <bdi>{option.label}</bdi>}
      data={[
        ...PAGES,
        ...administration,
        ...graphs.map(({ id, name }) => ({ value: `/graphs/${id}`, label: `${name} (${id})` })),
        ...mappings.map(({ id, name }) => ({ value: `/mappings/${id}`, label: `${name} (mapping ${id})` })),
      ]}
      onChange={(to) => {
        onChosen();
        if (to !== null) void navigate({ to });
      }}
    />
  );
};
