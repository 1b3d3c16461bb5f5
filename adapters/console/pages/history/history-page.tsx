import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useCausesOf, useHistory } from '../../api/audit';
import { useGraph } from '../../api/graphs';
import { useMapping } from '../../api/mappings';
import { EventPages } from '../../kit/event-pages';
import { ResourceTabs } from '../../kit/resource-tabs';
import { Loaded, PageTitle } from '../../kit/view';

/** The events of one graph. */
export const GraphHistoryPage = () => {
  const { id } = useParams({ from: '/graphs/$id/history' });
  return (
    <Loaded query={useGraph(id)} heading={`History of graph ${id}`}>
      {({ name }) => <History of="graph" id={id} name={name} />}
    </Loaded>
  );
};

/** The events of one mapping. */
export const MappingHistoryPage = () => {
  const { id } = useParams({ from: '/mappings/$id/history' });
  return (
    <Loaded query={useMapping(id)} heading={`History of mapping ${id}`}>
      {({ data: { name } }) => <History of="mapping" id={id} name={name} />}
    </Loaded>
  );
};

interface HistoryProps {
  readonly of: 'graph' | 'mapping';
  readonly id: number;
  readonly name: string;
}

const History = ({ of, id, name }: HistoryProps) => {
  const [cursor, setCursor] = useState<string>();
  return (
    <>
      <PageTitle>
        <bdi>{name}</bdi>
      </PageTitle>
      <ResourceTabs of={of} id={id} />
      <EventPages
        label="History"
        trail={useHistory(of, id, cursor)}
        cursor={cursor}
        onPage={setCursor}
        useCausesOf={useCausesOf}
      />
    </>
  );
};
