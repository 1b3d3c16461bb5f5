import './mantine.css';
import './console.css';
import { createTheme, MantineProvider, Modal } from '@mantine/core';
import {
  focusManager,
  MutationCache,
  type Query,
  QueryCache,
  QueryClient,
  QueryClientProvider,
} from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode, useEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { ApiError } from '../api/failure';
import { LIVE_MS } from '../api/graphs';
import { type Session, SessionContext } from '../api/session';
import { type Next, SignIn, SignInPage } from '../pages/sign-in/sign-in-page';
import { router } from './router';

const theme = createTheme({
  primaryColor: 'cyan',
  primaryShade: 9,
  defaultRadius: 'md',
  respectReducedMotion: true,
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif',
  headings: { fontWeight: '650' },
});

/** Polls again after a failure that may end by itself. */
const untilAnswered = ({ state: { error } }: Query): number | false =>
  error instanceof ApiError && error.isTemporary && LIVE_MS;

/** The whole page: the sign-in, and the pages after it. */
const Console = () => {
  const [session, setSession] = useState<Session | null>(null);
  const [isOver, setOver] = useState(false);
  const [cache] = useState(() => {
    const onError = (error: Error): void => {
      if (error instanceof ApiError && error.isSignedOut) setOver(true);
    };
    return new QueryClient({
      defaultOptions: {
        queries: { retry: false, staleTime: 1_000, networkMode: 'always', refetchInterval: untilAnswered },
      },
      queryCache: new QueryCache({ onError }),
      mutationCache: new MutationCache({ onError }),
    });
  });
  // Data is not polled until the caller is authenticated.
  useEffect(() => focusManager.setFocused(isOver ? false : undefined), [isOver]);
  // Once the pages send the new credentials.
  useEffect(() => {
    if (session !== null) void cache.invalidateQueries();
  }, [cache, session]);
  const enter = (signedIn: Session, next: Next | null): void => {
    if (signedIn.username !== session?.username) cache.clear();
    setOver(false);
    setSession(signedIn);
    if (next !== null) void router.navigate(next);
  };
  return (
    <MantineProvider theme={theme} defaultColorScheme="auto">
      <QueryClientProvider client={cache}>
        {session === null ? (
          <SignInPage onSignedIn={enter} />
        ) : (
          <SessionContext value={session}>
            <RouterProvider key={session.username} router={router} context={{ signOut: () => setSession(null) }} />
            <Modal
              opened={isOver}
              onClose={() => setSession(null)}
              withCloseButton={false}
              transitionProps={{ duration: 0 }}
            >
              <Modal.Title>Your session has ended</Modal.Title>
              <p className="dimmed">Your unsaved input is kept.</p>
              <SignIn onSignedIn={enter} />
            </Modal>
          </SessionContext>
        )}
      </QueryClientProvider>
    </MantineProvider>
  );
};

const root = document.getElementById('root');
if (root !== null) {
  createRoot(root).render(
    <StrictMode>
      <Console />
    </StrictMode>,
  );
}
