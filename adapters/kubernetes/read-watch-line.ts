import { type Either, isLeft, isRight, left, right } from 'fp-ts/Either';
import * as t from 'io-ts';
import { fields, parseJson } from '../../domain/kernel/codecs';
import { Status } from './api-objects';

const WatchEvent = fields({ type: t.string, object: t.unknown });
const Versioned = fields({ metadata: fields({ resourceVersion: t.string }) });

export interface WatchedEvent {
  readonly type: 'changed' | 'gone' | 'bookmark';
  readonly object: unknown;
  /** The version from which the next watch continues. */
  readonly version: string;
}

/**
 * An event of a watch, or why the watch cannot continue: null when its version is too old, which is reported by an
 * event.
 */
export const readWatchLine = (line: string): Either<string | null, WatchedEvent> => {
  const event = WatchEvent.decode(parseJson(line));
  if (isLeft(event)) return left('the watch sent something that is not an event');
  const { type, object } = event.right;
  if (type === 'ERROR') {
    const status = Status.decode(object);
    const { code, message } = isRight(status) ? status.right : {};
    return left(code === 410 ? null : `the watch ended: ${message ?? line}`);
  }
  const versioned = Versioned.decode(object);
  if (isLeft(versioned)) return left('the watch sent an object without a version');
  const kind = type === 'BOOKMARK' ? 'bookmark' : type === 'DELETED' ? 'gone' : 'changed';
  return right({ type: kind, object, version: versioned.right.metadata.resourceVersion });
};
