import { NO_PLAN, type KnownPlan } from './run-query';

const MOST_KEPT = 500;

/** The plans of the queries seen last, by their text. */
export interface PlanMemory {
  readonly get: (text: string) => KnownPlan;
  readonly set: (text: string, plan: KnownPlan) => void;
}

export const createPlanMemory = (): PlanMemory => {
  const plans = new Map<string, KnownPlan>();
  return {
    get: (text) => plans.get(text) ?? NO_PLAN,
    set: (text, plan) => {
      plans.delete(text);
      if (plan.plan.size === 0) return;
      plans.set(text, plan);
      const [oldest] = plans.keys();
      if (plans.size > MOST_KEPT && oldest !== undefined) plans.delete(oldest);
    },
  };
};
