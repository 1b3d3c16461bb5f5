import { Select, Stack, Text, Title } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { type GraphRequest, startGraph, startSample, useChange, useQuota } from '../../api/graphs';
import { useMappings } from '../../api/mappings';
import { useSession } from '../../api/session';
import { type Data } from '../../api/use-answer';
import { Choices } from '../../kit/choices';
import { type Kind } from '../../kit/kind-select';
import { StartForm } from '../../kit/start-form';
import { Loaded, Problem, Section } from '../../kit/view';

/** The ways to a graph: the sample, tables, and existing mappings. */
export const FirstUsePage = () => {
  const { role } = useSession();
  const navigate = useNavigate();
  // Not as a callback of `mutate`: as soon as there is a graph, the list replaces this page.
  const sample = useChange(async (api, kind: Kind) => {
    const id = await startSample(api, kind);
    await navigate({ to: '/graphs/$id', params: { id } });
  });
  return (
    <Stack gap={18}>
      <Title order={1}>Start a graph</Title>
      <Text c="dimmed" maw={620}>
        A graph is a separate database that is loaded from your tables and deleted when unused.
      </Text>
      {sample.error !== null && <Problem error={sample.error} title="The sample could not be started" />}
      <Choices
        isBusy={sample.isPending}
        onSample={role === 'analyst' ? undefined : sample.mutate}
        onTables={() => void navigate({ to: '/tables' })}
      />
      <FromMapping />
    </Stack>
  );
};

type Mapping = Data<'listMappings'>[number];

const labelOf = ({ name, current_version }: Mapping): string => `${name} · version ${current_version}`;

/** Starts another graph of a mapping. Hidden without mappings. */
const FromMapping = () => {
  const [chosen, setChosen] = useState<Mapping | null>(null);
  const [text, setText] = useState('');
  const isSearch = chosen === null || text !== labelOf(chosen);
  const mappings = useMappings({});
  const found = useMappings({ search: (isSearch && text.trim()) || undefined }).data?.data ?? [];
  const quota = useQuota();
  const navigate = useNavigate();
  const starting = useChange(async (api, body: GraphRequest) => {
    const id = await startGraph(api, body);
    await navigate({ to: '/graphs/$id', params: { id } });
  });
  if (mappings.data?.data.length === 0) return null;
  return (
    <Section title="From a mapping">
      {starting.error !== null && <Problem error={starting.error} title="The graph could not be started" />}
      <Loaded query={mappings}>
        {() => (
          <StartForm
            name={chosen?.name ?? null}
            isBusy={starting.isPending}
            onStart={(request) => {
              if (chosen !== null) starting.mutate({ mapping_id: chosen.id, ...request });
            }}
          >
            <Select
              label="Mapping"
              placeholder="Choose a mapping"
              searchable
              onSearchChange={setText}
              data={found.map((one) => ({ value: String(one.id), label: labelOf(one) }))}
              value={chosen === null ? null : String(chosen.id)}
              onChange={(id) => setChosen(found.find((one) => String(one.id) === id) ?? null)}
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
