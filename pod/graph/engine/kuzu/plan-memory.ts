import { createRecent } from '../recent';
import { NO_PLAN, type KnownPlan } from './run-query';

/** The plans of the queries seen last, by their text. */
export interface PlanMemory {
  readonly get: (text: string) => KnownPlan;
  readonly set: (text: string, plan: KnownPlan) => void;
}

export const createPlanMemory = (): PlanMemory => {
  const plans = createRecent<KnownPlan>();
  return {
    get: (text) => plans.get(text) ?? NO_PLAN,
    set: (text, plan) => (plan.plan.size === 0 ? plans.delete(text) : plans.set(text, plan)),
  };
};
