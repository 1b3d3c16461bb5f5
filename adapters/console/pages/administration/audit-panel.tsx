import { Button, Group, Select } from '@mantine/core';
import { useSearch } from '@tanstack/react-router';
import { type AuditedEvent, AuditedType, useAuditTrail } from '../../api/audit';
import { SearchField } from '../../kit/field';
import { exactText } from '../../kit/format';
import { useFilter } from '../../kit/list-filters';
import { RecordTable } from '../../kit/record-table';
import { Branch, Loaded } from '../../kit/view';

const TEXTS = { actor: 'Actor', resource_id: 'Resource id', correlation_id: 'Request id' } as const;

/** All events, newest first; the filters are in the URL. */
export const AuditPanel = () => {
  const search = useSearch({ from: '/administration' });
  const filter = useFilter();
  const { actor, resource_type, resource_id, correlation_id, cursor } = search;
  const kind = AuditedType.is(resource_type) ? resource_type : undefined;
  const trail = useAuditTrail({ actor, resource_type: kind, resource_id, correlation_id, cursor });
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
      <Loaded query={trail}>
        {({ data, nextCursor }) => (
          <>
            <RecordTable
              label="Events"
              rows={data}
              keyOf={({ event_id }) => event_id}
              columns={COLUMNS}
              empty="No events."
            />
            <Group gap="sm">
              {cursor !== undefined && (
                <Button variant="default" onClick={() => filter({ cursor: undefined })}>
                  Newest
                </Button>
              )}
              {nextCursor != null && (
                <Button variant="default" onClick={() => filter({ cursor: nextCursor })}>
                  Older
                </Button>
              )}
            </Group>
          </>
        )}
      </Loaded>
    </>
  );
};

const COLUMNS = {
  recorded: ({ recorded_at }: AuditedEvent) => recorded_at,
  event: ({ type }: AuditedEvent) => type,
  resource: ({ resource_type, resource_id }: AuditedEvent) => `${resource_type.replace('_', ' ')} ${resource_id}`,
  actor: ({ actor }: AuditedEvent) => actor,
  request: ({ correlation_id }: AuditedEvent) => correlation_id,
  data: ({ data, type }: AuditedEvent) => (
    <Branch title={`Data of ${type}`}>{() => <pre>{exactText(data, 2)}</pre>}</Branch>
  ),
};
