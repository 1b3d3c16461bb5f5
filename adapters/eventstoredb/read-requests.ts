import { createStreamIdentifier } from '@eventstore/db-client/dist/utils/grpcStreamIdentifier';
import { Empty } from '@eventstore/db-client/generated/shared_pb';
import { ReadReq } from '@eventstore/db-client/generated/streams_pb';
import { type LogQuery, type StreamQuery } from './log-client';

const { AllOptions, FilterOptions, Position, StreamOptions, SubscriptionOptions, UUIDOption } = ReadReq.Options;
/** Number of foreign events after which the server reports the position of a subscription. */
const SEARCH_WINDOW = 32;

/** Reads the events of a stream. */
export const streamRequest = (streamName: string, { from, direction, maxCount }: StreamQuery): ReadReq => {
  const stream = new StreamOptions().setStreamIdentifier(createStreamIdentifier(streamName));
  if (from === 'start') stream.setStart(new Empty());
  else if (from === 'end') stream.setEnd(new Empty());
  else stream.setRevision(String(from));
  return pageOf(new ReadReq.Options().setStream(stream), direction, maxCount ?? Number.MAX_SAFE_INTEGER);
};

/** Reads the events of all streams, including the server's own. */
export const logRequest = ({ from, direction, maxCount }: LogQuery): ReadReq => {
  const all = new AllOptions();
  if (from === 'start') all.setStart(new Empty());
  else if (from === 'end') all.setEnd(new Empty());
  else all.setPosition(new Position().setCommitPosition(String(from.commit)).setPreparePosition(String(from.prepare)));
  return pageOf(new ReadReq.Options().setAll(all), direction, maxCount);
};

/** Subscribes to new events of streams with these name prefixes. */
export const subscriptionRequest = (prefixes: readonly string[]): ReadReq => {
  const names = new FilterOptions.Expression().setPrefixList([...prefixes]);
  const filter = new FilterOptions()
    .setStreamIdentifier(names)
    .setMax(SEARCH_WINDOW)
    .setCheckpointintervalmultiplier(1);
  const all = new AllOptions().setEnd(new Empty());
  return requestOf(new ReadReq.Options().setAll(all).setSubscription(new SubscriptionOptions()).setFilter(filter));
};

const pageOf = (options: ReadReq.Options, direction: LogQuery['direction'], maxCount: number): ReadReq => {
  const { FORWARDS, BACKWARDS } = ReadReq.Options.ReadDirection;
  options.setReadDirection(direction === 'forwards' ? FORWARDS : BACKWARDS);
  return requestOf(options.setCount(String(maxCount)).setNoFilter(new Empty()));
};

const requestOf = (options: ReadReq.Options): ReadReq =>
  new ReadReq().setOptions(options.setUuidOption(new UUIDOption().setString(new Empty())));
