import { Button, Group, NumberInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { Field } from './field';
import { type Kind, KindSelect } from './kind-select';
import { HOUR, lifetimeOf } from './lifetime';

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
