import { opsGuard, type OpsGuardEvent, type SeenUser } from '../../../domain/user';
import { given } from '../../support/given-when-then';

const seen = (username: string, revision: number): SeenUser => ({ username, revision });
const remove = (username: string, revision: number, ...others: readonly SeenUser[]) =>
  ({ type: 'AllowOpsRemoval', username, revision, others }) as const;
const allowed = (username: string, revision: number): OpsGuardEvent => ({
  type: 'OpsRemovalAllowed',
  data: { username, revision },
});

describe('the guard of the ops users', () => {
  it('lets one be removed while another remains', () => {
    given(opsGuard)
      .when(remove('olaf', 0, seen('olga', 3)))
      .happens(allowed('olaf', 0));
  });

  it('keeps the last one', () => {
    given(opsGuard).when(remove('olaf', 0)).isRefused('INVALID_STATE', { username: 'olaf' });
  });

  it('does not count a user who is about to be removed', () => {
    for (const revision of [3, 4]) {
      given(opsGuard, allowed('olga', revision))
        .when(remove('olaf', 0, seen('olga', 3)))
        .isRefused('INVALID_STATE');
    }
  });

  it('counts a user who was restored', () => {
    given(opsGuard, allowed('olga', 3))
      .when(remove('olaf', 0, seen('olga', 5)))
      .happens(allowed('olaf', 0));
  });
});
