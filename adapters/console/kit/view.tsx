import { type ReactNode } from 'react';
import { Alert, Button, Center, Loader } from '@mantine/core';
import { type UseQueryResult } from '@tanstack/react-query';

interface LoadedProps<T> {
  readonly query: UseQueryResult<T>;
  readonly children: (data: T) => ReactNode;
}

/** The data, a loading indicator or the error; existing data is shown while it is read again. */
export const Loaded = <T,>({ query, children }: LoadedProps<T>) => {
  const { data, error, isPending, refetch } = query;
  return (
    <>
      {error !== null && (
        <Problem error={error} title={data === undefined ? 'This cannot be shown' : 'Not up to date'}>
          <Button size="xs" variant="default" onClick={() => void refetch()}>
            Try again
          </Button>
        </Problem>
      )}
      {isPending && (
        <Center py="xl" role="status" aria-label="Loading">
          <Loader size="sm" />
        </Center>
      )}
      {data !== undefined && children(data)}
    </>
  );
};

interface ProblemProps {
  readonly error: Error;
  readonly title: string;
  readonly children?: ReactNode;
}

/** An error with its unchanged message. */
export const Problem = ({ error, title, children }: ProblemProps) => (
  <Alert color="red" variant="light" title={title} role="alert" mb="md">
    <bdi className="error-text">{error.message}</bdi>
    {children !== undefined && <div className="error-actions">{children}</div>}
  </Alert>
);
