import { useEffect } from 'react';
import { Anchor, Badge, Button, Group } from '@mantine/core';
import { Link, Outlet, useMatches, useRouteContext } from '@tanstack/react-router';
import { clearUsername } from '../api/session';
import { Palette } from './palette';
import { useSession } from '../api/session-context';

export interface ShellContext {
  readonly signOut: () => void;
}

/** The frame of every page. */
export const Shell = () => {
  const { username, role, mode } = useSession();
  const { signOut } = useRouteContext({ from: '__root__' });
  const { staticData, params } = useMatches().at(-1) ?? {};
  const title = `${[staticData?.title, ...Object.values(params ?? {})].join(' ')} · rowgraph`;
  useEffect(() => void (document.title = title), [title]);
  return (
    <>
      <header className="top">
        <Link to="/" className="brand" search={{}}>
          <svg viewBox="0 0 32 32" width="24" height="24" aria-hidden="true">
            <path d="M9 23 16 9l8 11" fill="none" stroke="currentColor" strokeWidth="2" />
            <circle cx="9" cy="23" r="4.5" fill="currentColor" />
            <circle cx="16" cy="9" r="4.5" fill="currentColor" />
            <circle cx="24" cy="20" r="4.5" fill="#f59f00" />
          </svg>
          rowgraph
        </Link>
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
            <Button
              size="compact-sm"
              variant="subtle"
              onClick={() => {
                clearUsername();
                signOut();
              }}
            >
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
