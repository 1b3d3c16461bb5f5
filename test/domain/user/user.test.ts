import { user, type UserCommand, type UserEvent } from '../../../domain/user';
import { by, given } from '../../support/given-when-then';

const profile = { username: 'bob', displayName: null, email: null };
const create = (role: 'analyst' | 'admin' | 'ops'): UserCommand => ({ type: 'CreateUser', ...profile, role });
const created: UserEvent = { type: 'UserCreated', data: { ...profile, role: 'analyst' } };

describe('user', () => {
  it('is created by an admin', () => {
    given(user).when(create('analyst'), by('ann', 'admin')).happens(created);
  });

  it('has a unique name', () => {
    given(user, created).when(create('analyst'), by('ann', 'admin')).isRefused('ALREADY_EXISTS', { username: 'bob' });
  });

  it('is given the role ops by ops only', () => {
    given(user)
      .when(create('ops'), by('ann', 'admin'))
      .isRefused('FORBIDDEN', { required_role: 'ops', your_role: 'admin' });
    given(user)
      .when(create('ops'), by('olaf', 'ops'))
      .happens({ type: 'UserCreated', data: { ...profile, role: 'ops' } });
  });

  it('reports a missing permission to an admin before a name conflict', () => {
    given(user, created).when(create('ops'), by('ann', 'admin')).isRefused('FORBIDDEN');
  });

  const bob = { username: 'bob' };
  const promoted: UserEvent = { type: 'UserRoleChanged', data: { ...bob, from: 'analyst', to: 'ops' } };

  it('changes its name or address, and keeps omitted fields', () => {
    given(user, created)
      .when({ type: 'UpdateUser', ...bob, email: 'bob@example.org' })
      .happens({ type: 'UserProfileChanged', data: { ...profile, email: 'bob@example.org' } });
    given(user, created)
      .when({ type: 'UpdateUser', ...bob, displayName: null, isActive: true })
      .changesNothing();
  });

  it('is deactivated and reactivated, each once', () => {
    const off: UserEvent = { type: 'UserDeactivated', data: bob };
    const on: UserEvent = { type: 'UserReactivated', data: bob };
    given(user, created)
      .when({ type: 'DeactivateUser', ...bob })
      .happens(off);
    given(user, created, off)
      .when({ type: 'DeactivateUser', ...bob })
      .changesNothing();
    given(user, created, off)
      .when({ type: 'UpdateUser', ...bob, isActive: true })
      .happens(on);
    given(user, created)
      .when({ type: 'UpdateUser', ...bob, displayName: 'Bob', isActive: false })
      .happens({ type: 'UserProfileChanged', data: { ...profile, displayName: 'Bob' } }, off);
    expect(given(user, created, off, on).state()).toEqual({ ...profile, role: 'analyst', isActive: true });
  });

  it('changes its role', () => {
    given(user, created)
      .when({ type: 'ChangeRole', ...bob, role: 'admin' }, by('ann', 'admin'))
      .happens({ type: 'UserRoleChanged', data: { ...bob, from: 'analyst', to: 'admin' } });
    given(user, created)
      .when({ type: 'ChangeRole', ...bob, role: 'analyst' }, by('ann', 'admin'))
      .changesNothing();
  });

  it('is promoted to ops, and changed as an ops user, by ops only', () => {
    const onlyOps = { required_role: 'ops', your_role: 'admin' };
    given(user, created)
      .when({ type: 'ChangeRole', ...bob, role: 'ops' }, by('ann', 'admin'))
      .isRefused('FORBIDDEN', onlyOps);
    given(user, created)
      .when({ type: 'ChangeRole', ...bob, role: 'ops' }, by('olaf', 'ops'))
      .happens(promoted);
    for (const command of [
      { type: 'ChangeRole', ...bob, role: 'analyst' },
      { type: 'UpdateUser', ...bob, email: null },
      { type: 'DeactivateUser', ...bob },
    ] as const) {
      given(user, created, promoted).when(command, by('ann', 'admin')).isRefused('FORBIDDEN', onlyOps);
    }
  });

  it('must exist to be changed', () => {
    given(user)
      .when({ type: 'DeactivateUser', ...bob })
      .isRefused('RESOURCE_NOT_FOUND', bob);
  });

  it('is bootstrapped once', () => {
    const bootstrapped: UserEvent = { type: 'SystemBootstrapped', data: profile };
    given(user)
      .when({ type: 'Bootstrap', ...profile }, by('system:bootstrap', 'system'))
      .happens(bootstrapped);
    given(user, bootstrapped)
      .when({ type: 'Bootstrap', ...profile, username: 'eve' }, by('system:bootstrap', 'system'))
      .isRefused('ALREADY_EXISTS');
  });

  it('becomes the first ops user even after it was created with another role', () => {
    const first = { type: 'CreateFirstUser', username: 'bob', displayName: null, email: null } as const;
    given(user, created)
      .when(first, by('system:bootstrap', 'system'))
      .happens({ type: 'UserRoleChanged', data: { username: 'bob', from: 'analyst', to: 'ops' } });
  });
});
