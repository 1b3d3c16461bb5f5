import { reasonOf } from '../../engine-failure';
import { KuzuDatabase } from './kuzu-database';
import { type EngineCallName, type EngineCalls, type EngineRequest, type EngineResponse } from './protocol';

/**
 * The engine's process: a native crash ends this process and nothing else. The pod starts it, calls it and ends it.
 */
type Answers = {
  readonly [N in EngineCallName]: (...parameters: Parameters<EngineCalls[N]>) => Promise<ReturnType<EngineCalls[N]>>;
};

let opened: KuzuDatabase | null = null;

const database = (): KuzuDatabase => {
  if (opened === null) throw new Error('The database is not open yet; call open first.');
  return opened;
};

const answers: Answers = {
  open: async (options, schema) => {
    opened = await KuzuDatabase.open(options, schema);
  },
  createSchema: (schema) => database().createSchema(schema),
  load: (kind, table, parquetFiles) => database().load(kind, table, parquetFiles),
  finishLoading: () => database().finishLoading(),
  query: (query) => database().query(query),
  openExport: (query, format) => database().openExport(query, format),
  readExport: (id) => database().readExport(id),
  closeExport: (id) => Promise.resolve(database().closeExport(id)),
  writeNodes: (write) => database().writeNodes(write),
};

const respond = async <N extends EngineCallName>({ id, name, parameters }: EngineRequest<N>): Promise<void> => {
  let response: EngineResponse;
  try {
    response = { id, result: await answers[name](...parameters) };
  } catch (error) {
    response = { id, error: reasonOf(error) };
  }
  if (process.connected) process.send?.(response);
};

process.on('message', (request: EngineRequest) => void respond(request));
