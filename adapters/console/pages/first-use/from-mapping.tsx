import { useState } from 'react';
import { Button, Group, NumberInput, Select, TextInput, Title } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { type GraphRequest, startGraph, useAllowance, useChange, useMappings } from '../../api/graphs';
import { KindSelect, type Kind } from '../../kit/kind-select';
import { Loaded, Problem } from '../../kit/view';

/** Starts another graph of a mapping. Shown only when there is one. */
export const FromMapping = () => {
  const mappings = useMappings();
  const allowance = useAllowance();
  const navigate = useNavigate();
  const [mapping, setMapping] = useState<string | null>(null);
  const [name, setName] = useState('');
  const [kind, setKind] = useState<Kind>('graphdb_a');
  const [cores, setCores] = useState<number | string>(2);
  const [hours, setHours] = useState<number | string>('');
  const starting = useChange(async (api, body: GraphRequest) => {
    const id = await startGraph(api, body);
    await navigate({ to: '/graphs/$id', params: { id: String(id) } });
  });
  if (mappings.data?.length === 0) return null;
  const chosen = mappings.data?.find(({ id }) => String(id) === mapping);
  const start = (): void => {
    if (chosen === undefined) return;
    const body = {
      mapping_id: chosen.id,
      name: name.trim() || chosen.name,
      wrapper_type: kind,
      cpu_cores: Number(cores) || 2,
      ...(hours === '' ? {} : { ttl: `PT${hours}H` }),
    };
    starting.mutate(body);
  };
  return (
    <section className="panel" aria-labelledby="from-mapping">
      <Title order={2} size="h4" id="from-mapping">
        From a mapping
      </Title>
      {starting.error !== null && <Problem error={starting.error} title="The graph could not be started" />}
      <Loaded query={mappings}>
        {(all) => (
          <Group align="end" mt="sm">
            <Select
              label="Mapping"
              placeholder="Choose one"
              searchable
              data={all.map((one) => ({
                value: String(one.id),
                label: `${one.name} · version ${one.current_version}`,
              }))}
              value={mapping}
              onChange={setMapping}
            />
            <TextInput
              label="Name"
              placeholder={chosen?.name ?? ''}
              value={name}
              onChange={({ currentTarget }) => setName(currentTarget.value)}
            />
            <KindSelect value={kind} onChange={setKind} />
            <NumberInput label="CPU cores" min={1} max={8} value={cores} onChange={setCores} w={100} />
            <NumberInput
              label="Lifetime, hours"
              placeholder="default"
              min={1}
              value={hours}
              onChange={setHours}
              w={130}
            />
            <Button onClick={start} disabled={chosen === undefined} loading={starting.isPending}>
              Start
            </Button>
          </Group>
        )}
      </Loaded>
      {allowance.data !== undefined && (
        <p className="dimmed">
          You have {allowance.data.active_instances} of {allowance.data.instance_limit} graphs.
        </p>
      )}
    </section>
  );
};
