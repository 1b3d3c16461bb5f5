import { Anchor, Badge, Button, Group, Modal, Select } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { Link, Outlet, useMatches, useNavigate, useRouteContext } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useGraphs } from '../api/graphs';
import { useMappings } from '../api/mappings';
import { endSession, useSession } from '../api/session';

export interface ShellContext {
  readonly signOut: () => void;
}

/** The frame of every page. */
export const Shell = () => {
  const session = useSession();
  const { username, role, mode } = session;
  const { signOut } = useRouteContext({ from: '__root__' });
  const { staticData, params } = useMatches().at(-1) ?? {};
  const title = `${[staticData?.title, ...Object.values(params ?? {})].join(' ')} · rowgraph`;
  useEffect(() => void (document.title = title), [title]);
  return (
    <>
      <header className="top">
        <Brand />
        <nav aria-label="Pages">
          <Link to="/" search={{}}>
            Graphs
          </Link>
          <Link to="/start">New</Link>
          <Link to="/data" search={{}}>
            Data
          </Link>
          <Link to="/mappings" search={{}}>
            Mappings
          </Link>
          {role !== 'analyst' && <Link to="/administration">Administration</Link>}
          <Anchor href="api/docs" c="inherit">
            API
          </Anchor>
        </nav>
        <Group gap="xs" wrap="nowrap" className="who">
          <bdi>{username}</bdi>
          {role !== 'analyst' && (
            <Badge variant="default" size="sm">
              {role}
            </Badge>
          )}
          {mode !== 'edge' && (
            <Button size="compact-sm" variant="subtle" onClick={() => void endSession(session).finally(signOut)}>
              Sign out
            </Button>
          )}
        </Group>
      </header>
      <Palette />
      <main className="page">
        <Outlet />
      </main>
    </>
  );
};

const Brand = () => (
  <Link to="/" className="brand" search={{}}>
    <svg viewBox="0 0 32 32" width="24" height="24" aria-hidden="true">
      <path d="M9 23 16 9l8 11" fill="none" stroke="currentColor" strokeWidth="2" />
      <circle cx="9" cy="23" r="4.5" fill="currentColor" />
      <circle cx="16" cy="9" r="4.5" fill="currentColor" />
      <circle cx="24" cy="20" r="4.5" fill="#f59f00" />
    </svg>
    rowgraph
  </Link>
);

const PAGES = [
  { value: '/', label: 'Graphs' },
  { value: '/start', label: 'New graph' },
  { value: '/tables', label: 'Use my tables' },
  { value: '/data', label: 'Data' },
  { value: '/mappings', label: 'Mappings' },
  { value: '/mappings/new', label: 'New mapping' },
];

/** Opens a page, graph or mapping by its name: Ctrl-K, also from a text field. */
const Palette = () => {
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
  const [text, setText] = useState('');
  const search = text.trim() || undefined;
  const graphs = useGraphs({ search }).data?.data ?? [];
  const { role } = useSession();
  const administration = role === 'analyst' ? [] : [{ value: '/administration', label: 'Administration' }];
  const mappings = useMappings({ search }).data?.data ?? [];
  return (
    <Select
      data-autofocus
      searchable
      searchValue={text}
      onSearchChange={setText}
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
