import { expect, test } from 'vitest';
import { configurationText } from './server-configuration';

const settings = {
  ...{
    name: 'whiteline-fleet',
    listen: '0.0.0.0',
    port: 4222,
    consoleSecret: 'b'.repeat(43),
    servers: [] as string[],
  },
  ...{ identityFile: '/a "b"/server.pem', authorityFile: '/a "b"/authority.pem' },
};

test('an agent may say and hear what is its own, the console what it asks and what agents say, and nobody else anything', () => {
  const [id, secret] = ['abcdefghij012345', 'a'.repeat(43)];
  const text = configurationText(settings, [
    { version: 1, id, name: 'render-1', secret, address: null, invitedAt: '2026-11-29T08:00:00Z' },
  ]);
  expect(JSON.parse(text)).toEqual({
    ...{ server_name: 'whiteline-fleet', host: '0.0.0.0', port: 4222, max_payload: 1_048_576 },
    ...{ no_system_account: true, logtime: false },
    tls: { cert_file: '/a "b"/server.pem', key_file: '/a "b"/server.pem', timeout: 10 },
    authorization: {
      timeout: 11,
      users: [
        {
          ...{ user: 'console', password: 'b'.repeat(43) },
          permissions: {
            publish: ['whiteline.to.>'],
            subscribe: ['whiteline.from.>', '_INBOX_console.>'],
          },
        },
        {
          ...{ user: id, password: secret },
          permissions: {
            publish: [`whiteline.from.${id}.>`],
            subscribe: [`whiteline.to.${id}.>`, `whiteline.from.${id}.claim`],
            allow_responses: { max: 64, expires: '1m' },
          },
        },
      ],
    },
  });
});

test('servers of one fleet let in each other alone, and one alone has no port for others', () => {
  const text = configurationText({ ...settings, servers: ['hub-1', '2001:db8::7'] }, []);
  expect(JSON.parse(text)).toMatchObject({
    cluster: {
      ...{ name: 'whiteline-fleet', host: '0.0.0.0', port: 6222, no_advertise: true },
      tls: {
        ...{ cert_file: '/a "b"/server.pem', key_file: '/a "b"/server.pem' },
        ...{ ca_file: '/a "b"/authority.pem', verify: true },
      },
      routes: ['nats-route://hub-1:6222', 'nats-route://[2001:db8::7]:6222'],
    },
  });
  expect(configurationText({ ...settings, servers: ['hub-1'] }, [])).not.toContain('cluster');
});
