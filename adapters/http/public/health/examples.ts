import { type ExampleRequests } from '../../kit';

export const healthExamples: ExampleRequests = {
  getHealth: [{ summary: 'The system is well', as: 'ada', status: 200 }],
};
