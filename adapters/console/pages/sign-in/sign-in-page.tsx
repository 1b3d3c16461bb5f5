import { Alert, Button, Code, Group, Paper, PasswordInput, Stack, Text, TextInput, Title } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { startSample } from '../../api/graphs';
import { finishLogin, type ProviderLogin, startLogin } from '../../api/provider-login';
import {
  createFirstUser,
  findSignInOptions,
  lastName,
  type Session,
  signIn,
  type SignInMode,
  type SignInOptions,
} from '../../api/session';
import { Choices } from '../../kit/choices';
import { Field, Form } from '../../kit/field';
import { type Kind } from '../../kit/kind-select';
import { Loaded, PageTitle, Problem } from '../../kit/view';

/** The page to open after signing in; null: the current URL. */
export type Next =
  { readonly to: '/tables' } | { readonly to: '/graphs/$id'; readonly params: { readonly id: number } };

interface SignInProps {
  readonly onSignedIn: (session: Session, next: Next | null) => void;
}

/** The page before signing in. */
export const SignInPage = (props: SignInProps) => (
  <main className="entrance">
    <SignIn {...props} />
  </main>
);

/** Asks for the required credentials; creates the first user of an empty system. */
export const SignIn = ({ onSignedIn }: SignInProps) => {
  const signInOptions = useQuery({
    queryKey: ['entrance'],
    queryFn: async () => {
      const found = await findSignInOptions();
      const token = found.login === null ? null : await finishLogin(found.login);
      const name = found.mode === 'username' && found.hasUsers ? lastName() : null;
      const secret = token ?? (found.isKnown ? '' : name);
      // Without users the token is for the first user, who is created by a click.
      if (secret !== null && found.hasUsers) {
        const session = await signIn(found.mode, secret).catch(refuseUnless(token === null));
        if (session !== null) onSignedIn(session, null);
      }
      return { ...found, token };
    },
    staleTime: 0,
    gcTime: 0,
  });
  return (
    <Loaded query={signInOptions} heading="Signing in">
      {(found) =>
        found.hasUsers ? (
          <SecretForm signInOptions={found} onSignedIn={onSignedIn} />
        ) : (
          <FirstUser signInOptions={found} onSignedIn={onSignedIn} />
        )
      }
    </Loaded>
  );
};

const refuseUnless =
  (isExpected: boolean) =>
  (error: unknown): null => {
    if (isExpected) return null;
    throw error;
  };

const Card = ({ title, children }: { readonly title: string; readonly children: ReactNode }) => (
  <Paper withBorder p="xl" maw={420} mx="auto">
    <PageTitle mb="md">{title}</PageTitle>
    {children}
  </Paper>
);

const LABELS: Readonly<Record<SignInMode, string>> = {
  username: 'Username',
  api_key: 'API key',
  oidc: 'Token of the identity provider, or API key',
  edge: '',
};

const DESCRIPTIONS: Readonly<Partial<Record<SignInMode, string>>> = {
  api_key: 'Not stored; a session of at most twelve hours replaces it in this browser.',
  oidc: 'Not stored; a reload asks for it again.',
};

const ProviderButton = ({ login }: { readonly login: ProviderLogin }) => {
  const leaving = useMutation({ mutationFn: () => startLogin(login) });
  return (
    <>
      {leaving.error !== null && <Problem error={leaving.error} title="The identity provider does not answer" />}
      <Button onClick={() => leaving.mutate()} loading={leaving.isPending}>
        Sign in at {new URL(login.issuer).host}
      </Button>
    </>
  );
};

const SecretForm = ({
  signInOptions: { mode, login },
  onSignedIn,
}: SignInProps & { readonly signInOptions: SignInOptions }) => {
  const [secret, setSecret] = useState('');
  const entering = useMutation({
    mutationFn: () => signIn(mode, secret.trim()),
    onSuccess: (it) => onSignedIn(it, null),
  });
  if (mode === 'edge') {
    return (
      <Card title="Sign in at the proxy">
        <Text>A proxy authenticates the users of this system. Open the address of the proxy and sign in there.</Text>
      </Card>
    );
  }
  const field = {
    label: login === null ? LABELS[mode] : 'API key or token',
    value: secret,
    autoFocus: login === null,
    required: true,
    onChange: ({ currentTarget }: { readonly currentTarget: { readonly value: string } }) =>
      setSecret(currentTarget.value),
  };
  return (
    <Card title="Sign in">
      {login !== null && (
        <Stack mb="lg">
          <ProviderButton login={login} />
        </Stack>
      )}
      <Form onSubmit={entering.mutate}>
        <Stack>
          {entering.error !== null && <Problem error={entering.error} title="Not signed in" />}
          {mode === 'username' ? (
            <TextInput {...field} autoComplete="username" />
          ) : (
            <PasswordInput {...field} autoComplete="off" description={DESCRIPTIONS[mode]} />
          )}
          <Button type="submit" variant={login === null ? 'filled' : 'default'} loading={entering.isPending}>
            Sign in
          </Button>
        </Stack>
      </Form>
    </Card>
  );
};

interface CreatedUser {
  readonly session: Session;
  readonly next: Next | null;
  readonly key: string | null;
}

interface FirstUserProps extends SignInProps {
  readonly signInOptions: SignInOptions & { readonly token: string | null };
}

const FirstUser = ({ signInOptions, onSignedIn }: FirstUserProps) => {
  const { mode, login, token: given, needsBootstrapToken } = signInOptions;
  const [name, setName] = useState('owner');
  const [token, setToken] = useState(given ?? '');
  const [bootstrapToken, setBootstrapToken] = useState('');
  const [created, setCreated] = useState<CreatedUser | null>(null);
  const making = useMutation({
    mutationFn: async (choice: Kind | 'tables'): Promise<CreatedUser> => {
      const input = { username: name.trim(), token: token.trim(), bootstrapToken: bootstrapToken.trim() };
      const key = await createFirstUser(mode, input);
      const session = await signIn(mode, mode === 'username' ? name.trim() : (key ?? token.trim()));
      if (choice === 'tables') return { session, key, next: { to: '/tables' } };
      const id = await startSample(session.api, choice);
      return { session, key, next: { to: '/graphs/$id', params: { id } } };
    },
    onSuccess: (result) => {
      if (result.key === null) onSignedIn(result.session, result.next);
      else setCreated(result);
    },
  });
  if (created !== null)
    return <NewKey apiKey={created.key} onSaved={() => onSignedIn(created.session, created.next)} />;
  return (
    <Stack gap={18}>
      <Title order={1}>See your tables as a graph</Title>
      <Text size="lg" c="dimmed" maw={620}>
        rowgraph turns the rows of SQL queries into a graph database of your own, which you query with Cypher.
      </Text>
      {making.error !== null && <Problem error={making.error} title="Failed to start" />}
      {login !== null && given === null ? (
        <Group>
          <ProviderButton login={login} />
        </Group>
      ) : (
        <Choices isBusy={making.isPending} onSample={making.mutate} onTables={() => making.mutate('tables')} />
      )}
      {login !== null && <Text c="dimmed">The first user who signs in gets the role ops.</Text>}
      {login === null && mode === 'oidc' && (
        <SecretField
          label="Token of the identity provider"
          description="The user of the token becomes the first user, with the role ops."
          value={token}
          onChange={setToken}
        />
      )}
      {login === null && mode !== 'oidc' && (
        <Field
          label="Your username"
          description="You become the first user, with the role ops."
          value={name}
          onChange={setName}
          maw={420}
        />
      )}
      {needsBootstrapToken && (
        <SecretField
          label="Bootstrap token"
          description="The value of ROWGRAPH_BOOTSTRAP_TOKEN on the server, which only its operators know."
          value={bootstrapToken}
          onChange={setBootstrapToken}
        />
      )}
      {mode === 'username' && (
        <Alert variant="light" color="gray" maw={620}>
          On this machine a username is enough to sign in. For a team, use API keys or an identity provider.
        </Alert>
      )}
    </Stack>
  );
};

const NewKey = ({ apiKey, onSaved }: { readonly apiKey: string | null; readonly onSaved: () => void }) => (
  <Card title="Your API key">
    <Stack>
      <Text>Save it now. It is shown only once, and you need it to sign in.</Text>
      <Code block>{apiKey}</Code>
      <Button onClick={onSaved}>I have saved it</Button>
    </Stack>
  </Card>
);

interface SecretFieldProps {
  readonly label: string;
  readonly description: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

const SecretField = ({ onChange, ...field }: SecretFieldProps) => (
  <PasswordInput {...field} onChange={({ currentTarget }) => onChange(currentTarget.value)} maw={420} />
);
