import { type ReactNode } from 'react';
import { Title } from '@mantine/core';

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
