interface Mutation {
  readonly submittedAt: number;
}

/** The mutation that was started last. */
export const latestOf = <const M extends readonly [Mutation, ...Mutation[]]>(mutations: M): M[number] =>
  mutations.reduce<M[number]>((latest, one) => (one.submittedAt > latest.submittedAt ? one : latest), mutations[0]);
