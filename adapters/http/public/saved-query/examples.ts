import { type ExampleRequests } from '../../kit';

const params = { id: 1, query_name: 'Who knows whom' };
const query = 'MATCH (a:Person)-[r:KNOWS]->(b) WHERE a.age > $age RETURN a, r, b';

export const savedQueryExamples: ExampleRequests = {
  listSavedQueries: [
    { summary: 'Your queries of a mapping', as: 'ada', params: { id: 1 }, status: 200 },
    { summary: 'Unknown mapping', as: 'ada', params: { id: 999 }, status: 404 },
  ],
  saveQuery: [
    { summary: 'With a parameter', as: 'ada', params, body: { query, parameters: '{"age": 30}' }, status: 200 },
  ],
  deleteSavedQuery: [
    { summary: 'One of yours', as: 'ada', params: { id: 1, query_name: 'Oldest' }, status: 200 },
    { summary: 'Queries of others are not yours', as: 'bob', params, status: 404 },
  ],
};
