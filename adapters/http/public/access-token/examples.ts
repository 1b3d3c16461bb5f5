import { type ExampleRequests } from '../../kit';

export const accessTokenExamples: ExampleRequests = {
  issueAccessToken: [
    {
      summary: 'For a notebook, for the working day',
      as: 'bob',
      params: { id: 1 },
      body: { expires_in: 'PT8H' },
      status: 201,
    },
    { summary: 'A week is too long', as: 'bob', params: { id: 1 }, body: { expires_in: 'P7D' }, status: 400 },
  ],
  listAccessTokens: [{ summary: 'All of the own instance', as: 'ada', params: { id: 1 }, status: 200 }],
  revokeAccessToken: [
    {
      summary: 'The owner revokes it',
      as: 'ada',
      params: { id: 1, token_id: '5f0c2b7e9a1d4c6f8e3b0a93' },
      status: 200,
    },
  ],
};
