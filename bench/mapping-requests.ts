import { need } from './need';
import { benchClient } from './start-instance';

const definition = (comment: string) => ({
  label: 'Person',
  sql: `SELECT id, name, age FROM people -- ${comment}`,
  primary_key: { name: 'id', type: 'INT64' as const },
  properties: [
    { name: 'name', type: 'STRING' as const },
    { name: 'age', type: 'INT64' as const },
  ],
});

/** Creates mappings with these names; returns their ids. */
export const createMappings = (url: string, names: readonly string[]): Promise<readonly number[]> => {
  const api = benchClient(url);
  const create = async (name: string): Promise<number> =>
    need(await api.createMapping({ body: { name, node_definitions: [definition('first')] } })).data.id;
  return Promise.all(names.map(create));
};

/** The request that writes a new version of a mapping. */
export const newVersion = (url: string, mapping: number, comment: string): string => {
  const body = JSON.stringify({ change_description: comment, node_definitions: [definition(comment)] });
  return [
    `PUT /api/mappings/${mapping} HTTP/1.1`,
    `Host: ${new URL(url).host}`,
    'X-Username: olivia',
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    '',
    body,
  ].join('\r\n');
};
