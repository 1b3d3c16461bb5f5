import { Group, Select, TextInput } from '@mantine/core';
import { useSearch } from '@tanstack/react-router';
import { AuditedRole, AuditedType, EventType, useAuditTrail, useCausesOf } from '../../api/audit';
import { EventPages } from '../../kit/event-pages';
import { SearchField } from '../../kit/field';
import { localTimeOf, timeOf } from '../../kit/format';
import { useFilter } from '../../kit/list-filters';

const TEXTS = { actor: 'Actor', resource_id: 'Resource id', correlation_id: 'Request id' } as const;
const CHOICES = {
  resource_type: { label: 'Kind of resource', values: AuditedType.keys },
  type: { label: 'Event', values: EventType.keys },
  role: { label: 'Role', values: AuditedRole.keys },
} as const;
const TIMES = { from: 'From', to: 'To' } as const;

/** All events, newest first; the filters are in the URL. */
export const AuditPanel = () => {
  const search = useSearch({ from: '/administration' });
  const change = useFilter();
  const filter = (name: string, value: string | null | undefined): void =>
    change({ [name]: value ?? undefined, cursor: undefined });
  const { actor, role, type, resource_type, resource_id, correlation_id, from, to, cursor } = search;
  const trail = useAuditTrail({
    ...{ actor, resource_id, correlation_id, cursor, from: timeOf(from), to: timeOf(to) },
    resource_type: AuditedType.is(resource_type) ? resource_type : undefined,
    type: EventType.is(type) ? type : undefined,
    role: AuditedRole.is(role) ? role : undefined,
  });
  return (
    <>
      <Group mb="md" gap="sm" role="search">
        {namesOf(TEXTS).map((name) => (
          <SearchField
            key={name}
            aria-label={TEXTS[name]}
            placeholder={TEXTS[name]}
            text={search[name]}
            onChange={(text) => filter(name, text)}
          />
        ))}
        {namesOf(CHOICES).map((name) => (
          <Select
            key={name}
            aria-label={CHOICES[name].label}
            placeholder={CHOICES[name].label}
            searchable
            clearable
            clearButtonProps={{ 'aria-label': `Any ${CHOICES[name].label.toLowerCase()}` }}
            data={Object.keys(CHOICES[name].values).map((value) => ({ value, label: value.replace('_', ' ') }))}
            value={search[name] ?? null}
            onChange={(value) => filter(name, value)}
          />
        ))}
        {namesOf(TIMES).map((name) => (
          <TextInput
            key={name}
            type="datetime-local"
            aria-label={TIMES[name]}
            leftSection={<span aria-hidden>{TIMES[name]}</span>}
            leftSectionWidth={52}
            value={localTimeOf(timeOf(search[name]))}
            onChange={({ currentTarget }) => filter(name, timeOf(currentTarget.value)?.toISOString())}
          />
        ))}
      </Group>
      <EventPages
        label="Events"
        trail={trail}
        cursor={cursor}
        onPage={(next) => change({ cursor: next })}
        useCausesOf={useCausesOf}
        columns={{
          resource: ({ resource_type: kind, resource_id: id }) => `${kind.replace('_', ' ')} ${id}`,
          request: (event) => event.correlation_id,
        }}
      />
    </>
  );
};

const namesOf = <T extends object>(labels: T) => Object.keys(labels) as (keyof T)[];
