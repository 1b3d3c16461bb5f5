import { createInMemoryParkedEvents } from '../../support/in-memory/in-memory-parked-events';
import { parkedEventsContract } from './parked-events-contract';

parkedEventsContract(() => Promise.resolve(createInMemoryParkedEvents()));
