import { type Appearance, MAX_CAPTION } from '../../../graph/appearance';
import { truncate } from '../../../kit/format';

interface LegendProps {
  readonly title: string;
  readonly appearance: Appearance;
  /** Keys of entries whose nodes are hidden. */
  readonly off: ReadonlySet<string>;
  readonly onChange: (off: ReadonlySet<string>) => void;
}

/** The meaning of the colours; a click on an entry hides or shows its nodes. */
export const Legend = ({ title, appearance, off, onChange }: LegendProps) => {
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
