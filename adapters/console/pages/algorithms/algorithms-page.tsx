import { useState } from 'react';
import { Text, Title } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import { type Algorithm } from '../../api/algorithm';
import { useAlgorithms } from '../../api/algorithms';
import { type GraphDetail, useGraph } from '../../api/graphs';
import { type Address } from '../../api/queries';
import { GraphTabs } from '../../kit/graph-tabs';
import { Field } from '../../kit/field';
import { Loaded } from '../../kit/view';
import { AlgorithmForm } from './algorithm-form';
import { Runs } from './runs';

/** The algorithms of a graph, and their runs. */
export const AlgorithmsPage = () => {
  const { id } = useParams({ from: '/graphs/$id/algorithms' });
  const graph = useGraph(id);
  return (
    <Loaded query={graph} heading={`Algorithms of graph ${id}`}>
      {(found) => (
        <>
          <Title order={1} size="h2">
            <bdi>{found.name}</bdi>
          </Title>
          <GraphTabs id={id} />
          {found.status === 'running' && found.instance_url !== null ? (
            <Algorithms graph={found} address={{ kind: found.wrapper_type, url: found.instance_url }} />
          ) : (
            <Text>Algorithms require a running graph; the graph is {found.status}.</Text>
          )}
        </>
      )}
    </Loaded>
  );
};

const Algorithms = ({ graph, address }: { readonly graph: GraphDetail; readonly address: Address }) => {
  const algorithms = useAlgorithms(address);
  const [search, setSearch] = useState('');
  const [chosen, setChosen] = useState<Algorithm | null>(null);
  const [runId, setRunId] = useState<string | null>(null);
  const wanted = search.toLowerCase();
  return (
    <div className="workbench">
      <aside className="schema" aria-label="Algorithms">
        <Field
          size="xs"
          aria-label="Search algorithms"
          placeholder="Search"
          mb="sm"
          value={search}
          onChange={setSearch}
        />
        <Loaded query={algorithms}>
          {(all) => {
            const found = all.filter(({ name, description }) =>
              `${name} ${description}`.toLowerCase().includes(wanted),
            );
            const categories = [...new Set(found.map(({ category }) => category))];
            return (
              <>
                {found.length === 0 && <p className="dimmed">No algorithms found.</p>}
                {categories.map((category) => (
                  <section key={category} aria-label={category}>
                    <h2>{category}</h2>
                    {found
                      .filter((one) => one.category === category)
                      .map((one) => (
                        <button
                          key={`${one.family} ${one.name}`}
                          type="button"
                          aria-pressed={chosen?.name === one.name && chosen.family === one.family}
                          onClick={() => setChosen(one)}
                        >
                          <span>{one.name}</span>
                          {one.family === 'library' && <span className="dimmed">library</span>}
                        </button>
                      ))}
                  </section>
                ))}
              </>
            );
          }}
        </Loaded>
      </aside>
      <div className="workbench-main">
        {chosen === null ? (
          <p className="panel dimmed">Choose an algorithm. One algorithm runs at a time; queries continue meanwhile.</p>
        ) : (
          <AlgorithmForm
            key={`${chosen.family} ${chosen.name}`}
            algorithm={chosen}
            address={address}
            onStarted={setRunId}
          />
        )}
        <Runs graph={graph} address={address} runId={runId} onChoose={setRunId} />
      </div>
    </div>
  );
};
