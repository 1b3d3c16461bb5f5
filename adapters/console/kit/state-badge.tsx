import { Badge } from '@mantine/core';

const BADGES: Readonly<Record<string, readonly [words: string, color: string]>> = {
  running: ['running', 'green'],
  starting: ['starting', 'blue'],
  waiting_for_snapshot: ['exporting', 'blue'],
  stopping: ['stopping', 'gray'],
  failed: ['failed', 'red'],
  // The states of snapshots.
  creating: ['exporting', 'blue'],
  ready: ['ready', 'green'],
};

/** The state of a graph or snapshot as a coloured word. */
export const StateBadge = ({ status }: { readonly status: string }) => {
  const [words, color] = BADGES[status] ?? [status, 'gray'];
  return (
    <span className={`state state-${color}`}>
      <Badge component="span" circle size="8px" color={color} variant="filled" aria-hidden />
      {words}
    </span>
  );
};
