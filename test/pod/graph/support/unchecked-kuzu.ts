import { isLeft } from 'fp-ts/Either';
import { type KuzuEngine } from '../../../../pod/graph/engine/kuzu/kuzu-engine';
import { type EngineParameters } from '../../../../pod/graph/engine/kuzu/query/parameters';
import { right } from './loaded-engine';

/** Sends a text unchanged to the engine's process; returns its rows or its failure. */
export const askUnchecked = async (
  engine: KuzuEngine,
  text: string,
  parameters: EngineParameters = {},
): Promise<unknown> => {
  const sent = { text, titles: [], plan: new Map(), parameters, skipsBlocks: true, timeoutMs: 20_000 };
  const answer = await engine['supervisor'].use((process) => process.call('query', sent));
  if (isLeft(answer)) return 'crash';
  return isLeft(answer.right) ? 'error' : JSON.parse(right(answer.right).rowsJson);
};
