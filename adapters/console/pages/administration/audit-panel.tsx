import { Group, Select } from '@mantine/core';
import { useSearch } from '@tanstack/react-router';
import { AuditedType, useAuditTrail, useCausesOf } from '../../api/audit';
import { EventPages } from '../../kit/event-pages';
import { SearchField } from '../../kit/field';
import { useFilter } from '../../kit/list-filters';

const TEXTS = { actor: 'Actor', resource_id: 'Resource id', correlation_id: 'Request id' } as const;

/** All events, newest first; the filters are in the URL. */
export const AuditPanel = () => {
  const search = useSearch({ from: '/administration' });
  const filter = useFilter();
  const { actor, resource_type, resource_id, correlation_id, cursor } = search;
  const kind = AuditedType.is(resource_type) ? resource_type : undefined;
  return (
    <>
      <Group mb="md" gap="sm" role="search">
        {(['actor', 'resource_id', 'correlation_id'] as const).map((name) => (
          <SearchField
            key={name}
            aria-label={TEXTS[name]}
            placeholder={TEXTS[name]}
            text={search[name]}
            onChange={(text) => filter({ [name]: text, cursor: undefined })}
          />
        ))}
        <Select
          aria-label="Kind of resource"
          placeholder="Any kind"
          clearable
          clearButtonProps={{ 'aria-label': 'Any kind' }}
          data={Object.keys(AuditedType.keys).map((value) => ({ value, label: value.replace('_', ' ') }))}
          value={kind ?? null}
          onChange={(value) => filter({ resource_type: value ?? undefined, cursor: undefined })}
        />
      </Group>
      <EventPages
        label="Events"
        trail={useAuditTrail({ actor, resource_type: kind, resource_id, correlation_id, cursor })}
        cursor={cursor}
        onPage={(next) => filter({ cursor: next })}
        useCausesOf={useCausesOf}
        columns={{
          resource: ({ resource_type: type, resource_id: id }) => `${type.replace('_', ' ')} ${id}`,
          request: (event) => event.correlation_id,
        }}
      />
    </>
  );
};
