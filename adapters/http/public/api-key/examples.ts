import { type OperationExamples } from '../../kit';

const id = '5f0c2b7e9a1d4c6f8e3b0a92';

export const apiKeyExamples: OperationExamples = {
  createApiKey: [
    {
      summary: 'A key for a program, for 90 days',
      as: 'ada',
      params: { username: 'ada' },
      body: { name: 'nightly report', ttl: 'P90D' },
      status: 201,
      answer: {
        id: 'c41d7a0e5b9f4c22a6d8e013',
        name: 'nightly report',
        created_at: '2026-11-21T18:46:29.512Z',
        created_by: 'ada',
        expires_at: '2027-02-19T18:46:29.512Z',
        key: 'rgk_c41d7a0e5b9f4c22a6d8e013_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
      },
    },
    {
      summary: 'For somebody else',
      as: 'bob',
      params: { username: 'ada' },
      body: { name: 'mine' },
      status: 403,
      answer: {
        code: 'FORBIDDEN',
        message: 'The API keys of ada are the business of ada and of admins.',
        details: { required_role: 'admin', your_role: 'analyst' },
      },
    },
  ],
  listApiKeys: [
    {
      summary: 'The own keys; what they are made of is not shown again',
      as: 'ada',
      params: { username: 'ada' },
      status: 200,
      answer: [{ id, name: 'notebook', created_at: '2026-11-21T18:46:29.512Z', created_by: 'ada', expires_at: null }],
      page: { total: 1, offset: 0, limit: 50 },
    },
  ],
  revokeApiKey: [
    {
      summary: 'A key that is not needed any more',
      as: 'anna',
      params: { username: 'ada', key_id: id },
      status: 200,
      answer: { deleted: true },
    },
  ],
};
