import { type ExampleRequests, type OperationExamples, type RecordedAnswer } from '../kit';
import { accessTokenExamples } from './access-token/examples';
import { adminExamples } from './admin/examples';
import { apiKeyExamples } from './api-key/examples';
import { clusterExamples } from './cluster/examples';
import { configExamples } from './config/examples';
import { exportJobExamples } from './export-job/examples';
import { favoriteExamples } from './favorite/examples';
import { healthExamples } from './health/examples';
import { instanceExamples } from './instance/examples';
import { instanceChangeExamples } from './instance/change-examples';
import { mappingExamples } from './mapping/examples';
import { mappingHistoryExamples } from './mapping/history-examples';
import { opsExamples } from './ops/examples';
import { parkedEventExamples } from './parked-event/examples';
import { queryEngineExamples } from './query-engine/examples';
import { schemaExamples } from './schema/examples';
import { snapshotExamples } from './snapshot/examples';
import { userExamples } from './user/examples';
import recordedAnswers from './recorded-answers.json';

const requests: ExampleRequests = {
  ...accessTokenExamples,
  ...adminExamples,
  ...apiKeyExamples,
  ...clusterExamples,
  ...configExamples,
  ...exportJobExamples,
  ...favoriteExamples,
  ...healthExamples,
  ...instanceExamples,
  ...instanceChangeExamples,
  ...mappingExamples,
  ...mappingHistoryExamples,
  ...opsExamples,
  ...parkedEventExamples,
  ...queryEngineExamples,
  ...schemaExamples,
  ...snapshotExamples,
  ...userExamples,
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
