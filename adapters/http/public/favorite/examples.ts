import { type ExampleRequests } from '../../kit';

export const favoriteExamples: ExampleRequests = {
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
};
