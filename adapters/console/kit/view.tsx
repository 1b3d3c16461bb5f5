import { Alert, Box, Button, Center, Loader, Title, type TitleProps, VisuallyHidden } from '@mantine/core';
import { type UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';

interface LoadedProps<T> {
  readonly query: UseQueryResult<T>;
  /** Title of a page until its data has one. */
  readonly heading?: string;
  readonly children: (data: T) => ReactNode;
}

/** The data, a loading indicator or the error; existing data is shown while it is read again. */
export const Loaded = <T,>({ query, heading, children }: LoadedProps<T>) => {
  const { data, isPending, isFetching, refetch } = query;
  // The error of the last attempt is shown until the next one has ended.
  const [last, setLast] = useState(query.error);
  useEffect(() => {
    if (!isFetching) setLast(query.error);
  }, [isFetching, query.error]);
  const error = query.error ?? (isPending ? last : null);
  const title = error !== null && 'isUnknown' in error && error.isUnknown === true ? 'Deleted' : 'Failed to refresh';
  return (
    <>
      {heading !== undefined && data === undefined && <VisuallyHidden component="h1">{heading}</VisuallyHidden>}
      {error !== null && (
        <Problem error={error} title={data === undefined ? 'Failed to load' : title}>
          <Button size="xs" variant="default" onClick={() => void refetch()}>
            Try again
          </Button>
        </Problem>
      )}
      {isPending && error === null && (
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
    {children !== undefined && <Box mt={10}>{children}</Box>}
  </Alert>
);

interface WarningsProps {
  readonly texts: readonly string[];
}

/** Warnings about an answer or a run. */
export const Warnings = ({ texts }: WarningsProps) =>
  texts.map((text) => (
    <Alert key={text} color="yellow" variant="light" mb="xs" title="Warning">
      <bdi>{text}</bdi>
    </Alert>
  ));

interface RestProps {
  readonly shown: number;
  readonly page: { readonly total: number } | null;
  /** Whether the page has a search for the others. */
  readonly hasSearch?: boolean;
}

/** Number of items of a list that are not shown, if any. */
export const Rest = ({ shown, page, hasSearch = true }: RestProps) =>
  page !== null && page.total > shown ? (
    <p className="dimmed">
      The first {shown} of {page.total}
      {hasSearch && '; search for the others'}.
    </p>
  ) : null;

/** The heading of a page. */
export const PageTitle = (props: Omit<TitleProps, 'order' | 'size'>) => <Title order={1} size="h2" {...props} />;

interface SectionProps {
  readonly title: string;
  readonly note?: ReactNode;
  readonly children: ReactNode;
}

/** A titled section of a page. */
export const Section = ({ title, note, children }: SectionProps) => (
  <section className="panel" aria-label={title}>
    <Title order={2} size="h4" mb="xs">
      <bdi>{title}</bdi>
    </Title>
    {note !== undefined && <p className="dimmed">{note}</p>}
    {children}
  </section>
);

interface BranchProps {
  readonly title: ReactNode;
  readonly startsOpen?: boolean;
  /** Rendered when it is opened. */
  readonly children: () => ReactNode;
}

/** A collapsible part of a page; its data is read only when it is open. */
export const Branch = ({ title, startsOpen = false, children }: BranchProps) => {
  const [isOpen, setOpen] = useState(startsOpen);
  return (
    <details className="branch" open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{title}</summary>
      {isOpen && children()}
    </details>
  );
};
