import { type OperationExamples } from '../../kit';

export const healthExamples: OperationExamples = {
  getHealth: [{ summary: 'The system is well', as: 'ada', status: 200, answer: { status: 'healthy' } }],
};
