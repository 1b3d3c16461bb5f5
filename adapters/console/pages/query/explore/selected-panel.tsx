import { Button, Group } from '@mantine/core';
import { useState } from 'react';
import { type Neighbours, type Step } from '../../../api/exploration';
import { type DrawnEdge, type DrawnNode } from '../../../graph/exploration';
import { cellText, count, truncate } from '../../../kit/format';

interface SelectedPanelProps {
  readonly item: DrawnNode | DrawnEdge;
  readonly isPinned: boolean;
  readonly onCount: (id: string) => Promise<Neighbours['counts'] | null>;
  readonly onExpand: (ids: readonly string[], step: Step) => Promise<void>;
  readonly onHide: (id: string) => void;
  readonly onPin: (id: string) => void;
  readonly onUnpin: (id: string) => void;
  readonly onPath: (id: string) => void;
}

const MAX_VALUE = 2_000;

/** The properties of the selected item, and actions on a node. */
export const SelectedPanel = ({ item, ...actions }: SelectedPanelProps) => (
  <aside className="drawing-selected" aria-label="Selected">
    <strong>
      <bdi>{truncate('label' in item ? item.label : item.type, MAX_VALUE)}</bdi>
    </strong>
    <bdi className="dimmed">{truncate('label' in item ? item.id : `${item.from} → ${item.to}`, MAX_VALUE)}</bdi>
    {'label' in item && <NodeActions id={item.id} {...actions} />}
    <dl>
      {Object.entries(item.properties).map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <bdi>{truncate(cellText(value), MAX_VALUE)}</bdi>
          </dd>
        </div>
      ))}
    </dl>
  </aside>
);

const NodeActions = ({ id, ...rest }: Omit<SelectedPanelProps, 'item'> & { readonly id: string }) => {
  const { isPinned, onCount, onExpand, onHide, onPin, onUnpin, onPath } = rest;
  const [counts, setCounts] = useState<Neighbours['counts'] | null>(null);
  const [isBusy, setBusy] = useState(false);
  const busy = async (work: Promise<void>): Promise<void> => {
    setBusy(true);
    await work;
    setBusy(false);
  };
  const found = counts?.filter((one) => one.count > 0);
  return (
    <>
      <Group gap={6} mt={8}>
        <Button
          size="compact-xs"
          variant="default"
          loading={isBusy}
          aria-expanded={counts !== null}
          onClick={() => void busy(onCount(id).then(setCounts))}
        >
          Expand
        </Button>
        <Button size="compact-xs" variant="default" onClick={() => onPath(id)}>
          Path to …
        </Button>
        <Button size="compact-xs" variant="default" onClick={() => onHide(id)}>
          Hide
        </Button>
        <Button size="compact-xs" variant="default" onClick={() => (isPinned ? onUnpin : onPin)(id)}>
          {isPinned ? 'Unpin' : 'Pin'}
        </Button>
      </Group>
      {found?.length === 0 && <p className="dimmed">No neighbours.</p>}
      {found !== undefined && found.length > 0 && (
        <ul className="steps" aria-label="Neighbours by type">
          {found.map(({ type, direction, label, count: edges }) => (
            <li key={`${type} ${direction} ${label}`}>
              <button type="button" onClick={() => void busy(onExpand([id], { type, direction }))}>
                <bdi>{direction === 'out' ? `–${type}→ ${label}` : `←${type}– ${label}`}</bdi>
                <span className="dimmed">{count(edges)}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </>
  );
};
