import { Loader, SegmentedControl, UnstyledButton } from '@mantine/core';
import { useState } from 'react';
import { type Kind, KINDS } from './kind-select';

interface ChoicesProps {
  readonly isBusy: boolean;
  /** Absent: the caller may not add the sample. */
  readonly onSample?: ((kind: Kind) => void) | undefined;
  readonly onTables: () => void;
}

/** Both ways to a first graph. */
export const Choices = ({ isBusy, onSample, onTables }: ChoicesProps) => {
  const [kind, setKind] = useState<Kind>('graphdb_a');
  return (
    <div className="choices">
      {onSample !== undefined && (
        <UnstyledButton className="choice" onClick={() => onSample(kind)} disabled={isBusy}>
          <svg viewBox="0 0 120 64" aria-hidden="true">
            <path d="M20 46 46 16 78 22 96 48 56 54Z" fill="none" stroke="currentColor" strokeWidth="2" />
            {[
              [20, 46],
              [46, 16],
              [78, 22],
              [96, 48],
              [56, 54],
            ].map(([x, y]) => (
              <circle key={x} cx={x} cy={y} r="7" />
            ))}
          </svg>
          <strong>Try the sample</strong>
          <span>Find circular payments in an invented bank with 51,000 nodes. Starts within seconds.</span>
          {isBusy && <Loader size="xs" role="status" aria-label="Starting" />}
        </UnstyledButton>
      )}
      <UnstyledButton className="choice" onClick={onTables} disabled={isBusy}>
        <svg viewBox="0 0 120 64" aria-hidden="true">
          <rect x="12" y="10" width="40" height="44" rx="4" fill="none" stroke="currentColor" strokeWidth="2" />
          <path d="M12 22h40M12 33h40M12 44h40M28 22v32" stroke="currentColor" strokeWidth="1.5" />
          <path d="M60 32h14m-5-5 5 5-5 5" fill="none" stroke="currentColor" strokeWidth="2" />
          <path d="m88 18 18 12-14 18" fill="none" stroke="currentColor" strokeWidth="2" />
          <circle cx="88" cy="18" r="6" />
          <circle cx="106" cy="30" r="6" />
          <circle cx="92" cy="48" r="6" />
        </svg>
        <strong>Use my tables</strong>
        <span>Choose tables of the warehouse. Keys and edges are suggested, and you can change them.</span>
      </UnstyledButton>
      {onSample !== undefined && (
        <div>
          <span className="dimmed">Kind of the sample </span>
          <SegmentedControl
            size="xs"
            aria-label="Kind of the sample"
            data={[...KINDS]}
            value={kind}
            onChange={setKind}
          />
        </div>
      )}
    </div>
  );
};
