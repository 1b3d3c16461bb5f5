const definition = (comment: string) => ({
  label: 'Person',
  sql: `SELECT id, name, age FROM people -- ${comment}`,
  primary_key: { name: 'id', type: 'INT64' },
  properties: [
    { name: 'name', type: 'STRING' },
    { name: 'age', type: 'INT64' },
  ],
});

/** Creates mappings with these names; returns their ids. */
export const createMappings = (url: string, names: readonly string[]): Promise<readonly number[]> =>
  Promise.all(
    names.map(async (name) => {
      const headers = { 'Content-Type': 'application/json', 'X-Username': 'olivia' };
      const body = { name, node_definitions: [definition('first')], edge_definitions: [] };
      const answer = await fetch(`${url}/api/mappings`, { method: 'POST', headers, body: JSON.stringify(body) });
      if (answer.status !== 201)
        throw new Error(`POST /api/mappings answered ${answer.status}: ${await answer.text()}`);
      return ((await answer.json()) as { readonly data: { readonly id: number } }).data.id;
    }),
  );

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
