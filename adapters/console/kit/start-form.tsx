import { type ReactNode, useState } from 'react';
import { Button, Group, NumberInput } from '@mantine/core';
import { KindSelect, type Kind } from './kind-select';
import { Field } from './field';

/** Settings of a graph to start. */
export interface StartRequest {
  readonly name: string;
  readonly wrapper_type: Kind;
  readonly cpu_cores: number;
  /** Null: the default. */
  readonly ttl: string | null;
}

interface StartFormProps {
  /** The default name; null: the source of the graph is not chosen yet. */
  readonly name: string | null;
  readonly isBusy: boolean;
  readonly onStart: (request: StartRequest) => void;
  readonly children?: ReactNode;
}

/** Name, kind and size of a graph to start. */
export const StartForm = ({ name: given, isBusy, onStart, children }: StartFormProps) => {
  const [name, setName] = useState('');
  const [kind, setKind] = useState<Kind>('graphdb_a');
  const [cores, setCores] = useState<number | string>(2);
  const [hours, setHours] = useState<number | string>('');
  const start = (): void =>
    onStart({
      name: name.trim() || (given ?? ''),
      wrapper_type: kind,
      cpu_cores: Number(cores) || 2,
      ttl: lifetimeOf(hours, HOUR),
    });
  return (
    <Group align="end" mt="sm">
      {children}
      <Field label="Name" placeholder={given ?? ''} value={name} onChange={setName} />
      <KindSelect value={kind} onChange={setKind} />
      <NumberInput label="CPU cores" min={1} max={8} value={cores} onChange={setCores} w={100} />
      <NumberInput label="Lifetime, hours" placeholder="default" min={1} value={hours} onChange={setHours} w={130} />
      <Button onClick={start} disabled={given === null} loading={isBusy}>
        Start
      </Button>
    </Group>
  );
};

const ISO = /^P(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/;

/** Units of a field, in hours. */
export const HOUR = 1;
export const DAY = 24;

/** Converts a lifetime of the API, such as `P7D` or `PT36H`, to the number in a field; empty: none. */
export const amountOf = (lifetime: string | null, unit: number): number | '' => {
  const found = ISO.exec(lifetime ?? '');
  if (found === null) return '';
  const [weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = found.slice(1).map((part) => Number(part || 0));
  return (weeks * 168 + days * 24 + hours + minutes / 60 + seconds / 3600) / unit;
};

/** Null: the configured default. */
export const lifetimeOf = (amount: number | string, unit: number): string | null => {
  if (amount === '') return null;
  const hours = Number(amount) * unit;
  if (hours % DAY === 0) return `P${hours / DAY}D`;
  return Number.isInteger(hours) ? `PT${hours}H` : `PT${Math.round(hours * 60)}M`;
};
