import { PROCESS_INPUTS, type ProcessInputPorts, processInputs } from '../../commands/processes/process-inputs';
import { type ProcessWorkPorts } from '../../commands/processes/run-process-work';
import { type FeedReaderOptions, readFeed } from '../../projections/feed/read-feed';

/** The ports from which processes read inputs, and with which they do their work. */
export type ProcessPorts = ProcessInputPorts & ProcessWorkPorts & Partial<Pick<FeedReaderOptions, 'onParked'>>;

/** Passes inputs to the processes until the signal aborts. */
export const readProcessInputs = (ports: ProcessPorts, signal: AbortSignal): Promise<void> =>
  readFeed({
    store: ports.store,
    consumers: [processInputs(ports)],
    types: PROCESS_INPUTS,
    idlePages: 1,
    signal,
    onParked: ports.onParked ?? (() => undefined),
    onWaiting: (reader, reason) => {
      if (reason !== null) ports.onError(`${reader} waits`, reason);
    },
    onError: ports.onError,
    pause: ports.pause,
  });
