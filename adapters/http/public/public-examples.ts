import { type ExampleRequests, type OperationExamples, type RecordedAnswer } from '../kit';
import { instanceExamples } from './instance/examples';
import { opsExamples } from './ops/examples';
import { userExamples } from './user/examples';
import { mappingExamples } from './mapping/examples';
import { schemaExamples } from './schema/examples';
import recordedAnswers from './recorded-answers.json';

const requests: ExampleRequests = {
  ...instanceExamples,
  ...mappingExamples,
  ...opsExamples,
  ...schemaExamples,
  ...userExamples,
  getSnapshot: [
    { summary: 'A snapshot that is ready', as: 'ada', params: { id: 1 }, status: 200 },
    { summary: 'Unknown snapshot', as: 'ada', params: { id: 404 }, status: 404 },
  ],
  getHealth: [{ summary: 'The system is healthy', as: 'ada', status: 200 }],
  listExportJobs: [
    { summary: 'The completed jobs of your snapshots', as: 'ada', query: { status: 'completed' }, status: 200 },
  ],
  countPendingExportJobs: [{ summary: 'For autoscalers, without envelope', as: null, status: 200 }],
  getClusterHealth: [{ summary: 'Everything answers', as: 'olivia', status: 200 }],
  getClusterInstances: [{ summary: 'Instances by owner', as: 'olivia', status: 200 }],
};

/** By endpoint and summary; recorded by `npm run record-examples`. */
const recorded: Readonly<Record<string, Readonly<Record<string, RecordedAnswer>>>> = recordedAnswers;

/** Requests and responses of the public API; each operation has at least one successful example. */
export const publicExamples: OperationExamples = Object.fromEntries(
  Object.entries(requests).map(([name, examples]) => [
    name,
    examples.map((example) => ({ ...example, ...recorded[name]?.[example.summary] })),
  ]),
);
