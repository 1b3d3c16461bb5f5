import { type ReactNode, useState } from 'react';

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
