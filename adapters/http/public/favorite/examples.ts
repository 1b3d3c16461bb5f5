import { type OperationExamples } from '../../kit';

export const favoriteExamples: OperationExamples = {
  listFavorites: [
    {
      summary: 'Your favorite mappings',
      as: 'ada',
      query: { resource_type: 'mapping' },
      status: 200,
      answer: [
        {
          resource_type: 'mapping',
          resource_id: 1,
          created_at: '2026-11-21T18:46:32.441Z',
          resource_name: 'Town',
          resource_owner: 'ada',
          resource_exists: true,
        },
      ],
      page: { total: 1, offset: 0, limit: 50 },
    },
  ],
  addFavorite: [
    {
      summary: 'An instance of a colleague',
      as: 'bob',
      body: { resource_type: 'instance', resource_id: 1 },
      status: 201,
      answer: { resource_type: 'instance', resource_id: 1, created_at: '2026-11-21T18:46:36.700Z' },
    },
    {
      summary: 'It is one already',
      as: 'ada',
      body: { resource_type: 'mapping', resource_id: 1 },
      status: 409,
      answer: {
        code: 'ALREADY_EXISTS',
        message: 'The mapping 1 is among your favorites already.',
        details: { resource_type: 'mapping', resource_id: 1 },
      },
    },
  ],
  removeFavorite: [
    {
      summary: 'No longer a favorite',
      as: 'ada',
      params: { resource_type: 'instance', resource_id: 1 },
      status: 200,
      answer: { deleted: true },
    },
    {
      summary: 'It was none',
      as: 'bob',
      params: { resource_type: 'mapping', resource_id: 2 },
      status: 404,
      answer: {
        code: 'RESOURCE_NOT_FOUND',
        message: 'There is no mapping 2. It may have been deleted; list what exists.',
        details: { resource_type: 'mapping', resource_id: 2 },
      },
    },
  ],
};
