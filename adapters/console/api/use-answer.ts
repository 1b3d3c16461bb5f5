import { keepPreviousData, type QueryKey, useQuery, type UseQueryOptions } from '@tanstack/react-query';
import { type Either } from 'fp-ts/Either';
import { type ApiClient, type ClientFailure } from '../../client/web';
import { answerOf, need } from './failure';
import { useSession } from './session';

/** The data of an operation of the API. */
export type Data<N extends keyof ApiClient> = Extract<
  Awaited<ReturnType<ApiClient[N]>>,
  { _tag: 'Right' }
>['right']['data'];

type AnswerOptions<S> = Pick<UseQueryOptions<S>, 'placeholderData' | 'refetchInterval' | 'staleTime'>;

/** Shows the previous answer until the new one arrives. */
export const KEEP_PREVIOUS = { placeholderData: keepPreviousData };

export type Call<S> = (api: ApiClient, signal: AbortSignal) => Promise<Either<ClientFailure, S>>;

/** An answer of the API: its data, and the page of a list. */
export const useAnswer = <S>(queryKey: QueryKey, call: Call<S>, options: AnswerOptions<S> = {}) => {
  const { api } = useSession();
  return useQuery<S>({ queryKey, queryFn: ({ signal }) => answerOf(call(api, signal)), ...options });
};

/** The data of an answer of the API. */
export const useData = <O>(queryKey: QueryKey, call: Call<{ readonly data: O }>, options: AnswerOptions<O> = {}) => {
  const { api } = useSession();
  return useQuery<O>({ queryKey, queryFn: ({ signal }) => need(call(api, signal)), ...options });
};
