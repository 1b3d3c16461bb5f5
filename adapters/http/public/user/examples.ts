import { type ExampleRequests } from '../../kit';

const KEY_ID = '5f0c2b7e9a1d4c6f8e3b0a92';
const SAVED_QUERY = { id: 1, query_name: 'Who knows whom' };
const QUERY = 'MATCH (a:Person)-[r:KNOWS]->(b) WHERE a.age > $age RETURN a, r, b';

export const userExamples: ExampleRequests = {
  bootstrap: [
    {
      summary: 'The first user of a new system',
      as: null,
      body: { username: 'olivia', display_name: 'Olivia of ops', email: 'olivia@example.org' },
      status: 201,
    },
    { summary: 'There are users already', as: null, body: { username: 'eve' }, status: 409 },
  ],
  createUser: [
    {
      summary: 'A new analyst',
      as: 'anna',
      body: { username: 'zoe', display_name: 'Zoe', email: 'zoe@example.org', role: 'analyst' },
      status: 201,
    },
    { summary: 'The name is taken', as: 'anna', body: { username: 'ada' }, status: 409 },
    { summary: 'Analysts do not manage users', as: 'ada', body: { username: 'eve' }, status: 403 },
  ],
  listUsers: [{ summary: 'The newest two', as: 'anna', query: { limit: 2 }, status: 200 }],
  getUser: [
    { summary: 'Yourself', as: 'ada', params: { username: 'ada' }, status: 200 },
    { summary: 'Another user', as: 'ada', params: { username: 'bob' }, status: 403 },
  ],
  updateUser: [
    {
      summary: 'Another address',
      as: 'anna',
      params: { username: 'dora' },
      body: { email: 'dora@example.org' },
      status: 200,
    },
  ],
  changeUserRole: [
    {
      summary: 'An analyst becomes an admin',
      as: 'anna',
      params: { username: 'dora' },
      body: { role: 'admin' },
      status: 200,
    },
    {
      summary: 'One ops user always stays',
      as: 'olivia',
      params: { username: 'olivia' },
      body: { role: 'admin' },
      status: 409,
    },
  ],
  deactivateUser: [{ summary: 'A user has left', as: 'anna', params: { username: 'dora' }, status: 200 }],
  createApiKey: [
    {
      summary: 'A key for a program, for 90 days',
      as: 'ada',
      params: { username: 'ada' },
      body: { name: 'nightly report', ttl: 'P90D' },
      status: 201,
    },
    { summary: 'For another user', as: 'bob', params: { username: 'ada' }, body: { name: 'mine' }, status: 403 },
  ],
  listApiKeys: [
    {
      summary: 'The own keys; what they are made of is not shown again',
      as: 'ada',
      params: { username: 'ada' },
      status: 200,
    },
  ],
  revokeApiKey: [
    {
      summary: 'A key that is not needed any more',
      as: 'anna',
      params: { username: 'ada', key_id: KEY_ID },
      status: 200,
    },
  ],
  listFavorites: [{ summary: 'Your favorite mappings', as: 'ada', query: { resource_type: 'mapping' }, status: 200 }],
  addFavorite: [
    {
      summary: 'An instance of a colleague',
      as: 'bob',
      body: { resource_type: 'instance', resource_id: 1 },
      status: 201,
    },
    { summary: 'It is one already', as: 'ada', body: { resource_type: 'mapping', resource_id: 1 }, status: 409 },
  ],
  removeFavorite: [
    { summary: 'No longer a favorite', as: 'ada', params: { resource_type: 'instance', resource_id: 1 }, status: 200 },
    { summary: 'It was none', as: 'bob', params: { resource_type: 'mapping', resource_id: 2 }, status: 404 },
  ],
  listSavedQueries: [
    { summary: 'Your queries of a mapping', as: 'ada', params: { id: 1 }, status: 200 },
    { summary: 'Unknown mapping', as: 'ada', params: { id: 999 }, status: 404 },
  ],
  saveQuery: [
    {
      summary: 'With a parameter',
      as: 'ada',
      params: SAVED_QUERY,
      body: { query: QUERY, parameters: '{"age": 30}' },
      status: 200,
    },
  ],
  deleteSavedQuery: [
    { summary: 'One of yours', as: 'ada', params: { id: 1, query_name: 'Oldest' }, status: 200 },
    { summary: 'Queries of others are not yours', as: 'bob', params: SAVED_QUERY, status: 404 },
  ],
};
