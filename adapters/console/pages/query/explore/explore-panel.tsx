import { useComputedColorScheme } from '@mantine/core';
import { useMemo, useState } from 'react';
import { type Address, type GraphAnswer, type useSchema } from '../../../api/queries';
import { type Appearance, MAX_CAPTION } from '../../../graph/appearance';
import { type DrawnEdge, type DrawnGraph, type DrawnNode } from '../../../graph/exploration';
import { GraphView, type NodeRequest } from '../../../graph/graph-view';
import { count, counted, truncate } from '../../../kit/format';
import { ResultTable } from '../../../kit/result-table';
import { Problem } from '../../../kit/view';
import { ExploreBar } from './explore-bar';
import { SelectedPanel } from './selected-panel';
import { useExploration } from './use-exploration';
import { useVisible } from './use-visible';

interface ExplorePanelProps {
  readonly address: Address;
  readonly mappingId: number;
  readonly answer: GraphAnswer;
  readonly schema: ReturnType<typeof useSchema>['data'];
}

/** The drawing of query results and expansions, with all actions on it. */
export const ExplorePanel = ({ mappingId, ...of }: ExplorePanelProps) => {
  const isDark = useComputedColorScheme('light') === 'dark';
  const { exploration, problem, connect, hide, ...explore } = useExploration(of);
  const { graph, appearance, style, change, total, ...visible } = useVisible(exploration, mappingId);
  const [selected, setSelected] = useState<DrawnNode | DrawnEdge | null>(null);
  const [pathFrom, setPathFrom] = useState<string | null>(null);
  const [request, setRequest] = useState<NodeRequest | null>(null);
  const [fits, setFits] = useState(0);
  const [isTable, setTable] = useState(false);
  const pins = useMemo(() => new Map(Object.entries(style.pins)), [style.pins]);

  const select = (item: DrawnNode | DrawnEdge | null): void => {
    setSelected(item);
    if (item === null || !('label' in item) || pathFrom === null) return;
    setPathFrom(null);
    if (pathFrom !== item.id) void connect(pathFrom, item.id);
  };
  const unpin = (id: string): void =>
    change({ pins: Object.fromEntries(Object.entries(style.pins).filter(([one]) => one !== id)) });
  const known = selected === null ? null : (exploration.nodes.get(selected.id) ?? exploration.edges.get(selected.id));
  return (
    <>
      {problem !== null && <Problem error={problem} title="Failed to extend the drawing" />}
      <ExploreBar
        graph={graph}
        style={style}
        appearance={appearance}
        onStyle={change}
        onFind={(node) => {
          select(node);
          setRequest({ action: 'focus', id: node.id });
        }}
        onFit={() => setFits(fits + 1)}
        hiddenCount={exploration.hidden.size}
        onShowHidden={explore.showHidden}
        isTable={isTable}
        onTable={setTable}
        isKept={explore.isKept}
        onKeep={explore.keep}
      />
      {pathFrom !== null && (
        <p className="explore-hint" role="status">
          Choose the end node of the path from <bdi>{truncate(pathFrom, MAX_CAPTION)}</bdi>.{' '}
          <button type="button" className="link" onClick={() => setPathFrom(null)}>
            Cancel
          </button>
        </p>
      )}
      <div className="drawing" hidden={isTable}>
        <GraphView
          {...{ graph, appearance, pins, isDark, request, fits }}
          layout={style.layout}
          selectedId={selected?.id ?? null}
          onSelect={select}
          onPin={(id, place) => change({ pins: { ...style.pins, [id]: place } })}
        />
        <Legend
          title={style.colourBy ?? 'Labels'}
          appearance={appearance}
          off={visible.off}
          onChange={visible.setOff}
        />
        <p className="drawing-count" data-testid="drawn">
          {graph.nodes.length < total && `${count(graph.nodes.length)} of `}
          {counted(total, 'node')}, {counted(graph.edges.length, 'edge')}
        </p>
        {known != null && (
          <SelectedPanel
            key={known.id}
            item={known}
            isPinned={pins.has(known.id)}
            onCount={explore.count}
            onExpand={explore.expand}
            onHide={(id) => {
              hide(id);
              setSelected(null);
            }}
            onPin={(id) => setRequest({ action: 'pin', id })}
            onUnpin={unpin}
            onPath={setPathFrom}
          />
        )}
      </div>
      {isTable && <ResultTable {...drawnRows(graph)} />}
      {visible.next !== null && (
        <button type="button" className="more" onClick={visible.drawNext}>
          Draw {visible.isMany ? `all ${count(visible.next)} (may be slow)` : count(visible.next)}
        </button>
      )}
    </>
  );
};

interface Rows {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
}

/** A drawing as rows: its nodes with their properties, then its edges with their ends. */
const drawnRows = ({ nodes, edges }: DrawnGraph): Rows => {
  const names = [...new Set([...nodes, ...edges].flatMap(({ properties }) => Object.keys(properties)))];
  const valuesOf = (properties: Readonly<Record<string, unknown>>) => names.map((name) => properties[name]);
  return {
    columns: ['label or type', 'id', 'from', 'to', ...names],
    rows: [
      ...nodes.map(({ label, id, properties }) => [label, id, null, null, ...valuesOf(properties)]),
      ...edges.map(({ type, id, from, to, properties }) => [type, id, from, to, ...valuesOf(properties)]),
    ],
  };
};

interface LegendProps {
  readonly title: string;
  readonly appearance: Appearance;
  /** Keys of entries whose nodes are hidden. */
  readonly off: ReadonlySet<string>;
  readonly onChange: (off: ReadonlySet<string>) => void;
}

/** The meaning of the colours; a click on an entry hides or shows its nodes. */
const Legend = ({ title, appearance, off, onChange }: LegendProps) => {
  const toggle = (key: string): void => {
    const next = new Set(off);
    if (!next.delete(key)) next.add(key);
    onChange(next);
  };
  return (
    <div className="drawing-legend" role="group" aria-label={title}>
      {appearance.legend.map(({ key, colour, count }) => (
        <button key={key} type="button" aria-pressed={!off.has(key)} onClick={() => toggle(key)}>
          <span className="dot" style={{ background: colour }} />
          <bdi>{truncate(key, MAX_CAPTION)}</bdi> <span className="dimmed">{count}</span>
        </button>
      ))}
    </div>
  );
};
