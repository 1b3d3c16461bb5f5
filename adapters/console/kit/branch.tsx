import { type ReactNode, useState } from 'react';

interface BranchProps {
  readonly title: ReactNode;
  readonly startsOpen?: boolean;
  /** Made when it is opened. */
  readonly children: () => ReactNode;
}

/** A part of a page that opens; what is in it is read only then. */
export const Branch = ({ title, startsOpen = false, children }: BranchProps) => {
  const [isOpen, setOpen] = useState(startsOpen);
  return (
    <details className="branch" open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{title}</summary>
      {isOpen && children()}
    </details>
  );
};
