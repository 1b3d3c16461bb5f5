import { type LoggedEvent } from './logged-event';

/** Events that follow one another in the log and in one stream, written at once. */
export type AppendGroup = readonly [LoggedEvent, ...LoggedEvent[]];

/** The size that every store accepts in one append, unless a single event is larger. */
const GROUP_BYTES = 256 * 1024;
const WINDOW_GROUPS = 128;
const WINDOW_BYTES = 2 * 1024 * 1024;

/**
 * Groups events into windows of concurrent appends. An `ordered` store writes appends in the order in which they are
 * sent; for any other store a window contains one append per stream.
 */
export const appendWindows = (
  events: readonly LoggedEvent[],
  ordered: boolean,
): readonly (readonly AppendGroup[])[] => {
  const windows: AppendGroup[][] = [];
  let window: AppendGroup[] = [];
  let streams = new Set<string>();
  let bytes = 0;
  for (const { group, size } of groupsOf(events)) {
    const { streamId } = group[0];
    if ((!ordered && streams.has(streamId)) || window.length === WINDOW_GROUPS || bytes + size > WINDOW_BYTES) {
      if (window.length > 0) windows.push(window);
      [window, streams, bytes] = [[], new Set(), 0];
    }
    window.push(group);
    streams.add(streamId);
    bytes += size;
  }
  return window.length > 0 ? [...windows, window] : windows;
};

const groupsOf = (
  events: readonly LoggedEvent[],
): readonly { readonly group: AppendGroup; readonly size: number }[] => {
  const groups: { group: [LoggedEvent, ...LoggedEvent[]]; size: number }[] = [];
  for (const event of events) {
    const size = Buffer.byteLength(JSON.stringify(event));
    const last = groups.at(-1);
    if (last?.group[0].streamId === event.streamId && last.size + size <= GROUP_BYTES) {
      last.group.push(event);
      last.size += size;
    } else groups.push({ group: [event], size });
  }
  return groups;
};
