import { type ExampleRequests, type OperationExamples, type RecordedAnswer } from '../kit';
import { accessTokenExamples } from './access-token/examples';
import { adminExamples } from './admin/examples';
import { apiKeyExamples } from './api-key/examples';
import { configExamples } from './config/examples';
import { favoriteExamples } from './favorite/examples';
import { instanceExamples } from './instance/examples';
import { mappingExamples } from './mapping/examples';
import { opsExamples } from './ops/examples';
import { parkedEventExamples } from './parked-event/examples';
import { queryEngineExamples } from './query-engine/examples';
import { savedQueryExamples } from './saved-query/examples';
import { schemaExamples } from './schema/examples';
import { userExamples } from './user/examples';
import recordedAnswers from './recorded-answers.json';

const requests: ExampleRequests = {
  ...accessTokenExamples,
  ...adminExamples,
  ...apiKeyExamples,
  ...configExamples,
  ...favoriteExamples,
  ...savedQueryExamples,
  ...instanceExamples,
  ...mappingExamples,
  ...opsExamples,
  ...parkedEventExamples,
  ...queryEngineExamples,
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

/** By endpoint and summary; `npm run record-examples` records them. */
const recorded: Readonly<Record<string, Readonly<Record<string, RecordedAnswer>>>> = recordedAnswers;

/** Requests and answers of the public API; each operation has one that succeeds at least. */
export const publicExamples: OperationExamples = Object.fromEntries(
  Object.entries(requests).map(([name, examples]) => [
    name,
    examples.map((example) => ({ ...example, ...recorded[name]?.[example.summary] })),
  ]),
);
