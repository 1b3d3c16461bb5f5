import { type ExampleRequests } from '../../kit';

const id = '5f0c2b7e9a1d4c6f8e3b0a92';

export const apiKeyExamples: ExampleRequests = {
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
    { summary: 'A key that is not needed any more', as: 'anna', params: { username: 'ada', key_id: id }, status: 200 },
  ],
};
