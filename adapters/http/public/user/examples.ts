import { type ExampleRequests } from '../../kit';

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
};
