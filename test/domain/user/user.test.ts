import { user, type UserCommand, type UserEvent } from '../../../domain/user';
import { by, given } from '../../support/given-when-then';

const profile = { username: 'bob', displayName: null, email: null };
const create = (role: 'analyst' | 'admin' | 'ops'): UserCommand => ({ type: 'CreateUser', ...profile, role });
const created: UserEvent = { type: 'UserCreated', data: { ...profile, role: 'analyst' } };

describe('user', () => {
  it('is created by an admin', () => {
    given(user).when(create('analyst'), by('ann', 'admin')).happens(created);
  });

  it('has a name nobody else has', () => {
    given(user, created).when(create('analyst'), by('ann', 'admin')).isRefused('ALREADY_EXISTS', { username: 'bob' });
  });

  it('becomes ops by the hand of ops only', () => {
    given(user)
      .when(create('ops'), by('ann', 'admin'))
      .isRefused('FORBIDDEN', { required_role: 'ops', your_role: 'admin' });
    given(user)
      .when(create('ops'), by('olaf', 'ops'))
      .happens({ type: 'UserCreated', data: { ...profile, role: 'ops' } });
  });

  it('tells an admin that the role is too low before it tells that the name is taken', () => {
    given(user, created).when(create('ops'), by('ann', 'admin')).isRefused('FORBIDDEN');
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
});
