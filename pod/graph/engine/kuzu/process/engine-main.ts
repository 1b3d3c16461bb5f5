import { reasonOf } from '../../engine-failure';
import { KuzuDatabase } from './kuzu-database';
import { type KuzuCallName, type KuzuCalls, type KuzuRequest, type KuzuResponse } from './kuzu-process';

/** The engine's process: a native crash ends only this process. The pod starts it, calls it and ends it. */
const database: KuzuCalls = new KuzuDatabase();

const respond = async <N extends KuzuCallName>({ id, name, parameters }: KuzuRequest<N>): Promise<void> => {
  let response: KuzuResponse;
  try {
    response = { id, result: await database[name](...parameters) };
  } catch (error) {
    response = { id, error: reasonOf(error) };
  }
  if (process.connected) process.send?.(response);
};

process.on('message', (request: KuzuRequest) => void respond(request));
