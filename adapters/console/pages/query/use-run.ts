import { useEffect, useRef, useState } from 'react';
import { asError } from '../../api/failure';
import { type GraphAnswer, type GraphQuery } from '../../api/queries';

export type RunState =
  | { readonly status: 'idle' | 'cancelled' }
  | { readonly status: 'running'; readonly elapsedMs: number }
  | { readonly status: 'done'; readonly answer: GraphAnswer }
  | { readonly status: 'failed'; readonly error: Error };

const TICK_MS = 200;

/** The last answer of each user and instance, until the page closes. */
const answers = new Map<string, GraphAnswer>();

/** One query at a time: a new query, or leaving the page, cancels the previous one. */
export const useRun = (key: string, runQuery: (query: GraphQuery, signal: AbortSignal) => Promise<GraphAnswer>) => {
  const [state, setState] = useState((): RunState => {
    const answer = answers.get(key);
    return answer === undefined ? { status: 'idle' } : { status: 'done', answer };
  });
  const current = useRef<AbortController>(null);
  useEffect(() => () => current.current?.abort(), []);

  const run = (make: () => GraphQuery): void => {
    current.current?.abort();
    const controller = new AbortController();
    current.current = controller;
    const startedAt = Date.now();
    const show = (next: RunState): void => {
      if (current.current !== controller) return;
      setState(next);
      if (next.status === 'done') answers.set(key, next.answer);
    };
    const tick = (): void => show({ status: 'running', elapsedMs: Date.now() - startedAt });
    tick();
    const timer = setInterval(tick, TICK_MS);
    const running = async (): Promise<RunState> => {
      try {
        return { status: 'done', answer: await runQuery(make(), controller.signal) };
      } catch (error) {
        if (controller.signal.aborted) return { status: 'cancelled' };
        return { status: 'failed', error: asError(error) };
      }
    };
    void running().then((end) => {
      clearInterval(timer);
      show(end);
    });
  };
  return { state, run, cancel: () => current.current?.abort() };
};
