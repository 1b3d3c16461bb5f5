import { useState } from 'react';
import { createTheme, MantineProvider } from '@mantine/core';
import { QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { ApiError } from '../api/failure';
import { type Session } from '../api/session';
import { SessionContext } from '../api/session-context';
import { SignInPage } from '../pages/sign-in/sign-in-page';
import { router } from './router';

const theme = createTheme({
  primaryColor: 'cyan',
  primaryShade: 9,
  defaultRadius: 'md',
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif',
  headings: { fontWeight: '650' },
});

/** The whole page: signing in, and everything behind it. */
export const Console = () => {
  const [session, setSession] = useState<Session | null>(null);
  const [cache] = useState(
    () =>
      new QueryClient({
        defaultOptions: { queries: { retry: false, staleTime: 1_000 } },
        // The page asks again who is there; what was typed is kept.
        queryCache: new QueryCache({
          onError: (error) => error instanceof ApiError && error.isSignedOut && setSession(null),
        }),
      }),
  );
  return (
    <MantineProvider theme={theme} defaultColorScheme="auto">
      <QueryClientProvider client={cache}>
        {session === null ? (
          <SignInPage
            onSignedIn={(signedIn, next) => {
              cache.clear();
              setSession(signedIn);
              if (next !== null) void router.navigate(next);
            }}
          />
        ) : (
          <SessionContext value={session}>
            <RouterProvider router={router} context={{ signOut: () => setSession(null) }} />
          </SessionContext>
        )}
      </QueryClientProvider>
    </MantineProvider>
  );
};
