import { useState } from 'react';
import { Select } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { type GraphRequest, startGraph, useQuota, useChange } from '../../api/graphs';
import { useMappings } from '../../api/mappings';
import { StartForm } from '../../kit/start-form';
import { Section } from '../../kit/section';
import { Loaded, Problem } from '../../kit/view';

/** Starts another graph of a mapping. Hidden without mappings. */
export const FromMapping = () => {
  const mappings = useMappings({});
  const quota = useQuota();
  const navigate = useNavigate();
  const [mapping, setMapping] = useState<string | null>(null);
  const starting = useChange(async (api, body: GraphRequest) => {
    const id = await startGraph(api, body);
    await navigate({ to: '/graphs/$id', params: { id } });
  });
  if (mappings.data?.data.length === 0) return null;
  const chosen = mappings.data?.data.find(({ id }) => String(id) === mapping);
  return (
    <Section title="From a mapping">
      {starting.error !== null && <Problem error={starting.error} title="The graph could not be started" />}
      <Loaded query={mappings}>
        {({ data }) => (
          <StartForm
            name={chosen?.name ?? null}
            isBusy={starting.isPending}
            onStart={(request) => {
              if (chosen !== undefined) starting.mutate({ mapping_id: chosen.id, ...request });
            }}
          >
            <Select
              label="Mapping"
              placeholder="Choose a mapping"
              searchable
              data={data.map((one) => ({
                value: String(one.id),
                label: `${one.name} · version ${one.current_version}`,
              }))}
              value={mapping}
              onChange={setMapping}
            />
          </StartForm>
        )}
      </Loaded>
      {quota.data !== undefined && (
        <p className="dimmed">
          You have {quota.data.data.active_instances} of {quota.data.data.instance_limit} graphs.
        </p>
      )}
    </Section>
  );
};
