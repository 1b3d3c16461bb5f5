import { isRight } from 'fp-ts/Either';
import { bySize } from '../support/proof-size';
import { seedsOfRun } from '../support/seed';
import { type FaultPlan, manyFaults } from './faults';
import { brokenPromises } from './invariants';
import { RECONCILE_SECONDS } from './simulated-control-plane';
import { createSimulatedWorld, type SimulatedWorld } from './simulated-world';

/** The longest wait that may be in progress when the last fault happens: a pod's deadline, after a worker's lease. */
const LONGEST_WAIT_SECONDS = (15 + 10 + 5) * 60;

const settle = (world: SimulatedWorld): Promise<void> => world.time.pass(LONGEST_WAIT_SECONDS + 2 * RECONCILE_SECONDS);

const statusOf = (world: SimulatedWorld, instanceId: number) => world.log.instances.get(instanceId)?.status;

/** A user creates an instance, waits for it and deletes it, as long as the requests succeed. */
export const oneLife = async (plan: FaultPlan): Promise<readonly string[]> => {
  const world = await createSimulatedWorld({ plan, replicas: 1, workers: 1 });
  const acknowledged = { created: [] as number[], deleted: [] as number[] };
  const living = async (): Promise<void> => {
    const created = await world.createInstance('ada');
    if (!isRight(created) || created.right.state === null) return;
    const { instanceId } = created.right.state;
    acknowledged.created.push(instanceId);
    while (!['running', 'failed'].includes(statusOf(world, instanceId) ?? '')) await world.time.sleep(5);
    if (isRight(await world.deleteInstance('ada', instanceId))) acknowledged.deleted.push(instanceId);
  };
  void living();
  await settle(world);
  await settle(world);
  return brokenPromises(world, acknowledged);
};

const LIFETIMES = [
  { ttl: null, inactivityTimeout: null },
  { ttl: 'PT5M', inactivityTimeout: 'PT2M' },
  { ttl: 'PT12M', inactivityTimeout: 'PT4M' },
  { ttl: null, inactivityTimeout: 'PT5M' },
];

/** Three users create and delete instances for a quarter of an hour while everything may fail; then the faults stop. */
export const manyLives = async (
  seed: number,
): Promise<{ readonly world: SimulatedWorld; readonly broken: readonly string[] }> => {
  const plan = manyFaults(seed);
  const world = await createSimulatedWorld({ plan, replicas: 2, workers: 2 });
  const acknowledged = { created: [] as number[], deleted: [] as number[] };
  let over = false;
  const live = async (username: string): Promise<void> => {
    const lifetime = LIFETIMES[Math.floor(plan.chance() * LIFETIMES.length)];
    const created = await world.createInstance(username, lifetime);
    if (!isRight(created) || created.right.state === null) return;
    const { instanceId } = created.right.state;
    acknowledged.created.push(instanceId);
    // Half of them are not deleted, and end by their lifetime.
    if (lifetime !== undefined && plan.chance() < 0.5) return;
    await world.time.sleep(400 * plan.chance());
    while (!over && !isRight(await world.deleteInstance(username, instanceId))) await world.time.sleep(20);
    if (!over) acknowledged.deleted.push(instanceId);
  };
  const person = async (username: string): Promise<void> => {
    while (!over) {
      await world.time.sleep(200 * plan.chance());
      const several = 1 + Math.floor(3 * plan.chance());
      for (let n = 0; n < several; n++) void live(username);
    }
  };
  for (const username of ['ada', 'bob', 'cleo']) void person(username);
  await world.time.pass(900);
  over = true;
  plan.stop();
  await settle(world);
  return { world, broken: await brokenPromises(world, acknowledged) };
};

/** The number of lives in one run; `SEEDS=20` sets another number. */
const LIVES = Number(process.env['SEEDS'] ?? bySize({ sample: 30, full: 1000 }));

/** Further seeds that once found a defect. */
const FOUND: readonly number[] = [];

/** The seeds of one run: consecutive ones, and those that once found a defect. */
export const seedsOfLives = (): readonly number[] => {
  const [first = 1, ...found] = seedsOfRun(FOUND);
  return [...Array.from({ length: LIVES }, (_, index) => first + index), ...found];
};

/** Simulates the lives of these seeds and returns the broken promises, each with the seed that repeats it. */
export const simulateLives = async (seeds: readonly number[]): Promise<readonly string[]> => {
  const findings: string[] = [];
  for (const seed of seeds) {
    const { broken } = await manyLives(seed);
    if (broken.length > 0) findings.push(`SEED=${seed} SEEDS=1: ${broken.join('; ')}`);
  }
  return findings;
};
